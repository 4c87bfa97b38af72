/*
 * Standard input goes to rank 0, which hands it on.
 *
 * run: -n 3
 * stdin: first line\nsecond 42\nlast, without end
 */
#include "check.h"

int main(int argc, char **argv)
{
    char line[100];
    int length = 0, lines = 0;

    begin(&argc, &argv);
    for (;;) {
        if (rank == 0)
            length = fgets(line, sizeof line, stdin) ? (int)strlen(line) + 1 : 0;
        MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (!length)
            break;
        MPI_Bcast(line, length, MPI_CHAR, 0, MPI_COMM_WORLD);
        line[strcspn(line, "\n")] = 0;
        say("line %d: %s", ++lines, line);
    }
    CHECK(lines == 3);
    return finish();
}

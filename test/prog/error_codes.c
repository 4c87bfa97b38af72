/*
 * Error classes and codes of one's own; strings of the standard ones.
 *
 * run: -n 2
 * compare: each
 */
#include "check.h"

int main(int argc, char **argv)
{
    static const int classes[] = {MPI_SUCCESS,     MPI_ERR_BUFFER, MPI_ERR_COUNT,    MPI_ERR_TYPE,
                                  MPI_ERR_TAG,     MPI_ERR_COMM,   MPI_ERR_RANK,     MPI_ERR_ROOT,
                                  MPI_ERR_GROUP,   MPI_ERR_OP,     MPI_ERR_TOPOLOGY, MPI_ERR_ARG,
                                  MPI_ERR_TRUNCATE, MPI_ERR_OTHER, MPI_ERR_INTERN};
    char text[MPI_MAX_ERROR_STRING];
    int class, code, length, *last, found, distinct = 1;

    begin(&argc, &argv);
    for (int i = 0; i < LENGTH(classes); i++) {
        MPI_Error_string(classes[i], text, &length);
        say("class %d: %s", i, text);
        CHECK(class_of(classes[i]) == classes[i]);
        for (int k = 0; k < i; k++)
            distinct &= classes[i] != classes[k];
    }
    CHECK(distinct);

    MPI_Add_error_class(&class);
    MPI_Add_error_code(class, &code);
    MPI_Add_error_string(code, "out of cheese");
    MPI_Error_string(code, text, &length);
    say("my own: %s, length %d, class %d", text, length, class_of(code) == class);
    CHECK(class > MPI_ERR_LASTCODE && code != class);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &found);
    CHECK(found && *last >= class);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK(MPI_Comm_call_errhandler(MPI_COMM_WORLD, code) == MPI_SUCCESS);
    return finish();
}

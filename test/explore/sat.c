/*
 * Deadlock or not is as hard as SAT ([Forejt 2017], section 3): this
 * program deadlocks in some run iff the formula in its arguments can be satisfied.
 * Clauses are lists of literals, numbers as in DIMACS, each ended by 0.
 *
 * For each variable, two literals ask its referee to go on, who lets one of them: its
 * value.  That one tells the clauses it is in; a clause that was told reports to the
 * judge, who sends to the end when all clauses have.  The end takes one message from
 * anybody and then one from the judge, so the first should be the bell's.  The bell,
 * once heard, lets the other literals go on as well, and everybody finishes.  A deadlock
 * is thus a run in which all clauses have reported before the bell was heard: a
 * satisfying assignment.  Sends are synchronous, so buffering makes no difference.
 *
 * The runs, for v variables: 2^v values, the bell hears of the referees in v! orders,
 * and each clause of its literals in any order: 2^v v! c1! c2! ... clean ones.  For each
 * satisfying assignment, the clauses hear of their true literals in any order:
 * t1! t2! ... deadlocks.
 *
 * explore: -n 8 infinite -- 1 0 -1 0: runs 2 clean 2
 * explore: -n 8 zero -- 1 0 -1 0: runs 2 clean 2
 * explore: -n 8 infinite -- 1 0 1 0: runs 3 clean 2 deadlock 1
 * explore: -n 8 zero -- 1 0 1 0: runs 3 clean 2 deadlock 1
 * explore: -n 7 infinite -- 1 -1 0: runs 6 clean 4 deadlock 2
 * explore: -n 11 infinite -- 1 2 0 -1 2 0: runs 36 clean 32 deadlock 4
 * explore: -n 12 infinite -- 1 2 0 -1 0 -2 0: runs 16 clean 16
 * explore: -n 13 infinite -- 1 2 0 1 -2 0 -1 2 0 -1 -2 0: runs 128 clean 128
 * explore: -n 15 infinite -- 1 0 -1 2 0 -2 3 0: runs 193 clean 192 deadlock 1
 * explore: -n 16 infinite -- 1 0 -1 2 0 -2 3 0 -3 0: runs 192 clean 192
 * explore: -n 8 any -- 1 0 1 0: runs 3 clean 2 deadlock 1
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int variables, clauses;

/* The first rank of each kind; the two literals of all variables come before. */
static int referee(void) { return 2 * variables; }
static int clause(void) { return 3 * variables; }
static int bell(void) { return clause() + clauses; }
static int end(void) { return bell() + 1; }
static int judge(void) { return bell() + 2; }

static void send(int to)
{
    int value = 0;
    MPI_Ssend(&value, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
}

static void receive(int from)
{
    int value;
    MPI_Recv(&value, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void be_literal(int literal, const int *formula)
{
    send(referee() + abs(literal) - 1);
    for (int number = 0; number < clauses; formula++) {
        if (*formula == literal)
            send(clause() + number);
        number += *formula == 0;
    }
}

static void be_referee(void)
{
    receive(MPI_ANY_SOURCE);
    send(bell());
    receive(MPI_ANY_SOURCE);
}

/* One true literal is enough; the others are heard, too. */
static void be_clause(int number, const int *formula)
{
    for (; number > 0; formula++)
        number -= *formula == 0;
    receive(MPI_ANY_SOURCE);
    send(judge());
    for (formula++; *formula != 0; formula++)
        receive(MPI_ANY_SOURCE);
}

static void be_bell(void)
{
    send(end());
    for (int i = 0; i < variables; i++)
        receive(MPI_ANY_SOURCE);
}

static void be_end(void)
{
    receive(MPI_ANY_SOURCE);
    receive(judge());
}

static void be_judge(void)
{
    for (int i = 0; i < clauses; i++)
        receive(clause() + i);
    send(end());
}

int main(int argc, char **argv)
{
    int rank, size, *formula = calloc(argc, sizeof *formula);

    for (int i = 0; i < argc - 1; i++) {
        formula[i] = atoi(argv[i + 1]);
        clauses += formula[i] == 0;
        if (abs(formula[i]) > variables)
            variables = abs(formula[i]);
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != judge() + 1) {
        fprintf(stderr, "this formula needs %d ranks\n", judge() + 1);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    if (rank < variables)
        be_literal(rank + 1, formula);
    else if (rank < referee())
        be_literal(-(rank - variables + 1), formula);
    else if (rank < clause())
        be_referee();
    else if (rank < bell())
        be_clause(rank - clause(), formula);
    else if (rank == bell())
        be_bell();
    else if (rank == end())
        be_end();
    else
        be_judge();
    MPI_Finalize();
    free(formula);
    return 0;
}

/*
 * operators -- the operators of reductions by number, the same in every rank.
 *
 * Operators of the program are told apart by whether they commute only: which
 * function is behind one cannot be compared between processes.
 */
#ifndef CALL_OPERATORS_H
#define CALL_OPERATORS_H

#define OPERATORS(X) \
    X(MAX) X(MIN) X(SUM) X(PROD) X(LAND) X(BAND) X(LOR) X(BOR) X(LXOR) X(BXOR) X(MAXLOC) X(MINLOC) X(REPLACE) X(NO_OP)

enum operator {
    OPERATOR_NONE, /* no reduction */
#define X(name) OPERATOR_##name,
    OPERATORS(X)
#undef X
    OPERATOR_USER,           /* of the program */
    OPERATOR_USER_IN_ORDER,  /* the same, and does not commute */
};

static inline const char *operator_name(unsigned number)
{
    static const char *const names[] = {
        [OPERATOR_NONE] = "no operator",
#define X(name) [OPERATOR_##name] = "MPI_" #name,
        OPERATORS(X)
#undef X
        [OPERATOR_USER] = "an operator of the program",
        [OPERATOR_USER_IN_ORDER] = "an operator of the program that does not commute",
    };
    return number < sizeof names / sizeof *names ? names[number] : "an unknown operator";
}

#endif

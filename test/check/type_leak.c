/*
 * Datatypes that are not freed.  Those that match a size, and those of Fortran's
 * kinds, are the library's.
 *
 * check: -n 1 -- wrong: type-leak warning VECTOR
 * check: -n 1 -- wrong: type-leak warning DUP
 * check: -n 1: none
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Datatype vector[2], dup, real;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 2; i++) {
        MPI_Type_vector(2, 1, 3, MPI_INT, &vector[i]); /* VECTOR */
        MPI_Type_commit(&vector[i]);
    }
    MPI_Type_dup(MPI_DOUBLE, &dup); /* DUP */
    MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &real);
    MPI_Type_create_f90_integer(6, &real);
    if (argc == 1) {
        MPI_Type_free(&vector[0]);
        MPI_Type_free(&vector[1]);
        MPI_Type_free(&dup);
    }
    MPI_Finalize();
    return 0;
}

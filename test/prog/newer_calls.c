/*
 * Local calls of MPI 4.1 and 5.0, where the library has them.
 *
 * run: -n 2
 */
#include "check.h"

#define AT_LEAST(major, minor) (MPI_VERSION > major || (MPI_VERSION == major && MPI_SUBVERSION >= minor))

#if AT_LEAST(4, 1)
static void of_4_1(void)
{
    MPI_Datatype pair;
    MPI_Info info;
    MPI_Status status;
    int class, code, source = 0;

    MPI_Type_get_value_index(MPI_DOUBLE, MPI_INT, &pair);
    CHECK(pair == MPI_DOUBLE_INT);
    MPI_Add_error_class(&class);
    MPI_Add_error_code(class, &code);
    MPI_Add_error_string(code, "gone soon");
    CHECK(MPI_Remove_error_string(code) == MPI_SUCCESS);
    CHECK(MPI_Remove_error_code(code) == MPI_SUCCESS);
    CHECK(MPI_Remove_error_class(class) == MPI_SUCCESS);
    MPI_Get_hw_resource_info(&info);
    if (info != MPI_INFO_NULL)
        MPI_Info_free(&info);
    MPI_Sendrecv(NULL, 0, MPI_INT, 1 - rank, 0, NULL, 0, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &status);
    MPI_Status_get_source(&status, &source);
    CHECK(source == 1 - rank);
}
#endif

int main(int argc, char **argv)
{
    begin(&argc, &argv);
#if AT_LEAST(4, 1)
    of_4_1();
#endif
#if AT_LEAST(5, 0)
    int major = -2, minor = -2;
    CHECK(MPI_Abi_get_version(&major, &minor) == MPI_SUCCESS && major != -2);
    CHECK(MPI_Comm_fromint(MPI_Comm_toint(MPI_COMM_WORLD)) == MPI_COMM_WORLD);
#endif
    say("all is well");
    return finish();
}

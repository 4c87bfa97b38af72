/*
 * Local calls of MPI 4.1 and 5.0, where the library has them: pairs of a value and an index, fields of a status, error codes that
 * are taken back, what the hardware is, handles as numbers, and the binary interface.
 *
 * run: -n 2
 * compare: each
 */
#include "check.h"

#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
struct pair {
    double value;
    int index;
};

/* The greatest value, and who has it. */
static void reduce_pairs(void)
{
    MPI_Datatype type = MPI_DATATYPE_NULL, none = MPI_DOUBLE;
    struct pair own = {7 - rank, rank}, greatest = {0, -1};

    MPI_Type_get_value_index(MPI_DOUBLE, MPI_INT, &type);
    CHECK(type == MPI_DOUBLE_INT);
    MPI_Allreduce(&own, &greatest, 1, type, MPI_MAXLOC, MPI_COMM_WORLD);
    CHECK(greatest.value == 7 && greatest.index == 0);
    MPI_Type_get_value_index(MPI_CHAR, MPI_CHAR, &none);
    CHECK(none == MPI_DATATYPE_NULL);
}

static void set_fields(void)
{
    MPI_Status status = {0};
    int source = -1, tag = -1, error = -1;

    MPI_Status_set_source(&status, 1);
    MPI_Status_set_tag(&status, 2);
    MPI_Status_set_error(&status, MPI_ERR_OTHER);
    MPI_Status_get_source(&status, &source);
    MPI_Status_get_tag(&status, &tag);
    MPI_Status_get_error(&status, &error);
    CHECK(source == 1 && tag == 2 && error == MPI_ERR_OTHER);
}

static void take_back_codes(void)
{
    int class, code;
    MPI_Info hardware;

    MPI_Add_error_class(&class);
    MPI_Add_error_code(class, &code);
    MPI_Add_error_string(code, "ours");
    MPI_Remove_error_string(code);
    MPI_Remove_error_code(code);
    MPI_Remove_error_class(class);
    MPI_Get_hw_resource_info(&hardware);
    CHECK(hardware != MPI_INFO_NULL);
    MPI_Info_free(&hardware);
}
#endif

#if MPI_VERSION >= 5
/* Also of a communicator that tourney has made, and of a request that is pending. */
static void convert_handles(void)
{
    MPI_Comm comm;
    MPI_Request request;
    int value = rank, other = -1;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    CHECK(MPI_Comm_fromint(MPI_Comm_toint(comm)) == comm);
    CHECK(MPI_Comm_fromint(MPI_Comm_toint(MPI_COMM_WORLD)) == MPI_COMM_WORLD);
    CHECK(MPI_Type_fromint(MPI_Type_toint(MPI_INT)) == MPI_INT && MPI_Op_fromint(MPI_Op_toint(MPI_SUM)) == MPI_SUM);
    MPI_Irecv(&other, 1, MPI_INT, 1 - rank, 0, comm, &request);
    CHECK(MPI_Request_fromint(MPI_Request_toint(request)) == request);
    MPI_Send(&value, 1, MPI_INT, 1 - rank, 0, comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(other == 1 - rank);
    MPI_Comm_free(&comm);
}

static void ask_the_interface(void)
{
    int major = 0, minor = 0;
    MPI_Info info;

    MPI_Abi_get_version(&major, &minor);
    CHECK(major == 1 || major == -1); /* -1: not that of the standard */
    MPI_Abi_get_info(&info);
    if (info != MPI_INFO_NULL)
        MPI_Info_free(&info);
}
#endif

int main(int argc, char **argv)
{
    begin(&argc, &argv);
#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
    reduce_pairs();
    set_fields();
    take_back_codes();
#endif
#if MPI_VERSION >= 5
    convert_handles();
    ask_the_interface();
#endif
    say("MPI %d", MPI_VERSION);
    return finish();
}

/*
 * Variables of the library, hints of communicators and of MPI_Comm_split_type, and what MPI_Type_get_contents hands out.
 *
 * run: -n 2
 * compare: each
 */
#include "check.h"

static void tools(void)
{
    int provided, variables, categories;

    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_cvar_get_num(&variables);
    MPI_T_category_get_num(&categories);
    say("the library has variables: %d, categories: %d", variables > 0, categories > 0);
    MPI_T_finalize();
}

static void hints(void)
{
    MPI_Info info, got;
    MPI_Comm comm;
    int shared;

    MPI_Info_create(&info);
    MPI_Info_set(info, "some_hint", "some value");
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, info, &comm);
    MPI_Comm_size(comm, &shared);
    say("%d share memory", shared);
    MPI_Comm_set_info(comm, info);
    MPI_Comm_get_info(comm, &got);
    CHECK(got != MPI_INFO_NULL);
    MPI_Info_free(&got);
    MPI_Info_free(&info);
    MPI_Comm_free(&comm);
}

/* A piece of hardware by its name; one that does not exist, with a long name, or none: nobody gets a communicator. */
static void hardware(void)
{
#if MPI_VERSION >= 4
    static const char *const names[] = {"mpi_shared_memory", "a_resource_that_no_machine_has_in_it_by_any_chance"};
    MPI_Comm comm;
    MPI_Info info;
    int members = 0;

    for (int i = 0; i < LENGTH(names); i++) {
        MPI_Info_create(&info);
        MPI_Info_set(info, "mpi_hw_resource_type", names[i]);
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, 0, info, &comm);
        MPI_Info_free(&info);
        if (comm != MPI_COMM_NULL) {
            MPI_Comm_size(comm, &members);
            MPI_Comm_free(&comm);
            say("%s: %d", names[i], members);
        }
    }
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, 0, MPI_INFO_NULL, &comm);
    CHECK(comm == MPI_COMM_NULL);
#endif
}

/* A datatype that is handed out is one more reference: both are freed. */
static void contents(void)
{
    MPI_Datatype pair, four, inner;
    MPI_Aint addresses[1];
    int integers[2], n_integers, n_addresses, n_types, combiner, size;

    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_contiguous(2, pair, &four);
    MPI_Type_get_envelope(four, &n_integers, &n_addresses, &n_types, &combiner);
    CHECK(combiner == MPI_COMBINER_CONTIGUOUS && n_types == 1);
    MPI_Type_get_contents(four, n_integers, n_addresses, n_types, integers, addresses, &inner);
    MPI_Type_free(&pair);
    MPI_Type_free(&four);
    MPI_Type_size(inner, &size);
    say("inner: %d bytes", size);
    MPI_Type_free(&inner);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    tools();
    hints();
    hardware();
    contents();
    return finish();
}

/*
 * Published names, and what is wrong with them.
 *
 * run: -n 2
 * compare: none
 */
#include "check.h"

int main(int argc, char **argv)
{
    char port[MPI_MAX_PORT_NAME] = "", found[MPI_MAX_PORT_NAME] = "";
    MPI_Comm other;
    begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    if (rank == 0) {
        MPI_Open_port(MPI_INFO_NULL, port);
        CHECK(MPI_Publish_name("a service", MPI_INFO_NULL, port) == MPI_SUCCESS);
        CHECK(class_of(MPI_Publish_name("a service", MPI_INFO_NULL, port)) == MPI_ERR_SERVICE);
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK(MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other) == MPI_SUCCESS);
    } else {
        CHECK(class_of(MPI_Lookup_name("another", MPI_INFO_NULL, found)) == MPI_ERR_NAME);
        CHECK(class_of(MPI_Unpublish_name("another", MPI_INFO_NULL, found)) == MPI_ERR_SERVICE);
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK(MPI_Lookup_name("a service", MPI_INFO_NULL, found) == MPI_SUCCESS);
        CHECK(MPI_Comm_connect(found, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other) == MPI_SUCCESS);
    }
    MPI_Comm_disconnect(&other);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        CHECK(MPI_Unpublish_name("a service", MPI_INFO_NULL, port) == MPI_SUCCESS);
        CHECK(MPI_Close_port(port) == MPI_SUCCESS);
        CHECK(class_of(MPI_Close_port(port)) == MPI_ERR_PORT);
        CHECK(class_of(MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other)) == MPI_ERR_PORT);
        CHECK(class_of(MPI_Comm_connect("no port", MPI_INFO_NULL, 0, MPI_COMM_SELF, &other)) == MPI_ERR_PORT);
        CHECK(class_of(MPI_Comm_spawn("/nonexistent", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other, MPI_ERRCODES_IGNORE)) == MPI_ERR_SPAWN);
    }
    return finish();
}

/*
 * Points, most of them on rank 0, that Zoltan parts by recursive bisection.
 */
#include <mpi.h>
#include <stdio.h>
#include <zoltan.h>

static int rank;

static int count_points(void *data, int *error)
{
    (void)data;
    *error = ZOLTAN_OK;
    return rank == 0 ? 12 : 2;
}

static void list_points(void *data, int globals, int locals, ZOLTAN_ID_PTR global, ZOLTAN_ID_PTR local, int weights, float *weight,
                        int *error)
{
    int n = count_points(data, error);

    (void)globals;
    (void)locals;
    (void)weights;
    (void)weight;
    for (int i = 0; i < n; i++) {
        global[i] = (ZOLTAN_ID_TYPE)(rank * 100 + i);
        local[i] = (ZOLTAN_ID_TYPE)i;
    }
}

static int count_dimensions(void *data, int *error)
{
    (void)data;
    *error = ZOLTAN_OK;
    return 2;
}

static void place_points(void *data, int globals, int locals, int n, ZOLTAN_ID_PTR global, ZOLTAN_ID_PTR local, int dimensions,
                         double *at, int *error)
{
    (void)data;
    (void)globals;
    (void)locals;
    (void)local;
    (void)dimensions;
    for (int i = 0; i < n; i++) {
        at[2 * i] = global[i] % 7;
        at[2 * i + 1] = global[i] % 5;
    }
    *error = ZOLTAN_OK;
}

int main(int argc, char **argv)
{
    struct Zoltan_Struct *zoltan;
    ZOLTAN_ID_PTR come_global, come_local, go_global, go_local;
    int changes, globals, locals, come, go, *come_from, *come_to, *go_to_rank, *go_to;
    float version;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    Zoltan_Initialize(argc, argv, &version);
    zoltan = Zoltan_Create(MPI_COMM_WORLD);
    Zoltan_Set_Param(zoltan, "LB_METHOD", "RCB");
    Zoltan_Set_Param(zoltan, "DEBUG_LEVEL", "0");
    Zoltan_Set_Num_Obj_Fn(zoltan, count_points, NULL);
    Zoltan_Set_Obj_List_Fn(zoltan, list_points, NULL);
    Zoltan_Set_Num_Geom_Fn(zoltan, count_dimensions, NULL);
    Zoltan_Set_Geom_Multi_Fn(zoltan, place_points, NULL);
    if (Zoltan_LB_Partition(zoltan, &changes, &globals, &locals, &come, &come_global, &come_local, &come_from, &come_to, &go, &go_global,
                            &go_local, &go_to_rank, &go_to) != ZOLTAN_OK)
        MPI_Abort(MPI_COMM_WORLD, 1);
    printf("%d: %d come, %d go\n", rank, come, go);
    Zoltan_LB_Free_Part(&come_global, &come_local, &come_from, &come_to);
    Zoltan_LB_Free_Part(&go_global, &go_local, &go_to_rank, &go_to);
    Zoltan_Destroy(&zoltan);
    MPI_Finalize();
    return 0;
}

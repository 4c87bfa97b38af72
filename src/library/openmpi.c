#include <stddef.h>

#include "library/library.h"

extern const struct mpi_library library_openmpi __attribute__((visibility("hidden")));

/* No helper daemon, no threads, nothing but this process. */
static const struct library_variable single[] = {
    {"OMPI_MCA_ess_singleton_isolated", "1"},
    {"OMPI_MCA_pml", "ob1"},
    {"OMPI_MCA_btl", "self"},
    {"OMPI_MCA_osc", "^ucx,monitoring"},
    {"OMPI_MCA_shmem", "mmap"},
    {"OMPI_MCA_sharedfp", "sm"}, /* the others leave files beside the user's */
    {"OMPI_MCA_mpi_leave_pinned", "0"},
    {"OMPI_MCA_memory", "^patcher"},
    {"OMPI_MCA_coll", "basic,self,libnbc"},
    {"OMPI_MCA_op", "^avx"},
    {"OMPI_MCA_mpi_event_tick_rate", "0"}, /* nobody calls; and the time at which it has looked would keep states of a rank apart */
    /* Nobody would ask these, and each is a file that every start and every copy of a rank pays for. */
    {"OMPI_MCA_reachable", "^netlink"},
    {"OMPI_MCA_mpool", "^hugepage"},
    /* Nor these, which are for daemons, tools and other launchers; Open MPI's own, in the place of a rank, is to come to where it is found out. */
    {"OMPI_MCA_state", "^novm,orted,tool"},
    {"OMPI_MCA_errmgr", "^default_orted,default_tool"},
    {"OMPI_MCA_schizo", "^flux,jsm,slurm"},
    {NULL, NULL},
};

/* A rank may leave without a word to the launcher, which then need not abort the job (dist/launcher.c). */
static const struct library_variable job[] = {
    {"OMPI_MCA_orte_allowed_exit_without_sync", "1"},
    {NULL, NULL},
};

const struct mpi_library library_openmpi = {
    .name = "openmpi",
    .title = "Open MPI",
    .file = (const char *const[]){"libmpi.so.40", NULL},
    .any_version = (const char *const[]){"libmpi.so", NULL},
    .symbol = "ompi_mpi_comm_world",
    .inner = "ompi_",
    .launcher = (const char *const[]){"mpiexec.openmpi", "mpiexec", NULL},
    .launcher_words = " --oversubscribe --mca mpi_yield_when_idle 1",
    .launcher_words_of_root = " --allow-run-as-root",
    .segment = (const char *const[]){"/dev/shm/vader_segment.", "/dev/shm/sm_segment.", NULL},
    .single = single,
    .job = job,
    .scratch = "OMPI_MCA_orte_tmpdir_base",
};

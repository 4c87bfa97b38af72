#include "shim/clock/rank.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shim/bodies/crash.h"
#include "shim/bodies/entry.h"
#include "shim/bodies/lacking.h"
#include "shim/bodies/library_error.h"
#include "shim/bodies/p2p.h"
#include "shim/bodies/probe.h"
#include "shim/bodies/requests.h"
#include "shim/bodies/send_buffer.h"
#include "shim/channel.h"
#include "shim/clock/choices.h"
#include "shim/clock/comm.h"
#include "shim/clock/flight.h"
#include "shim/clock/ledger.h"
#include "shim/clock/parcel.h"
#include "shim/core/error.h"
#include "shim/core/fatal_handler.h"
#include "shim/core/library_code.h"
#include "shim/core/module.h"
#include "shim/guard/region.h"
#include "shim/library/library.h"
#include "shim/objects/object.h"
#include "shim/process/library_threads.h"
#include "shim/process/rank_claim.h"
#include "shim/process/tasks.h"
#include "shim/rest.h"
#include "shim/turns.h"

static bool passive; /* this process was started by another one of the job */
static bool lent;    /* the program has a session, and MPI_Init was called for it alone */

/* On a real job all threads may. */
void shim_hear_thread(enum call call, const void *place)
{
    (void)call, (void)place;
}

bool shim_has_threads(void)
{
    return shim.thread_level == MPI_THREAD_MULTIPLE && tasks_count() > 1 + shim.own_threads;
}

/* So nobody takes turns. */
bool turns_are_taken(void)
{
    return false;
}

int turns_speaker(void)
{
    return -1;
}

bool turns_other_is_inside(void)
{
    return false;
}

void turns_with_buffer(uintptr_t start, uintptr_t end, bool filled)
{
    (void)start, (void)end, (void)filled;
}

void turns_probe_beside(void)
{
}

bool turns_yield(void)
{
    return false;
}

void turns_wait(const uint32_t *number, uint32_t n, bool sure)
{
    (void)number, (void)n, (void)sure;
}

/* What the library has done is not known to the shim, either. */
void shim_saw_message(context_t context, rank_t source, int32_t tag)
{
    (void)context, (void)source, (void)tag;
}

/* Nor do they wait together. */
void rest_until_news(const uint32_t *number, uint32_t n)
{
    (void)number, (void)n;
    entry_yield();
}

void rest_interrupt(void)
{
}

bool rank_passes(const void *place)
{
    return passive || entry_is_internal(place);
}

bool rank_is_strange(MPI_Comm comm)
{
    return comm != MPI_COMM_NULL && !comm_find(comm);
}

/* A rank that leaves without MPI_Finalize; of one that has only sessions nobody asks for that. */
static void on_leaving(int code, void *unused)
{
    (void)unused;
    if (lent && !shim.finalized)
        library_may_fail(body_Finalize());
    ledger_end(CAUSAL_LEFT, code);
}

static void tell_start(void)
{
    const char *file;
    struct op op = {
        .kind = OP_INIT, .level = shim.thread_level, .offset = module_offset((const char *)shim.place - 1, &file) + 1};
    channel_post(&op, file, strlen(file) + 1);
}

static void begin_job_rank(void)
{
    real_must(Comm_rank, MPI_COMM_WORLD, &shim.rank);
    real_must(Comm_size, MPI_COMM_WORLD, &shim.size);
    const char *wrong = ledger_open();
    if (!wrong)
        wrong = choices_open();
    if (wrong)
        shim_give_up(wrong);
    on_exit(on_leaving, NULL);
    fatal_handler_open(library_error);
    crash_watch();
    region_open();
    real_must(Comm_dup, MPI_COMM_SELF, &shim.self);
    real_must(Comm_set_errhandler, shim.self, MPI_ERRORS_RETURN);
    tell_start();
    comm_open();
    parcel_open();
}

static int come_up_in_job(int rc, int before, int level)
{
    MPI_Comm parent = MPI_COMM_NULL;
    if (rc != MPI_SUCCESS)
        return rc;
    shim.thread_level = level;
    shim.main_thread = pthread_self();
    shim.own_threads = tasks_count() - before;
    library_threads_are_up();
    shim.initialized = shim.up = shim.job = true;
    shim.watched = level < MPI_THREAD_MULTIPLE;
    real_must(Comm_get_parent, &parent);
    passive = parent != MPI_COMM_NULL;
    if (!passive)
        begin_job_rank();
    return MPI_SUCCESS;
}

/*
 * The library need not say who cannot be the rank: what a launcher has started in its place would come up, as another
 * job, and a second process wait for the first.
 */
static void claim_job_rank(void)
{
    struct rank_claim *claim = rank_claim_map();
    if (claim && !rank_claim_take(claim, getpid(), library_traits.name))
        _exit(3);
    if (claim)
        rank_claim_unmap(claim);
}

/* So many threads there are. */
static int begin_library(void)
{
    claim_job_rank();
    library_threads_begin();
    return tasks_count();
}

/* An mpi.h before MPI 4.0 does not know them. */
#ifdef MPI_SESSION_NULL
/*
 * Clocks begin with MPI_Init, for which all ranks of MPI_COMM_WORLD wait.  Where a program begins with a session, the shim calls it, on loan: the program is told that
 * MPI is not initialized, and may call it itself later.
 */
static void begin_by_session(const void *place)
{
    struct entry entry;
    entry_begin(&entry, CALL_Session_init, place);
    int provided = MPI_THREAD_SINGLE, before = begin_library();
    lent = true;
    if (come_up_in_job(real.Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided), before, provided) != MPI_SUCCESS)
        shim_give_up("the MPI library did not start for a session");
    entry_end(&entry);
}
#endif

void rank_unsupported(enum call call, const void *place)
{
#ifdef MPI_SESSION_NULL
    if (call == CALL_Session_init && !shim.initialized)
        begin_by_session(place);
#endif
    ledger_unsupported(call, place);
}

void tourney_shim_refuse(const char *name, const void *caller)
{
    enum call call = call_by_name(lacking_plain_name(name));
    if (rank_passes(caller))
        return;
    if (call_is_refused_everywhere(call))
        entry_refuse(call, caller);
    rank_unsupported(call, caller);
}

/* What the program asks for is there already; true: that was all. */
static bool give_back_loan(void)
{
    bool was_lent = lent;
    lent = false;
    return was_lent;
}

int body_Initialized(int *flag)
{
    *flag = shim.initialized && !lent;
    return MPI_SUCCESS;
}

int body_Init(int *argc, char ***argv)
{
    if (give_back_loan())
        return MPI_SUCCESS;
    if (shim.initialized)
        return error_raise_for(NULL, MPI_ERR_OTHER, COMPLAINT_DOUBLE_INIT, "MPI is initialized already");
    int before = begin_library(), rc = real.Init(argc, argv);
    return come_up_in_job(rc, before, MPI_THREAD_SINGLE);
}

int body_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    if (give_back_loan()) {
        *provided = shim.thread_level;
        return MPI_SUCCESS;
    }
    if (shim.initialized)
        return error_raise_for(NULL, MPI_ERR_OTHER, COMPLAINT_DOUBLE_INIT, "MPI is initialized already");
    int before = begin_library(), rc = real.Init_thread(argc, argv, required, provided);
    return come_up_in_job(rc, before, *provided);
}

/*
 * Nobody enters MPI_Finalize of the library before all can: a rank that is killed while others are in there, because
 * the job is stuck, makes Open MPI's launcher hang or crash.  And here it still does what others need of it.
 */
static void await_others(void)
{
    enum { AT_ONCE = 1000, NAP = 500 };
    MPI_Request all;
    int there = 0, error = real.Ibarrier(comm_of_clocks(), &all);
    for (int round = 0; error == MPI_SUCCESS && !there; round++) {
        error = real.Test(&all, &there, MPI_STATUS_IGNORE);
        flights_serve();
        if (round > AT_ONCE)
            usleep(NAP);
    }
}

int body_Finalize(void)
{
    int deleted = comm_delete_self_attributes();
    flights_serve();
    request_tell_leaks();
    probe_tell_leaks();
    object_tell_leaks();
    send_buffer_tell_attached();
    struct op op = {.kind = OP_FINALIZE, .flags = OPF_WENT_ON};
    channel_post(&op, NULL, 0);
    ledger_finalized();
    await_others();
    flights_close();
    clock_close();
    request_close();
    fatal_handler_close();
    library_threads_go();
    int rc = real.Finalize();
    comm_close();
    shim.finalized = shim.over = shim.watched = true;
    ledger_end(CAUSAL_ENDED_WELL, 0);
    return deleted != MPI_SUCCESS ? deleted : rc;
}

int body_Pcontrol(int level)
{
    if (ledger_is_open()) {
        struct op op = {.kind = OP_PCONTROL, .flags = OPF_WENT_ON, .level = level};
        channel_post(&op, NULL, 0);
    }
    return MPI_SUCCESS;
}

#include "shim/bodies/completion.h"

#include <stdlib.h>
#include <string.h>

#include "shim/bodies/entry.h"
#include "shim/bodies/requests.h"
#include "shim/channel.h"
#include "shim/core/error.h"
#include "shim/core/library_code.h"
#include "shim/guard/guard.h"
#include "shim/library/maker.h"
#include "shim/objects/status.h"
#include "shim/rest.h"
#include "shim/turns.h"

/*
 * A completion call sees requests of three sorts: ours, the real library's own
 * (files, generalized requests), and null or inactive ones, which are complete
 * with an empty status.  Of ours, those that tourney knows are named to it.
 */
struct request_list {
    int count;
    MPI_Request *handle;
    struct request **ours; /* by index; NULL: not ours, or not active */
    uint32_t *number;      /* of those that tourney knows */
    int numbers;
    int settled;           /* how many of these are complete whatever others do (D7), */
    int certain;           /* and how many of those no test denies (W20) */
    int foreign;           /* how many are the real library's */
    int active;            /* ours and foreign */
    bool all_complete;     /* every one of ours is */
    void *memory;
    uint32_t *more;        /* owned: the numbers, where there came to be more of them while the call waited; or NULL */
    char small[32 * (sizeof(struct request *) + 2 * sizeof(uint32_t))]; /* enough for 32, each with a half */
};

static bool is_foreign_request(const struct request_list *list, int i)
{
    return list->handle[i] != MPI_REQUEST_NULL && !list->ours[i] && !request_find(list->handle[i]);
}

static void list_drop(struct request_list *list)
{
    free(list->memory);
    free(list->more);
}

static int list_refuse(struct request_list *list, const char *why)
{
    list_drop(list);
    return error_argument(NULL, MPI_ERR_REQUEST, "%s", why);
}

static void note_inactive(struct request *r)
{
    if (r->persistent && !r->started && !r->waited) {
        r->waited = shim.place;
        r->waited_in = shim.call;
        request_tell_unstarted(r, true);
    }
}

/* To be named to tourney, if it knows it. */
static void list_name(struct request_list *list, const struct request *r)
{
    list->all_complete = list->all_complete && r->complete;
    if (r->known) {
        list->number[list->numbers++] = r->number;
        list->settled += r->settled;
        list->certain += r->settled && !r->deniable;
    }
}

static void list_name_nothing(struct request_list *list)
{
    list->numbers = list->settled = list->certain = 0;
    list->all_complete = true;
}

/*
 * Names what a call that chooses may return; true: some of it is complete whatever others do, and a test does not say no.
 * D7: what is done, such as the request of MPI_Ibsend or with MPI_PROC_NULL, is one of several like any other, so tourney has to
 * know it.  Of two halves one is named after the other, so that which of them is complete first is no choice.
 */
static bool list_name_choices(struct request_list *list)
{
    list_name_nothing(list);
    for (int i = 0; i < list->count; i++) {
        struct request *r = list->ours[i];
        if (!r)
            continue;
        if (list->active > 1 && request_is_done(r))
            request_settle(r);
        while (!r->known && r->half)
            r = r->half;
        list_name(list, r);
    }
    return list->certain > 0;
}

/* Errors come back raised: a handle of a request that is over would be waited for in vain. */
static int list_make(struct request_list *list, int count, MPI_Request *handle)
{
    if (count < 0)
        return error_argument(NULL, MPI_ERR_COUNT, "the count is %d", count);
    size_t size = (size_t)count * (sizeof(struct request *) + 2 * sizeof(uint32_t)) +
                  request_parts * sizeof(uint32_t);
    list->count = count;
    list->handle = handle;
    list->memory = size > sizeof list->small ? shim_alloc(size) : NULL;
    list->ours = list->memory ? list->memory : (void *)list->small;
    list->number = (uint32_t *)(list->ours + count);
    list->more = NULL;
    list->foreign = list->active = 0;
    list_name_nothing(list);
    for (int i = 0; i < count; i++) {
        struct request *r = request_find(handle[i]);
        list->ours[i] = r && r->active ? r : NULL;
        if (r && r->active) {
            if (r->index < i && list->ours[r->index] == r)
                return list_refuse(list, "the request is twice in the list");
            if (r->awaited) {
                list_drop(list);
                return error_raise_for(r->comm, MPI_ERR_REQUEST, COMPLAINT_THREAD_REQUEST,
                                       "the request is waited for by another thread");
            }
            list->active++;
            r->index = i;
            if (r->asked)
                r->asked(r, false);
            for (const struct request *part = r; part; part = part->half)
                list_name(list, part);
        } else if (!r && handle[i] != MPI_REQUEST_NULL) {
            if (request_is_stale(handle[i]))
                return list_refuse(list, "the request was completed or freed before");
            list->active++;
            list->foreign++;
        } else if (r) {
            note_inactive(r);
        }
    }
    return MPI_SUCCESS;
}

void (*completions_were_taken)(void);

void completions_take(const struct answer *answer)
{
    const struct completion *c = answer_completions(answer);
    for (uint32_t i = 0; i < answer->completions; i++, c = completion_next(c))
        request_deliver(request_by_number(c->request), c);
    if (completions_were_taken)
        completions_were_taken();
}

static struct op completion(enum op_kind kind, uint32_t flags, const struct request_list *list)
{
    return (struct op){.kind = kind, .flags = flags, .items = list->numbers};
}

/* Names the requests to tourney; a list too long for the ring goes to the arena. */
static void post_completion_op(struct op op, const uint32_t *number)
{
    size_t size = op.items * sizeof *number;
    if (size > WIRE_INLINE) {
        op.payload = arena_room(size);
        memcpy(arena_at(op.payload), number, size);
        size = 0;
    }
    channel_post(&op, number, size);
}

static bool poll(const struct request_list *list, uint32_t flags);

/* While a thread waits and lets others in, these must leave its requests alone. */
static void list_await(const struct request_list *list, bool awaited)
{
    for (int i = 0; i < list->numbers; i++)
        request_by_number(list->number[i])->awaited = awaited;
}

static bool some_are_sure(const struct request_list *list)
{
    for (int i = 0; i < list->numbers; i++)
        if (request_by_number(list->number[i])->sure)
            return true;
    return false;
}

/*
 * Others have the turn until each of these is complete; that they are is not told yet.  What is complete unless there is less slack comes
 * last: with less slack, too, the thread waits for the others first.
 */
static void take_turns_until_complete(const struct request_list *list)
{
    list_await(list, true);
    for (int i = 0; i < 2 * list->numbers && turns_are_taken(); i++) {
        const uint32_t *number = &list->number[i % list->numbers];
        bool sure = request_by_number(*number)->sure;
        if (!request_by_number(*number)->complete && sure == (i >= list->numbers))
            turns_wait(number, 1, sure);
    }
    list_await(list, false);
}

/* Waits for all of a list that tourney knows.  Buffered sends are complete already: it is only told. */
static void wait_for_known(const struct request_list *list)
{
    if (list->numbers == 0)
        return;
    if (!list->all_complete && turns_are_taken()) {
        take_turns_until_complete(list);
    } else if (!list->all_complete && shim_has_threads()) {
        list_await(list, true);
        while (!poll(list, 0))
            rest_until_news(list->number, (uint32_t)list->numbers);
        list_await(list, false);
        return;
    }
    if (!list->all_complete) {
        post_completion_op(completion(OP_WAIT, OPF_BLOCKING, list), list->number);
        completions_take(channel_sleep());
        return;
    }
    post_completion_op(completion(OP_WAIT, OPF_BLOCKING | OPF_WENT_ON, list), list->number);
    for (int i = 0; i < list->numbers; i++)
        request_by_number(list->number[i])->known = false;
}

/*
 * A request may have got more parts by what has come: how many a partitioned receive has is known when its sender has started.
 * Names what is still open; false: nothing is.
 */
static bool list_name_more(struct request_list *list)
{
    size_t parts = 0;
    for (int i = 0; i < list->count; i++)
        for (const struct request *part = list->ours[i]; part; part = part->half)
            parts++;
    free(list->more);
    list->number = list->more = shim_alloc(parts * sizeof *list->more);
    list_name_nothing(list);
    for (int i = 0; i < list->count; i++)
        for (const struct request *part = list->ours[i]; part; part = part->half)
            list_name(list, part);
    return list->numbers > 0;
}

static void wait_for_all(struct request_list *list)
{
    size_t before = request_parts;
    for (int i = 0; i < list->count; i++)
        if (list->ours[i] && list->ours[i]->asked)
            list->ours[i]->asked(list->ours[i], true);
    wait_for_known(list);
    while (request_parts != before && list_name_more(list))
        wait_for_known(list);
}

static bool poll_for_all(struct request_list *list)
{
    size_t before = request_parts;
    bool yes = poll(list, 0);
    while (yes && request_parts != before && list_name_more(list))
        yes = poll(list, 0);
    return yes;
}

/* Those that tourney knows; there is room for the numbers of all. */
static struct request_list list_of_known(struct request *const *requests, int n, uint32_t *number)
{
    struct request_list list = {.number = number, .all_complete = true};
    for (int i = 0; i < n; i++)
        if (requests[i]->known) {
            number[list.numbers++] = requests[i]->number;
            list.all_complete = list.all_complete && requests[i]->complete;
        }
    return list;
}

void complete_all(struct request *const *requests, int n)
{
    uint32_t number[n];
    struct request_list list = list_of_known(requests, n, number);
    wait_for_known(&list);
}

uint32_t completion_blocking_flag(struct request *r)
{
    r->alone = !shim_has_threads();
    return r->alone ? OPF_BLOCKING : 0;
}

int complete_blocking(struct request *r, MPI_Status *status)
{
    status_forget(status);
    if (!r->complete && r->alone)
        completions_take(channel_sleep());
    else if (!r->complete)
        complete_all(&r, 1);
    if (r->in_collective)
        r->comm->in_collective = false;
    status_copy(status, &r->status);
    int rc = error_raise(r->comm, r->error);
    request_delete(r);
    return rc;
}

/* Asks tourney whether some of the list are complete; it delivers those it grants. */
static bool poll(const struct request_list *list, uint32_t flags)
{
    struct op op = completion(OP_TEST, flags, list);
    uint64_t key = channel_poll_key(&op, list->number, list->numbers * sizeof *list->number);
    if (list->numbers == 0 || channel_poll_is_no(key))
        return false;
    post_completion_op(op, list->number);
    const struct answer *answer = channel_sleep_polling(key);
    bool yes = answer->flag;
    completions_take(answer);
    return yes;
}

bool complete_if_all_are(struct request *const *requests, int n)
{
    uint32_t number[n];
    struct request_list list = list_of_known(requests, n, number);
    return list.numbers == 0 || poll(&list, 0);
}

/* Returns one request of the list to the user; its error. */
static int hand_over_request(struct request_list *list, int i, MPI_Status *status)
{
    struct request *r = list->ours[i];
    if (!r) {
        if (status != MPI_STATUS_IGNORE)
            status_empty(status);
        return MPI_SUCCESS;
    }
    int error = r->error;
    status_copy(status, &r->status);
    if (!r->persistent)
        list->handle[i] = MPI_REQUEST_NULL;
    request_release(r);
    return error;
}

/* For one request: its error is raised where it belongs. */
static int hand_over_one(struct request_list *list, int i, MPI_Status *status)
{
    struct comm *comm = list->ours[i] ? list->ours[i]->comm : NULL;
    if (comm)
        comm_hold(comm);
    int rc = error_raise(comm, hand_over_request(list, i, status));
    if (comm)
        comm_drop(comm);
    return rc;
}

static bool foreign_test(struct request_list *list, int i, MPI_Status *status, int *error)
{
    int flag = 0;
    *error = real.Test(&list->handle[i], &flag, status);
    return flag;
}

static int foreign_wait(struct request_list *list, int i, MPI_Status *status)
{
    int error;
    while (!foreign_test(list, i, status, &error))
        entry_yield();
    return error;
}

static MPI_Status *status_at(MPI_Status *statuses, int i)
{
    return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i];
}

static struct comm *comm_of_list(const struct request_list *list)
{
    for (int i = 0; i < list->count; i++)
        if (list->ours[i])
            return list->ours[i]->comm;
    return NULL;
}

/* All are complete: gives every one back, errors by status. */
static int hand_over_all(struct request_list *list, MPI_Status *statuses)
{
    struct comm *comm = comm_of_list(list);
    int first = MPI_SUCCESS;
    if (comm)
        comm_hold(comm);
    for (int i = 0; i < list->count; i++) {
        MPI_Status *status = status_at(statuses, i);
        int error = is_foreign_request(list, i) ? foreign_wait(list, i, status) : hand_over_request(list, i, status);
        first = first != MPI_SUCCESS ? first : error;
        if (status != MPI_STATUS_IGNORE)
            status->MPI_ERROR = error;
    }
    int rc = error_raise_in_status(comm, first);
    if (comm)
        comm_drop(comm);
    return rc;
}

int body_Wait(MPI_Request *request, MPI_Status *status)
{
    struct request_list list;
    int wrong = list_make(&list, 1, request);
    if (wrong != MPI_SUCCESS)
        return wrong;
    if (list.foreign)
        return foreign_wait(&list, 0, status);
    status_forget(status);
    wait_for_all(&list);
    int rc = hand_over_one(&list, 0, status);
    list_drop(&list);
    return rc;
}

int body_Waitall(int count, MPI_Request requests[], MPI_Status statuses[])
{
    struct request_list list;
    int wrong = list_make(&list, count, requests);
    if (wrong != MPI_SUCCESS)
        return wrong;
    for (int i = 0; i < count; i++)
        status_forget(status_at(statuses, i));
    wait_for_all(&list);
    int rc = hand_over_all(&list, statuses);
    list_drop(&list);
    return rc;
}

/*
 * D7: a request of the real library's own, such as a generalized one, is named before anything else once it is complete, and
 * tourney is not asked.  That there were others is told, so that the verdict says so.
 */
static void prefer_foreign(const struct request_list *list)
{
    if (list->foreign && list->active > 1)
        channel_tell_preferred();
}

/* The first that can be returned without asking tourney, or -1. */
static int first_done(struct request_list *list, MPI_Status *status, int *error)
{
    for (int i = 0; i < list->count; i++) {
        if (list->ours[i] && request_is_done(list->ours[i])) {
            *error = hand_over_one(list, i, status);
            return i;
        }
        if (is_foreign_request(list, i) && foreign_test(list, i, status, error))
            return i;
    }
    return -1;
}

/*
 * Sleeps until some of the list may be returned; with foreign ones or threads about, looks again and again, unless something
 * is complete in any case.
 */
static void wait_for_some(struct request_list *list, uint32_t flags)
{
    list_name_choices(list);
    bool ready = list->settled > 0;
    if (!ready && !list->foreign && turns_are_taken()) {
        list_await(list, true);
        turns_wait(list->number, (uint32_t)list->numbers, some_are_sure(list));
        list_await(list, false);
    } else if (!ready && (list->foreign || shim_has_threads())) {
        list_await(list, true);
        bool found = poll(list, flags);
        if (!found && list->foreign)
            entry_yield();
        else if (!found)
            rest_until_news(list->number, (uint32_t)list->numbers);
        list_await(list, false);
        return;
    }
    post_completion_op(completion(OP_WAIT, OPF_BLOCKING | flags, list), list->number);
    completions_take(channel_sleep());
}

int body_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status)
{
    struct request_list list;
    int error = MPI_SUCCESS, found;
    int wrong = list_make(&list, count, requests);
    if (wrong != MPI_SUCCESS)
        return wrong;
    if (list.active == 0) {
        *index = MPI_UNDEFINED;
        if (status != MPI_STATUS_IGNORE)
            status_empty(status);
        list_drop(&list);
        return MPI_SUCCESS;
    }
    prefer_foreign(&list);
    list_name_choices(&list);
    *index = MPI_UNDEFINED;
    status_forget(status);
    while ((found = first_done(&list, status, &error)) < 0)
        wait_for_some(&list, OPF_ANY);
    *index = found;
    list_drop(&list);
    return error;
}

/* Where something is complete in any case, a test is a wait that never lasts: it cannot say no. */
static int test_any(struct request_list *list, MPI_Status *status, int *error)
{
    prefer_foreign(list);
    bool sure = list_name_choices(list);
    int found = first_done(list, status, error);
    if (found < 0 && !sure && poll(list, OPF_ANY))
        found = first_done(list, status, error);
    while (found < 0 && sure) {
        wait_for_some(list, OPF_ANY);
        found = first_done(list, status, error);
    }
    return found;
}

int body_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status)
{
    struct request_list list;
    int error = MPI_SUCCESS;
    int wrong = list_make(&list, count, requests);
    if (wrong != MPI_SUCCESS)
        return wrong;
    *index = MPI_UNDEFINED;
    *flag = list.active == 0;
    if (*flag) {
        if (status != MPI_STATUS_IGNORE)
            status_empty(status);
    } else {
        int found = test_any(&list, status, &error);
        *flag = found >= 0;
        if (*flag)
            *index = found;
    }
    list_drop(&list);
    return error;
}

/* Returns every request that is complete; how many.  The first error of all. */
static int hand_over_done(struct request_list *list, int indices[], MPI_Status *statuses, int *first)
{
    int n = 0;
    for (int i = 0; i < list->count; i++) {
        MPI_Status *status = status_at(statuses, n);
        int error;
        if (list->ours[i] && request_is_done(list->ours[i]))
            error = hand_over_request(list, i, status);
        else if (!is_foreign_request(list, i) || !foreign_test(list, i, status, &error))
            continue;
        *first = *first != MPI_SUCCESS ? *first : error;
        if (status != MPI_STATUS_IGNORE)
            status->MPI_ERROR = error;
        indices[n++] = i;
    }
    return n;
}

static bool some_are_done(const struct request_list *list)
{
    for (int i = 0; i < list->count; i++)
        if (list->ours[i] && request_is_done(list->ours[i]))
            return true;
    return false;
}

static int some(bool may_wait, int incount, MPI_Request requests[], int *outcount, int indices[],
                MPI_Status statuses[])
{
    struct request_list list;
    int first = MPI_SUCCESS;
    int wrong = list_make(&list, incount, requests);
    if (wrong != MPI_SUCCESS)
        return wrong;
    *outcount = MPI_UNDEFINED;
    if (list.active) {
        struct comm *comm = comm_of_list(&list);
        if (comm)
            comm_hold(comm);
        prefer_foreign(&list);
        bool sure = list_name_choices(&list) || may_wait; /* it does not say no */
        if (!sure && !some_are_done(&list))
            poll(&list, OPF_SOME);
        if (sure && !some_are_done(&list) && !list.foreign)
            wait_for_some(&list, OPF_SOME);
        while ((*outcount = hand_over_done(&list, indices, statuses, &first)) == 0 && sure)
            wait_for_some(&list, OPF_SOME);
        int rc = error_raise_in_status(comm, first);
        if (comm)
            comm_drop(comm);
        list_drop(&list);
        return rc;
    }
    list_drop(&list);
    return MPI_SUCCESS;
}

int body_Waitsome(int incount, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[])
{
    return some(true, incount, requests, outcount, indices, statuses);
}

int body_Testsome(int incount, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[])
{
    return some(false, incount, requests, outcount, indices, statuses);
}

/* True if everything is complete, by asking tourney if need be. */
static bool test_all(struct request_list *list)
{
    for (int i = 0; i < list->count; i++) {
        int flag = 1;
        MPI_Status ignored;
        if (is_foreign_request(list, i))
            library_may_fail(real.Request_get_status(list->handle[i], &flag, &ignored)); /* completing it tells */
        if (!flag)
            return false;
    }
    if (list->numbers > list->certain)
        return poll_for_all(list);
    wait_for_known(list);
    return true;
}

int body_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    struct request_list list;
    int wrong = list_make(&list, 1, request);
    if (wrong != MPI_SUCCESS)
        return wrong;
    if (list.foreign)
        return real.Test(request, flag, status);
    *flag = 0; /* which it will be or not: what an earlier call has left there is of no account */
    *flag = test_all(&list);
    int rc = *flag ? hand_over_one(&list, 0, status) : MPI_SUCCESS;
    list_drop(&list);
    return rc;
}

int body_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[])
{
    struct request_list list;
    int rc = MPI_SUCCESS;
    int wrong = list_make(&list, count, requests);
    if (wrong != MPI_SUCCESS)
        return wrong;
    *flag = 0;
    *flag = test_all(&list);
    if (*flag)
        rc = hand_over_all(&list, statuses);
    list_drop(&list);
    return rc;
}

/*
 * The message is delivered as if the request had been tested: when it is said
 * to be complete its buffer may be read.  Only the request stays.
 */
int body_Request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
    struct request_list list;
    int wrong = list_make(&list, 1, &request);
    if (wrong != MPI_SUCCESS)
        return wrong;
    struct request *ours = list.ours[0];
    *flag = 0;
    *flag = !list.foreign && test_all(&list);
    list_drop(&list);
    if (list.foreign)
        return real.Request_get_status(request, flag, status);
    if (*flag && ours) {
        guard_check(ours);
        guard_over(ours);
        status_copy(status, &ours->status);
    }
    if (*flag && !ours && status != MPI_STATUS_IGNORE)
        status_empty(status);
    if (*flag && ours && !library_maker->tells_when_completed)
        return error_raise(ours->comm, ours->error);
    return MPI_SUCCESS;
}

/*
 * The forms for several requests.  What is said to be complete stays in the list, and is complete when it is asked for again.
 */

static void look_at_done(struct request *r, MPI_Status *status)
{
    guard_check(r);
    guard_over(r);
    status_copy(status, &r->status);
}

/* Whether the library says so of one of its own; its status. */
static bool foreign_is_done(const struct request_list *list, int i, MPI_Status *status)
{
    int flag = 0;
    library_may_fail(real.Request_get_status(list->handle[i], &flag, status)); /* completing it tells */
    return flag;
}

static bool is_done_in_list(const struct request_list *list, int i, MPI_Status *status)
{
    if (!list->ours[i])
        return is_foreign_request(list, i) && foreign_is_done(list, i, status);
    if (!request_is_done(list->ours[i]))
        return false;
    look_at_done(list->ours[i], status);
    return true;
}

/* The requests whose status is given, their errors in it, as the call for all or some of them has it. */
static int error_of_request(const struct request_list *list, int i, MPI_Status *status)
{
    int error = list->ours[i] ? list->ours[i]->error : MPI_SUCCESS;
    if (status != MPI_STATUS_IGNORE && list->ours[i])
        status->MPI_ERROR = error;
    return error;
}

static int earlier_error(int first, int error)
{
    return first != MPI_SUCCESS ? first : error;
}

static int tell_errors(const struct request_list *list, int first)
{
    return library_maker->tells_when_completed ? MPI_SUCCESS : error_raise_in_status(comm_of_list(list), first);
}

int body_Request_get_status_all(int count, const MPI_Request requests[], int *flag, MPI_Status statuses[])
{
    struct request_list list;
    int first = MPI_SUCCESS;
    int wrong = list_make(&list, count, (MPI_Request *)requests);
    if (wrong != MPI_SUCCESS)
        return wrong;
    *flag = 0;
    *flag = test_all(&list);
    for (int i = 0; *flag && i < count; i++) {
        MPI_Status *status = status_at(statuses, i);
        if (!is_done_in_list(&list, i, status) && status != MPI_STATUS_IGNORE)
            status_empty(status);
        first = earlier_error(first, error_of_request(&list, i, status));
    }
    int rc = tell_errors(&list, first);
    list_drop(&list);
    return rc;
}

static int first_to_look_at(const struct request_list *list, MPI_Status *status)
{
    for (int i = 0; i < list->count; i++)
        if (is_done_in_list(list, i, status))
            return i;
    return -1;
}

/* As MPI_Testany has it; nothing is handed over. */
static int look_for_any(struct request_list *list, MPI_Status *status)
{
    prefer_foreign(list);
    int found = first_to_look_at(list, status);
    if (found >= 0)
        return found;
    bool sure = list_name_choices(list);
    if (!sure && poll(list, OPF_ANY))
        found = first_to_look_at(list, status);
    while (found < 0 && sure) {
        wait_for_some(list, OPF_ANY);
        found = first_to_look_at(list, status);
    }
    return found;
}

int body_Request_get_status_any(int count, const MPI_Request requests[], int *index, int *flag, MPI_Status *status)
{
    struct request_list list;
    int rc = MPI_SUCCESS;
    int wrong = list_make(&list, count, (MPI_Request *)requests);
    if (wrong != MPI_SUCCESS)
        return wrong;
    *index = MPI_UNDEFINED;
    *flag = list.active == 0;
    if (*flag && status != MPI_STATUS_IGNORE)
        status_empty(status);
    int found = *flag ? -1 : look_for_any(&list, status);
    if (found >= 0) {
        *flag = 1;
        *index = found;
        const struct request *r = list.ours[found];
        rc = r && !library_maker->tells_when_completed ? error_raise(r->comm, r->error) : MPI_SUCCESS;
    }
    list_drop(&list);
    return rc;
}

static int look_at_some(const struct request_list *list, int indices[], MPI_Status statuses[], int *first)
{
    int n = 0;
    for (int i = 0; i < list->count; i++)
        if (is_done_in_list(list, i, status_at(statuses, n))) {
            *first = earlier_error(*first, error_of_request(list, i, status_at(statuses, n)));
            indices[n++] = i;
        }
    return n;
}

int body_Request_get_status_some(int incount, const MPI_Request requests[], int *outcount, int indices[],
                                 MPI_Status statuses[])
{
    struct request_list list;
    int first = MPI_SUCCESS;
    int wrong = list_make(&list, incount, (MPI_Request *)requests);
    if (wrong != MPI_SUCCESS)
        return wrong;
    *outcount = MPI_UNDEFINED;
    if (list.active) {
        prefer_foreign(&list);
        if (!some_are_done(&list)) {
            if (!list_name_choices(&list))
                poll(&list, OPF_SOME);
            else
                wait_for_some(&list, OPF_SOME);
        }
        *outcount = look_at_some(&list, indices, statuses, &first);
    }
    int rc = tell_errors(&list, first);
    list_drop(&list);
    return rc;
}

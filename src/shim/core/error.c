#include "shim/core/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shim/channel.h"
#include "shim/core/complaint.h"
#include "shim/core/fatal_handler.h"
#include "shim/core/library_code.h"
#include "shim/library/maker.h"

struct error {
    int class;   /* that the call returns */
    int handled; /* that a handler of the program is told */
    enum complaint complaint;
    char text[MPI_MAX_ERROR_STRING];
};

static _Noreturn void die_of(const struct error *error)
{
    struct op op = {.kind = OP_ERROR, .code = error->class, .cause = error->complaint};
    channel_post(&op, error->text, strlen(error->text) + 1);
    channel_wait_for_the_end();
}

/* A program that has asked for errors may test for them: to pass nonsense is then no more than suspicious. */
static void complain_of(const struct error *error)
{
    if (error->complaint == COMPLAINT_INVALID_ARGUMENT)
        complain(COMPLAINT_ARGUMENT_RETURNED, "%s: %s", call_name(shim.call), error->text);
    else if (error->complaint == COMPLAINT_OPERATOR_TYPE)
        complain(COMPLAINT_OPERATOR_TYPE_RETURNED, "%s: %s", call_name(shim.call), error->text);
    else if (error->complaint == COMPLAINT_TRUNCATION)
        complain(COMPLAINT_TRUNCATION_RETURNED, "%s: a message is longer than the receive has room for",
                 call_name(shim.call));
    else if (error->complaint == COMPLAINT_RMA_EPOCH)
        complain(COMPLAINT_RMA_EPOCH_RETURNED, "%s: %s", call_name(shim.call), error->text);
    else if (error->complaint == COMPLAINT_PARTITION_STATE)
        complain(COMPLAINT_PARTITION_STATE_RETURNED, "%s: %s", call_name(shim.call), error->text);
    else if (error->complaint == COMPLAINT_RMA_BOUNDS)
        complain(COMPLAINT_RMA_BOUNDS_RETURNED, "%s: %s", call_name(shim.call), error->text);
    else if (error->complaint == COMPLAINT_RMA_TYPE)
        complain(COMPLAINT_RMA_TYPE_RETURNED, "%s: %s", call_name(shim.call), error->text);
    else if (error->complaint == COMPLAINT_REQUEST_STATE || error->complaint == COMPLAINT_DOUBLE_INIT ||
             error->complaint == COMPLAINT_RMA_ASSERT)
        complain(error->complaint, "%s: %s", call_name(shim.call), error->text);
}

/* Ends the rank if the error is fatal; takes the handler, and says whether it is a function of the program. */
static bool handler_wants_call(const struct error *error, MPI_Errhandler handler)
{
    if (fatal_handler_is(handler))
        die_of(error);
    complain_of(error);
    bool wants_call = handler != MPI_ERRORS_RETURN;
    real_must(Errhandler_free, &handler);
    return wants_call;
}

static int raise_error(const struct comm *comm, const struct error *error)
{
    MPI_Comm handle = comm ? comm->handle : fatal_handler_comm();
    MPI_Errhandler handler;
    real_must(Comm_get_errhandler, handle, &handler);
    if (handler_wants_call(error, handler))
        real_must(Comm_call_errhandler, handle, error->handled);
    return error->class;
}

/* Some libraries return the error itself. */
static int raise_error_on_window(MPI_Win window, const struct error *error)
{
    MPI_Errhandler handler;
    real_must(Win_get_errhandler, window, &handler);
    if (handler_wants_call(error, handler))
        library_may_fail(real.Win_call_errhandler(window, error->handled));
    return error->class;
}

#ifdef MPI_SESSION_NULL
static int raise_error_on_session(MPI_Session session, const struct error *error)
{
    MPI_Errhandler handler;
    real_must(Session_get_errhandler, session, &handler);
    if (handler_wants_call(error, handler))
        library_may_fail(real.Session_call_errhandler(session, error->handled));
    return error->class;
}

int error_raise_on_session(MPI_Session session, int error_class, const char *text)
{
    struct error error = {.class = error_class, .handled = error_class, .complaint = COMPLAINT_INVALID_ARGUMENT};
    snprintf(error.text, sizeof error.text, "%s", text);
    return raise_error_on_session(session, &error);
}
#endif

static enum complaint complaint_of(int error_class)
{
    switch (error_class) {
    case MPI_ERR_BUFFER:
    case MPI_ERR_COUNT:
    case MPI_ERR_TYPE:
    case MPI_ERR_TAG:
    case MPI_ERR_COMM:
    case MPI_ERR_RANK:
    case MPI_ERR_REQUEST:
    case MPI_ERR_ROOT:
    case MPI_ERR_GROUP:
    case MPI_ERR_OP:
    case MPI_ERR_TOPOLOGY:
    case MPI_ERR_DIMS:
    case MPI_ERR_ARG:
    case MPI_ERR_INFO:
    case MPI_ERR_KEYVAL:
        return COMPLAINT_INVALID_ARGUMENT;
    case MPI_ERR_TRUNCATE:
        return COMPLAINT_TRUNCATION;
    default:
        return COMPLAINT_NONE;
    }
}

static struct error error_of(int code)
{
    struct error error = {.class = code, .handled = code};
    int length = 0;
    library_may_fail(real.Error_class(code, &error.class)); /* a callback may have made it up */
    library_may_fail(real.Error_string(error.class, error.text, &length));
    error.complaint = complaint_of(error.class);
    return error;
}

int error_raise(const struct comm *comm, int error_class)
{
    if (error_class == MPI_SUCCESS)
        return MPI_SUCCESS;
    struct error error = error_of(error_class);
    error.class = error.handled = error_class;
    return raise_error(comm, &error);
}

int error_raise_in_status(const struct comm *comm, int first)
{
    if (first == MPI_SUCCESS)
        return MPI_SUCCESS;
    struct error error = error_of(first);
    error.class = MPI_ERR_IN_STATUS;
    error.handled = library_maker->tells_first_of_several ? first : MPI_ERR_IN_STATUS;
    return raise_error(comm, &error);
}

void error_of_library(int code)
{
    struct error error = error_of(code);
    die_of(&error);
}

int error_raise_for(const struct comm *comm, int error_class, enum complaint complaint, const char *format, ...)
{
    struct error error = {.class = error_class, .handled = error_class, .complaint = complaint};
    va_list args;
    va_start(args, format);
    vsnprintf(error.text, sizeof error.text, format, args);
    va_end(args);
    return raise_error(comm, &error);
}

int error_raise_on_window(MPI_Win window, int error_class, enum complaint complaint, const char *format, ...)
{
    struct error error = {.class = error_class, .handled = error_class, .complaint = complaint};
    va_list args;
    va_start(args, format);
    vsnprintf(error.text, sizeof error.text, format, args);
    va_end(args);
    return raise_error_on_window(window, &error);
}

void error_fatal(enum complaint complaint, const char *text)
{
    const char *why = shim.up ? NULL : channel_open(getenv(WIRE_ENV));
    if (why)
        shim_give_up(why);
    if (shim.over)
        channel_return();
    struct error error = {.class = MPI_ERR_OTHER, .complaint = complaint};
    snprintf(error.text, sizeof error.text, "%s", text);
    die_of(&error);
}

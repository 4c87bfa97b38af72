#include "trace/dump.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "base/die.h"

static int complain(const char *path, const char *what)
{
    fprintf(stderr, "tourney: %s: %s\n", path, what);
    return EXIT_TOURNEY;
}

/* A reader that has seen enough, such as head(1), is no error. */
static int close_output(FILE *out)
{
    if (fflush(out) == 0 && !ferror(out))
        return 0;
    if (errno == EPIPE)
        return 0;
    fprintf(stderr, "tourney: cannot write: %s\n", strerror(errno));
    return EXIT_TOURNEY;
}

static int dump(const char *path, struct trace_reader *reader, struct trace_reader *ahead, bool json, FILE *out)
{
    enum trace_record_kind last = json ? dump_json(reader, out) : dump_text(reader, ahead, out);
    int code = close_output(out);
    if (last == TRACE_TORN)
        code = complain(path, trace_reader_torn(reader));
    return code;
}

int trace_dump(const char *path, bool json, FILE *out)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    const char *error;
    struct trace_reader *reader = trace_open(path, &error), *ahead = NULL;
    if (!reader)
        return complain(path, error);
    if (!json && !(ahead = trace_open(path, &error))) {
        trace_reader_close(reader);
        return complain(path, error);
    }
    sigaction(SIGPIPE, &ignore, &before);
    int code = dump(path, reader, ahead, json, out);
    sigaction(SIGPIPE, &before, NULL);
    trace_reader_close(reader);
    if (ahead)
        trace_reader_close(ahead);
    return code;
}

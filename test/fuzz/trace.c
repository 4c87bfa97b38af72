/*
 * The execution record: printed in both forms.
 */
#include "record.h"

#include "trace/dump.h"

static void print_json(const char *path)
{
    const char *error = NULL;
    struct trace_reader *reader = trace_open(path, &error);
    if (!reader && !error)
        abort();
    if (!reader)
        return;
    dump_json(reader, fuzz_nowhere());
    trace_reader_close(reader);
}

static void print_text(const char *path)
{
    const char *error;
    struct trace_reader *reader = trace_open(path, &error), *ahead = trace_open(path, &error);
    if (!reader != !ahead)
        abort();
    if (!reader)
        return;
    dump_text(reader, ahead, fuzz_nowhere());
    trace_reader_close(reader);
    trace_reader_close(ahead);
}

void fuzz_one(const uint8_t *bytes, size_t size)
{
    const char *path = record_file(bytes, size);
    print_json(path);
    print_text(path);
}

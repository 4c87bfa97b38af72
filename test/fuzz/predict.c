/*
 * Prediction from a record that comes from anywhere.  It refuses by die what it has no
 * answer to.
 */
#include <stdlib.h>

#include "predict/load.h"
#include "predict/predict.h"
#include "record.h"

static void ask(const struct execution *execution, enum encoding encoding)
{
    struct program program;
    struct prediction_options options = {
        .encoding = encoding, .buffering = {.any = encoding == ENCODING_OURS}, .conflicts = 100, .minimal = true};
    program_init(&program, execution, encoding != ENCODING_PLAIN);
    struct prediction prediction = predict(&program, &options);
    prediction_release(&prediction);
    program_release(&program);
}

void fuzz_one(const uint8_t *bytes, size_t size)
{
    struct execution execution;
    char *error = NULL;
    if (execution_load(&execution, record_file(bytes, size), &error) < 0) {
        if (!error)
            abort();
        free(error);
        return;
    }
    for (enum encoding e = ENCODING_OURS; e <= ENCODING_MULTI; e++)
        ask(&execution, e);
    execution_release(&execution);
}

/*
 * fuzz -- decoders fed with whatever comes.
 *
 * A target is one file that defines fuzz_one.  It is built twice: with libFuzzer,
 * which looks for new inputs (`make fuzz`), and with replay.c, which needs no clang and
 * goes through the inputs that are kept (`make check`).  In both, die() ends the one
 * input, for that is how tourney refuses it; BUG(), running out of memory, a sanitizer
 * or a signal end the program.
 */
#ifndef TEST_FUZZ_H
#define TEST_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The decoder, given these bytes. */
void fuzz_one(const uint8_t *bytes, size_t size);

/* The name of a file with these bytes, until the next is asked for. */
const char *fuzz_file(const void *bytes, size_t size);

/* Whether BUG() is a refusal, too; not, unless a target says so. */
extern bool fuzz_bugs_refuse;

/* Where to put what nobody wants to see. */
FILE *fuzz_nowhere(void);

/* The bytes as a text, owned by the caller. */
char *fuzz_text(const uint8_t *bytes, size_t size);

/* What libFuzzer and replay.c call. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#endif

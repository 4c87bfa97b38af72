/*
 * window_words -- what happened to a window, in words.
 */
#ifndef WORDS_WINDOW_WORDS_H
#define WORDS_WINDOW_WORDS_H

#include <stdio.h>

#include "call/window.h"

/* "gets the lock of the window at rank 2": what it means for an operation of a rank that a keeper (call/window.h) took it next. */
void window_words_put(FILE *, int ranks, rank_t keeper, const struct op *message);

#endif

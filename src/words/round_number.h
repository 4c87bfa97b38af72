/*
 * round_number -- numbers of runs as people write them: "12,800", "3.6 million", "more than 10^9".
 */
#ifndef WORDS_ROUND_NUMBER_H
#define WORDS_ROUND_NUMBER_H

#include <stdio.h>

/* An estimate: three digits are known of it, at most. */
void round_number_put(FILE *, double);

#endif

/*
 * about -- numbers of runs as people write them: "12,800", "3.6 million", "more than 10^9".
 */
#ifndef COMMAND_ABOUT_H
#define COMMAND_ABOUT_H

#include <stdio.h>

/* An estimate: three digits are known of it, at most. */
void put_about(FILE *, double);

#endif

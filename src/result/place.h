/*
 * place -- a place in the source, as far as it is known.
 */
#ifndef RESULT_PLACE_H
#define RESULT_PLACE_H

struct named_place {
    char *place;           /* "ring.c:41 in main", or as much as is known */
    char *function, *file; /* or NULL */
    int line;              /* 0: unknown */
};

void named_place_release(struct named_place *);

#endif

/*
 * message_text -- a message to the memory of a window while it is being written: accesses, and what becomes of their
 * results.
 */
#ifndef SHIM_WINDOW_MESSAGE_TEXT_H
#define SHIM_WINDOW_MESSAGE_TEXT_H

#include "call/window.h"
#include "shim/objects/type.h"

struct request;

/* Where the result of an access goes. */
struct access_result {
    void *buf;
    MPI_Count count;
    MPI_Datatype datatype; /* held */
    uint64_t bytes;        /* packed; 0: there is none */
};

/* The call that made an access, and its result. */
struct access_note {
    enum call call;
    const void *place;
    struct access_result result;
};

struct message_text {
    char *at; /* owned: accesses as in call/window.h */
    size_t bytes, room;
    struct access_note *note; /* owned; one for each access */
    uint32_t accesses, notes_room;
    uint32_t results; /* so many of them have one */
    bool writes;      /* some change what is there */
    struct request *request; /* that the program has for its result; NULL: none */
    bool late;          /* it has stayed for one that was to be called later (either_order.h), */
    uint32_t given_up;  /* its order with others, as the window's was when it was called, */
    uint64_t called;    /* and is the so many-th that was called there, */
    uint32_t overtakes; /* sent before so many that were called before it */
};

/* Appends room for an access with its pieces, and returns where its data go, op_round(access->bytes) bytes. */
void *message_text_add(struct message_text *, const struct window_access *, const struct window_piece *,
                       struct access_note);
void message_text_release(struct message_text *);

#endif

/*
 * op_kinds -- the kinds of operations: one table, one line each.
 *
 * What is the same for all operations of a kind is said here and nowhere else.  What somebody does with
 * an operation is either asked of the table (op.h) or a switch without `default`, which the compiler holds
 * complete; there OP_CASES(OP_REMARKS) stands for all kinds of a part.  doc/howto-add-operation.md goes
 * through the places that a new kind concerns.
 *
 *   kind     its name, OP_SEND
 *   number   in records and journals; never used for another kind again
 *   answer   whether the rank sleeps in its call (enum op_answer)
 *   tail     what is kept of it in records, apart from payload (enum op_tail_kind)
 *   record   its name in records that are printed
 *   act      its name in the runs that reports show; NULL: it is not shown there.  Of complaints, those are that tell where
 *            the program touches the buffer of a pending operation
 *   title    what a printed record says in place of the call, where that tells nothing about it; NULL: the call
 */
#ifndef CALL_OP_KINDS_H
#define CALL_OP_KINDS_H

#include <stddef.h>
#include <stdint.h>

/* The rank's life. */
#define OP_LIFE(X)                                                                                             \
    X(LIFE, INIT, 1, NONE, NONE, "init", "init", NULL)             /* it has come up; the tail names a file */     \
    X(LIFE, FINALIZE, 2, NONE, NONE, "finalize", "finalize", NULL) /* it communicates no more */

/* What changes the meaning of later operations. */
#define OP_SETTINGS(X)                                                                                         \
    X(SETTING, CONTEXT, 3, NONE, GROUP, "context", NULL, "(communicator)") /* one exists: struct op_group */    \
    X(SETTING, CONTEXT_LEFT, 21, NONE, NONE, "context_left", NULL, "(comm. freed)") /* by this rank */          \
    X(SETTING, ATTACHED, 24, NONE, NONE, "attached", NULL, NULL) /* a buffer for buffered sends; no room: none is left */

/* What is only told. */
#define OP_PLAIN_REMARKS(X)                                                                                          \
    X(REMARK, CONTEXT_NAME, 4, NONE, TEXT, "context_name", NULL, "(comm. name)")                                \
    X(REMARK, TYPE, 5, NONE, TEXT, "type", NULL, "(datatype)")  /* `type` is its number; name and signature.h */ \
    X(REMARK, PCONTROL, 16, NONE, NONE, "pcontrol", "pcontrol", NULL)                                           \
    X(REMARK, COMPLAINT, 22, NONE, TEXT, "complaint", "access", "(complaint)") /* something is wrong: complaint.h */ \
    X(REMARK, UNSTARTED, 25, NONE, NONE, "unstarted", NULL, NULL) /* a wait for a request that was never started */

/* What a rank does with windows, where it does it (window.h): the messages that come of it may be sent later. */
#define OP_WINDOW_REMARKS(X)                                                                                   \
    X(REMARK, TENURE, 27, NONE, NONE, "tenure", NULL, NULL) /* who has a window without its keeper's leave */    \
    X(REMARK, ACCESS, 28, NONE, NONE, "access", "one-sided", NULL) /* struct window_use, and its pieces */       \
    X(REMARK, WINDOW, 29, NONE, NONE, "window", NULL, NULL)        /* enum window_event */

/* And what it does with files (file_use.h). */
#define OP_FILE_REMARKS(X)                                                                                     \
    X(REMARK, FILE_ACCESS, 32, NONE, NONE, "file_access", NULL, NULL) /* struct file_use, and its pieces */      \
    X(REMARK, FILE, 33, NONE, TEXT, "file", NULL, NULL)               /* enum file_event */

#define OP_REMARKS(X) OP_PLAIN_REMARKS(X) OP_WINDOW_REMARKS(X) OP_FILE_REMARKS(X)

/* What meets others. */
#define OP_POSTS(X)                                                                                            \
    X(POST, SEND, 6, IF_BLOCKING, NONE, "send", "send", NULL)        /* the message is `payload` or the tail */ \
    X(POST, RECV, 7, IF_BLOCKING, NONE, "recv", "receive", NULL)     /* `bytes` is its room */                  \
    X(POST, COLL, 8, IF_BLOCKING, COLL, "coll", "collective", NULL)  /* a part in it: struct op_coll */

/* What asks for requests: uint32_t numbers in the tail. */
#define OP_COMPLETIONS(X)                                                                                      \
    X(COMPLETION, WAIT, 9, ALWAYS, NUMBERS, "wait", "wait", NULL)                                               \
    X(COMPLETION, TEST, 10, MAY_BE_NO, NUMBERS, "test", "test", NULL)

/* What asks for an envelope; OPF_TAKE: and takes the message. */
#define OP_PROBES(X)                                                                                           \
    X(PROBE, PROBE, 11, ALWAYS, NONE, "probe", "probe", NULL)                                                   \
    X(PROBE, IPROBE, 12, MAY_BE_NO, NONE, "iprobe", "iprobe", NULL)

/* What asks which of `items` alternatives it is to be: the answer is one completion, whose source is its number, from 0. */
#define OP_CHOICES(X)                                                                                          \
    X(CHOICE, CHOOSE, 30, ALWAYS, TEXT, "choose", "choose", "(choice)") /* the tail says what is chosen, in a word */

/* What is done with a request. */
#define OP_ON_REQUESTS(X)                                                                                      \
    X(ON_REQUEST, CANCEL, 13, NONE, NONE, "cancel", "cancel", NULL) /* withdrawn, if it is still unmatched */   \
    X(ON_REQUEST, FREE, 14, NONE, NONE, "free", "free", NULL)       /* nobody will wait for it */               \
    X(ON_REQUEST, TAKEN, 23, NONE, NONE, "taken", NULL, NULL)       /* starts to receive what a matched probe took */ \
    X(ON_REQUEST, DONE, 26, NONE, NONE, "done", NULL, NULL)         /* it needs nobody, and takes part in choices (D7) */

/* What the shim wants for itself. */
#define OP_SERVICES(X)                                                                                         \
    X(SERVICE, ROOM, 15, ALWAYS, NONE, "room", NULL, "(room)") /* in the arena, for a payload */                  \
    X(SERVICE, PLACES, 31, ALWAYS, NONE, "places", NULL, "(places)") /* numbers of ranks, for those that it starts */

/* What the rank ends with. */
#define OP_ENDS(X)                                                                                             \
    X(END, ABORT, 17, NONE, NONE, "abort", "abort", NULL)                                                       \
    X(END, ERROR, 18, NONE, TEXT, "error", "error", NULL)       /* a fatal MPI error */                         \
    X(END, REFUSED, 19, NONE, NONE, "refused", "refused", NULL) /* a call that tourney does not take over */    \
    X(END, CRASH, 20, NONE, STACK, "crash", "crash", "(crash)") /* a signal, or it hangs */

#define OP_TABLE(X)                                                                                            \
    OP_LIFE(X) OP_SETTINGS(X) OP_REMARKS(X) OP_POSTS(X) OP_COMPLETIONS(X) OP_PROBES(X) OP_CHOICES(X) OP_ON_REQUESTS(X)        \
    OP_SERVICES(X) OP_ENDS(X)

#define OP_KIND(part, kind, number, ...) OP_##kind = number,
enum op_kind { OP_TABLE(OP_KIND) };
#undef OP_KIND

#define OP_ONE(...) +1
enum {
    OP_NONE = 0,                    /* no operation: room in a ring that nobody uses */
    OP_KINDS = 1 OP_TABLE(OP_ONE),  /* all numbers are below */
};
#undef OP_ONE

/* All kinds of a part, as labels in a switch. */
#define OP_CASE(part, kind, ...) case OP_##kind:
#define OP_CASES(PART) PART(OP_CASE)

enum op_part {
    OP_PART_NONE,
    OP_PART_LIFE,
    OP_PART_SETTING,
    OP_PART_REMARK,
    OP_PART_POST,
    OP_PART_COMPLETION,
    OP_PART_PROBE,
    OP_PART_CHOICE,
    OP_PART_ON_REQUEST,
    OP_PART_SERVICE,
    OP_PART_END,
};

enum op_answer {
    OP_ANSWER_NONE,        /* nobody waits for one */
    OP_ANSWER_IF_BLOCKING, /* with OPF_BLOCKING */
    OP_ANSWER_ALWAYS,
    OP_ANSWER_MAY_BE_NO,   /* always, and at once: a poll */
};

enum op_tail_kind {
    OP_TAIL_NONE,
    OP_TAIL_NUMBERS, /* of requests, `items` */
    OP_TAIL_GROUP,   /* struct op_group */
    OP_TAIL_COLL,    /* struct op_coll */
    OP_TAIL_TEXT,
    OP_TAIL_STACK,   /* addresses, uint64_t each, `items` */
};

/* A column of the table, for any number: what is no kind has the value 0. */
#define OP_COLUMN(type, kind, VALUE)                                 \
    static const type column[OP_KINDS] = {OP_TABLE(VALUE)};          \
    return (kind) < OP_KINDS ? column[kind] : 0

static inline enum op_part op_kind_part(unsigned kind)
{
#define OP_VALUE(part, kind, ...) [OP_##kind] = OP_PART_##part,
    OP_COLUMN(uint8_t, kind, OP_VALUE);
#undef OP_VALUE
}

static inline enum op_answer op_kind_answer(unsigned kind)
{
#define OP_VALUE(part, kind, number, answer, ...) [OP_##kind] = OP_ANSWER_##answer,
    OP_COLUMN(uint8_t, kind, OP_VALUE);
#undef OP_VALUE
}

static inline enum op_tail_kind op_kind_tail(unsigned kind)
{
#define OP_VALUE(part, kind, number, answer, tail, ...) [OP_##kind] = OP_TAIL_##tail,
    OP_COLUMN(uint8_t, kind, OP_VALUE);
#undef OP_VALUE
}

/* The last three columns. */
extern const char *const op_record_name[OP_KINDS], *const op_act_name[OP_KINDS], *const op_title[OP_KINDS];

#endif

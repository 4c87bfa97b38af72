/*
 * bug_context -- what tourney was at when BUG() is called, so that it can be brought to the same point again.
 *
 * Whoever is at something long says who can describe it.  After its own sentence BUG() has all of them speak, the
 * innermost first.  By then something is broken already, and it may be what they describe: they only read, follow no
 * chain without a bound, and say what they have to say by bug_say, which neither allocates nor waits for a lock, and
 * stops after 64 KB in all.  A BUG() in a description ends the descriptions.
 */
#ifndef BASE_BUG_CONTEXT_H
#define BASE_BUG_CONTEXT_H

struct bug_context {
    void (*describe)(const void *data);
    const void *data;          /* borrows */
    struct bug_context *outer; /* set by bug_context_enter */
};

/* It is borrowed until it is left; those that were entered after it are left with it. */
void bug_context_enter(struct bug_context *);
void bug_context_leave(struct bug_context *);

/* For descriptions: a piece of text, of at most 1000 characters, to standard error. */
void bug_say(const char *format, ...) __attribute__((format(printf, 1, 2), cold));

/* A word as a shell takes it. */
void bug_say_word(const char *word);

/* For bug_at. */
void bug_context_tell(void);

#endif

/*
 * policy -- what the user thinks of findings: how bad a kind is, and which ones are
 * known and not to be told.
 *
 * A file of suppressions has one rule per line:
 *
 *     KIND [call=PATTERN] [place=PATTERN] [function=PATTERN]    # and comments
 *
 * A `*` stands for any characters.  A rule is for findings of its kind of which one
 * place satisfies everything it says; `place` is FILE:LINE, with or without folders.
 */
#ifndef RESULT_POLICY_H
#define RESULT_POLICY_H

#include "result/result.h"

enum severity { SEVERITY_OFF, SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_ERROR };

struct suppression {
    char *kind;                    /* owns, as all of these */
    char *call, *place, *function; /* NULL: whatever it is */
};

struct opinion {
    char *kind; /* owns; a pattern */
    enum severity severity;
};

struct policy {
    VEC(struct opinion) opinions; /* the last that fits counts */
    VEC(struct suppression) suppressions;
};

/* "kind=error"; -1, and why in one sentence, owned by the caller, if it makes no sense. */
int policy_add_opinion(struct policy *, const char *text, char **why) __attribute__((warn_unused_result));

/* Reads the text of a file with this name. */
int policy_add_suppressions(struct policy *, const char *name, const char *text, char **why)
    __attribute__((warn_unused_result));
void policy_release(struct policy *);

/* What is thought of a kind, by default or by the user. */
enum severity policy_severity(const struct policy *, const char *kind, const char *by_default);
const char *severity_name(enum severity);
int severity_of(const char *name); /* -1: none is called so */

/* Sets the severity; false: it is not to be told. */
bool policy_apply(const struct policy *, struct finding *);

/* A note is shown if it was asked for. */
bool policy_shows(const struct policy *, const struct finding *);

/* A rule for just this finding, owned by the caller. */
char *policy_rule_for(const struct finding *);

#endif

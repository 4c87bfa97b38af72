/*
 * option_line -- what options.table says, as the parser reads it.
 *
 * generate.py writes the contents; nobody but arguments.c need look at them.
 */
#ifndef OPTIONS_OPTION_LINE_H
#define OPTIONS_OPTION_LINE_H

#include "options/option_table.h"

enum value_kind { VALUE_FLAG, VALUE_NUMBER, VALUE_SECONDS, VALUE_FILE, VALUE_DIR, VALUE_TEXT, VALUE_WORD, VALUE_ONE };

/* An option may have several lines, for different commands. */
struct option_line {
    const char *name; /* as sentences name it, "--jobs" or "-n"; NULL: the end */
    const char *full; /* without dashes; NULL: it has just a letter */
    char letter;      /* 0: none */
    enum option_id id;
    enum value_kind kind;
    bool many;               /* it may be given again, and adds to a list */
    int64_t least, most;     /* of a number */
    const char *const *word; /* it is one of these, NULL at the end; "eager=BYTES" may go on behind "=" */
    size_t at;               /* in struct arguments */
    unsigned family;         /* options that are refused by one sentence have the same; 0: none */
    enum command_id home;    /* the command that the sentence says they are for */
    unsigned commands;       /* bits */
};
extern const struct option_line option_lines[];

struct command_line {
    const char *name;
    bool has_program;      /* what follows the first word is not for tourney */
    int least, most;       /* number of words; -1: any */
    const char *lacking;   /* what is said if there are fewer words */
    const char *surplus;   /* what is said if there are more words */
    bool takes_only;       /* `surplus` is also said of any other option */
    const char *otherwise; /* what is said of an option of another command; NULL: its family is named */
    const char *help;
};
extern const struct command_line command_lines[COMMANDS];

/* Why a command does not take an option, or a value of it. */
struct refusal {
    enum command_id command;
    enum option_id option;
    const char *sentence; /* NULL: the end */
};
extern const struct refusal refusals[];

extern const struct arguments arguments_none;

/* A sentence if options do not go together, or NULL. */
const char *arguments_clash(const struct arguments *);

#endif

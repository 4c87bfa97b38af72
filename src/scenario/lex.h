/*
 * lex -- the words of a scenario, and the first thing that is wrong with it.
 *
 * A view of one cell, or of one line.  After the first mistake it yields nothing but
 * the end, so that whoever reads need not look at every step.
 */
#ifndef SCENARIO_LEX_H
#define SCENARIO_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where, counted from 1, and one sentence. */
struct scenario_mistake {
    uint32_t line, column;
    char *sentence; /* owns; NULL: nothing is wrong */
};

enum token_kind { TOKEN_END, TOKEN_WORD, TOKEN_NUMBER, TOKEN_SIGN };

enum { TOKEN_TEXT = 32 };

struct lexer {
    struct scenario_mistake *mistake;
    const char *begin, *at, *end; /* of the line; of the cell */
    uint32_t line;
    /* The word in hand: */
    enum token_kind kind;
    char text[TOKEN_TEXT]; /* of a word or sign */
    int32_t number;
    const char *from, *behind; /* where it stands */
};

/* Takes the first word in hand. */
void lex_begin(struct lexer *, struct scenario_mistake *, const char *line, uint32_t number, const char *at,
               const char *end);
void lex_next(struct lexer *);

bool lex_is(const struct lexer *, const char *text);
bool lex_takes(struct lexer *, const char *text); /* if it is in hand, goes on */

/* What is wrong at the word in hand, or at a place in the line; only the first is kept. */
void lex_wrong(struct lexer *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void lex_wrong_at(struct lexer *, const char *place, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The word in hand for a message, in quotes: or "the end". */
const char *lex_shown(const struct lexer *, char *buffer, size_t size);

#endif

#include "scenario/lex.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { LARGEST = 1000000 };

static void keep_mistake(struct lexer *lexer, const char *place, const char *format, va_list arguments)
{
    char sentence[256];
    vsnprintf(sentence, sizeof sentence, format, arguments);
    if (!lexer->mistake->sentence)
        *lexer->mistake = (struct scenario_mistake){.line = lexer->line,
                                                    .column = (uint32_t)(place - lexer->begin) + 1,
                                                    .sentence = xstrdup(sentence)};
    lexer->at = lexer->end;
    lexer->kind = TOKEN_END;
    lexer->text[0] = '\0';
}

void lex_wrong(struct lexer *lexer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    keep_mistake(lexer, lexer->from, format, arguments);
    va_end(arguments);
}

void lex_wrong_at(struct lexer *lexer, const char *place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    keep_mistake(lexer, place, format, arguments);
    va_end(arguments);
}

const char *lex_shown(const struct lexer *lexer, char *buffer, size_t size)
{
    if (lexer->kind == TOKEN_END)
        return "the end";
    if (lexer->kind == TOKEN_NUMBER)
        snprintf(buffer, size, "'%d'", lexer->number);
    else
        snprintf(buffer, size, "'%s'", lexer->text);
    return buffer;
}

static bool is_word_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static void take_word_token(struct lexer *lexer)
{
    const char *from = lexer->at;
    while (lexer->at < lexer->end && is_word_letter(*lexer->at))
        lexer->at++;
    size_t length = (size_t)(lexer->at - from);
    if (length >= TOKEN_TEXT) {
        lex_wrong(lexer, "a word has at most %d letters", TOKEN_TEXT - 1);
        return;
    }
    memcpy(lexer->text, from, length);
    lexer->text[length] = '\0';
    lexer->kind = TOKEN_WORD;
}

static void take_number_token(struct lexer *lexer)
{
    int32_t number = 0;
    while (lexer->at < lexer->end && isdigit((unsigned char)*lexer->at) && number < LARGEST)
        number = number * 10 + (*lexer->at++ - '0');
    if (number >= LARGEST)
        lex_wrong(lexer, "numbers are smaller than %d", LARGEST);
    else if (lexer->at < lexer->end && is_word_letter(*lexer->at))
        lex_wrong(lexer, "a name begins with a letter");
    else
        lexer->kind = TOKEN_NUMBER;
    lexer->number = number;
}

static void take_sign(struct lexer *lexer)
{
    static const char *const signs[] = {"==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "(", ")", "=", ":", ";", ".", ","};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t length = strlen(signs[i]);
        if ((size_t)(lexer->end - lexer->at) < length || memcmp(lexer->at, signs[i], length) != 0)
            continue;
        strcpy(lexer->text, signs[i]);
        lexer->at += length;
        lexer->kind = TOKEN_SIGN;
        return;
    }
    if (isprint((unsigned char)*lexer->at))
        lex_wrong(lexer, "'%c' means nothing here", *lexer->at);
    else
        lex_wrong(lexer, "the byte 0x%02x means nothing here", (unsigned char)*lexer->at);
}

void lex_next(struct lexer *lexer)
{
    lexer->behind = lexer->at;
    while (lexer->at < lexer->end && (*lexer->at == ' ' || *lexer->at == '\t' || *lexer->at == '\r'))
        lexer->at++;
    lexer->from = lexer->at;
    lexer->text[0] = '\0';
    lexer->kind = TOKEN_END;
    if (lexer->mistake->sentence || lexer->at == lexer->end || *lexer->at == '#') {
        lexer->at = lexer->end;
        return;
    }
    if (isdigit((unsigned char)*lexer->at))
        take_number_token(lexer);
    else if (is_word_letter(*lexer->at))
        take_word_token(lexer);
    else
        take_sign(lexer);
}

void lex_begin(struct lexer *lexer, struct scenario_mistake *mistake, const char *line, uint32_t number, const char *at,
               const char *end)
{
    *lexer = (struct lexer){.mistake = mistake, .begin = line, .line = number, .at = at, .end = end};
    lex_next(lexer);
}

bool lex_is(const struct lexer *lexer, const char *text)
{
    return (lexer->kind == TOKEN_WORD || lexer->kind == TOKEN_SIGN) && strcmp(lexer->text, text) == 0;
}

bool lex_takes(struct lexer *lexer, const char *text)
{
    bool there = lex_is(lexer, text);
    if (there)
        lex_next(lexer);
    return there;
}

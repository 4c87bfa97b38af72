#include "base/words.h"

#include <ctype.h>
#include <stdbool.h>

#include "base/mem.h"

typedef VEC(char *) words_t;
typedef VEC(char) word_t;

/* Puts the next word of the line into `word`; false: there is none.  *at is NULL if a quote is not closed. */
static bool next_word(const char **at, word_t *word)
{
    const char *c = *at;
    char quote = 0;
    vec_clear(word);
    while (isspace((unsigned char)*c))
        c++;
    if (!*c)
        return false;
    for (; *c && (quote || !isspace((unsigned char)*c)); c++) {
        if (*c == quote)
            quote = 0;
        else if (!quote && (*c == '\'' || *c == '"'))
            quote = *c;
        else if (*c == '\\' && quote != '\'' && c[1])
            vec_push(word, *++c);
        else
            vec_push(word, *c);
    }
    vec_push(word, 0);
    *at = quote ? NULL : c;
    return true;
}

char **words_split(const char *line, char *const *first)
{
    words_t words = {0};
    word_t word = {0};
    for (; first && *first; first++)
        vec_push(&words, xstrdup(*first));
    while (line && next_word(&line, &word))
        vec_push(&words, xstrdup(word.at));
    vec_push(&words, NULL);
    vec_release(&word);
    if (line)
        return words.at;
    words_free(words.at);
    return NULL;
}

void words_free(char **words)
{
    for (char **word = words; *word; word++)
        free(*word);
    free(words);
}

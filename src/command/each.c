#include "command/each.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "command/judging.h"

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

static char **split(const char *line, char *const *argv)
{
    words_t words = {0};
    word_t word = {0};
    for (; *argv; argv++)
        vec_push(&words, xstrdup(*argv));
    while (line && next_word(&line, &word))
        vec_push(&words, xstrdup(word.at));
    vec_push(&words, NULL);
    vec_release(&word);
    return line ? words.at : NULL;
}

each_lines_t each_read(const char *file, char *const *argv)
{
    each_lines_t lines = {0};
    char *text = judging_read(file), *rest = text, *line;
    for (int number = 1; (line = strsep(&rest, "\n")); number++) {
        line[strcspn(line, "\r")] = 0;
        if (line[strspn(line, " \t")] == 0 || line[0] == '#')
            continue;
        char **words = split(line, argv);
        if (!words)
            die("%s:%d: a quote is not closed", file, number);
        vec_push(&lines, (struct each_line){xstrdup(line), words});
    }
    free(text);
    if (!lines.n)
        die("%s: there is no line with arguments", file);
    return lines;
}

void each_release(each_lines_t *lines)
{
    for (size_t i = 0; i < lines->n; i++) {
        for (char **word = lines->at[i].argv; *word; word++)
            free(*word);
        free(lines->at[i].argv);
        free(lines->at[i].text);
    }
    vec_release(lines);
}

#include "options/input_lines.h"

#include <string.h>

#include "base/words.h"

static const char file_mark[] = "@@", words_mark[] = "@@args";

typedef VEC(char *) words_t;

static char *with_path(const char *word, const char *path)
{
    char *result = xstrdup(""), *rest = xstrdup(word), *from = rest, *at;
    while ((at = strstr(from, file_mark))) {
        char *longer = xformat("%s%.*s%s", result, (int)(at - from), from, path);
        free(result);
        result = longer;
        from = at + sizeof file_mark - 1;
    }
    char *whole = xformat("%s%s", result, from);
    free(result);
    free(rest);
    return whole;
}

/* Words are text, in which no byte is 0; lines are as good as blanks. */
static char **words_of_input(const uint8_t *input, size_t bytes)
{
    char *text = xcalloc(bytes + 1, 1);
    for (size_t i = 0; i < bytes; i++)
        text[i] = input[i] == '\n' || input[i] == '\r' ? ' ' : (char)input[i];
    char **words = memchr(text, 0, bytes) ? NULL : words_split(text, NULL);
    free(text);
    return words;
}

static bool add_words(words_t *all, const uint8_t *input, size_t bytes)
{
    char **words = words_of_input(input, bytes);
    for (char **word = words; word && *word; word++)
        vec_push(all, xstrdup(*word));
    if (words)
        words_free(words);
    return words;
}

bool input_line_make(struct argument_line *line, char *const *argv, const char *path, const uint8_t *input, size_t bytes)
{
    words_t words = {0};
    bool named = false, sound = true;
    vec_push(&words, xstrdup(argv[0]));
    for (char *const *word = argv + 1; *word; word++) {
        named = named || strstr(*word, file_mark);
        if (strcmp(*word, words_mark) == 0)
            sound = add_words(&words, input, bytes) && sound;
        else
            vec_push(&words, with_path(*word, path));
    }
    vec_push(&words, NULL);
    *line = (struct argument_line){
        .text = xstrdup(""), .argv = words.at, .input = xstrdup(path), .is_standard_input = !named};
    return sound;
}

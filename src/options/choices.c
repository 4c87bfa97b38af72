#include "options/choices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "options/usage.h"

enum { MOST_LINES = 10000, LONGEST_NAME = 63 };

struct choice {
    char name[LONGEST_NAME + 1];
    int low, high;
};

static struct choice choice_read(const char *text)
{
    struct choice choice = {0};
    int end = 0;
    if (sscanf(text, "%63[^=]=%d..%d%n", choice.name, &choice.low, &choice.high, &end) != 3 || text[end] ||
        choice.low > choice.high || strpbrk(choice.name, "#|;"))
        misuse(xformat("--choose is NAME=A..B, such as size=1..3, and not '%s'", text));
    return choice;
}

char *choices_join(const argument_list *said)
{
    char *all = NULL;
    for (size_t i = 0; i < said->n; i++) {
        struct choice choice = choice_read(said->at[i]);
        char *longer = xformat("%s%s%s=%d..%d", all ? all : "", all ? ";" : "", choice.name, choice.low, choice.high);
        free(all);
        all = longer;
    }
    return all;
}

/* The word with numbers in place of names; to be freed. */
static char *replaced(const char *word, const struct choice *choice, int number)
{
    char *name = xformat("{%s}", choice->name), *result = xstrdup(word), *at;
    while ((at = strstr(result, name))) {
        char *next = xformat("%.*s%d%s", (int)(at - result), result, number, at + strlen(name));
        free(result);
        result = next;
    }
    free(name);
    return result;
}

static bool is_in_arguments(const struct choice *choice, char *const *argv)
{
    char *name = xformat("{%s}", choice->name);
    bool found = false;
    for (; *argv && !found; argv++)
        found = strstr(*argv, name);
    free(name);
    return found;
}

static char **replaced_all(char *const *argv, const struct choice *choice, int number)
{
    size_t n = 0;
    while (argv[n])
        n++;
    char **words = xcalloc(n + 1, sizeof *words);
    for (size_t i = 0; i < n; i++)
        words[i] = replaced(argv[i], choice, number);
    return words;
}

/* Each line becomes as many as there are numbers. */
static argument_lines_t with_choice(argument_lines_t *lines, const struct choice *choice)
{
    argument_lines_t more = {0};
    for (size_t i = 0; i < lines->n; i++)
        for (int number = choice->low; number <= choice->high; number++) {
            const struct argument_line *line = &lines->at[i];
            if (more.n == MOST_LINES)
                misuse("--choose has more than 10000 combinations of arguments");
            vec_push(&more, ((struct argument_line){
                                .text = xformat("%s%s%s=%d", line->text, *line->text ? " " : "", choice->name, number),
                                .argv = replaced_all(line->argv, choice, number)}));
        }
    argument_lines_release(lines);
    return more;
}

argument_lines_t choices_lines(const argument_list *said, char *const *argv)
{
    argument_lines_t lines = {0};
    for (size_t i = 0; i < said->n; i++) {
        struct choice choice = choice_read(said->at[i]);
        if (!is_in_arguments(&choice, argv + 1))
            continue;
        if (!lines.n)
            vec_push(&lines, ((struct argument_line){.text = xstrdup(""),
                                                     .argv = replaced_all(argv, &(struct choice){.name = "{"}, 0)}));
        lines = with_choice(&lines, &choice);
    }
    return lines;
}

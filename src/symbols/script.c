#include "symbols/script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* A line that others may be below of. */
struct opener {
    size_t indentation;
    char *function; /* that begins here; or NULL; owns */
};

typedef VEC(struct opener) openers_t;

static size_t indentation_of(const char *line)
{
    return strspn(line, " \t");
}

static bool is_blank(const char *text)
{
    return strchr("#\r\n", *text) != NULL; /* or at its end */
}

static char *function_begun_by(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    if (strncmp(text, "async ", 6) == 0)
        text += 6 + strspn(text + 6, " ");
    if (strncmp(text, "def ", 4) != 0)
        return NULL;
    text += 4 + strspn(text + 4, " ");
    return strndup(text, strspn(text, letters));
}

static void close_down_to(openers_t *openers, size_t indentation)
{
    while (openers->n && vec_last(openers).indentation >= indentation)
        free(vec_pop(openers).function);
}

static void read_script_line(openers_t *openers, const char *line)
{
    size_t indentation = indentation_of(line);
    if (is_blank(line + indentation))
        return;
    close_down_to(openers, indentation);
    vec_push(openers, ((struct opener){indentation, function_begun_by(line + indentation)}));
}

/* The innermost that the last line is below of. */
static char *innermost(const openers_t *openers)
{
    for (size_t i = openers->n; i-- > 0;)
        if (openers->at[i].function && i + 1 < openers->n)
            return xstrdup(openers->at[i].function);
    return NULL;
}

bool script_find(const char *path, int line, char **function)
{
    openers_t openers = {0};
    char *text = NULL;
    size_t room = 0;
    int lines = 0;
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    for (; lines < line && getline(&text, &room, file) > 0; lines++)
        read_script_line(&openers, text);
    *function = lines == line ? innermost(&openers) : NULL;
    close_down_to(&openers, 0);
    vec_release(&openers);
    free(text);
    fclose(file);
    return lines == line;
}

#include "options/argument_lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/words.h"
#include "options/text_file.h"

argument_lines_t argument_lines_read(const char *file, char *const *argv)
{
    argument_lines_t lines = {0};
    char *text = text_file_read(file), *rest = text, *line;
    for (int number = 1; (line = strsep(&rest, "\n")); number++) {
        line[strcspn(line, "\r")] = 0;
        if (line[strspn(line, " \t")] == 0 || line[0] == '#')
            continue;
        char **words = words_split(line, argv);
        if (!words)
            die("%s:%d: a quote is not closed", file, number);
        vec_push(&lines, ((struct argument_line){.text = xstrdup(line), .argv = words}));
    }
    free(text);
    if (!lines.n)
        die("%s: there is no line with arguments", file);
    return lines;
}

void argument_line_release(struct argument_line *line)
{
    if (line->argv)
        words_free(line->argv);
    free(line->text);
    free(line->nodes);
    free(line->input);
}

void argument_lines_release(argument_lines_t *lines)
{
    vec_release_each(lines, argument_line_release);
}

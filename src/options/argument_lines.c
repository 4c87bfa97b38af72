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

void argument_lines_release(argument_lines_t *lines)
{
    for (size_t i = 0; i < lines->n; i++) {
        words_free(lines->at[i].argv);
        free(lines->at[i].text);
        free(lines->at[i].nodes);
    }
    vec_release(lines);
}

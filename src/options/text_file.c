#include "options/text_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"

char *text_file_read(const char *file)
{
    FILE *in = fopen(file, "r");
    char *text = NULL;
    size_t size = 0;
    if (!in)
        die("%s: %s", file, strerror(errno));
    ssize_t length = getdelim(&text, &size, 0, in);
    bool failed = length < 0 && ferror(in), is_text = length < 0 || feof(in) || fgetc(in) == EOF;
    int error = errno;
    fclose(in);
    if (failed)
        die("%s: %s", file, strerror(error));
    if (!is_text)
        die("%s is not text", file);
    if (length < 0)
        text[0] = 0;
    return text;
}

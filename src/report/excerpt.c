#include "report/excerpt.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/embed.h"

enum {
    MOST_BYTES = 4 << 20, /* of a file that is looked at */
    WHOLE = 2000,         /* lines of a file that is shown whole */
    AROUND = 40,          /* lines before and after a place in a longer one */
    WIDEST = 400,         /* bytes of a line */
};

void excerpts_want(excerpts_t *excerpts, const char *file, int line)
{
    size_t i = 0;
    if (!file || line <= 0)
        return;
    while (i < excerpts->n && strcmp(excerpts->at[i].file, file) != 0)
        i++;
    if (i == excerpts->n)
        vec_push(excerpts, (struct excerpt){.file = xstrdup(file)});
    vec_push(&excerpts->at[i].lines, line);
}

static void excerpt_release(struct excerpt *excerpt)
{
    free(excerpt->file);
    vec_release(&excerpt->lines);
}

void excerpts_release(excerpts_t *excerpts)
{
    vec_release_each(excerpts, excerpt_release);
}

/* A file in memory, cut into lines. */
struct lines {
    char *text;          /* owns */
    VEC(char *) at;      /* each ends with a zero byte */
    time_t changed;
};

static bool read_lines(const char *file, struct lines *lines)
{
    struct stat stat;
    int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    bool good = fd >= 0 && fstat(fd, &stat) == 0 && S_ISREG(stat.st_mode) && stat.st_size <= MOST_BYTES;
    ssize_t n = 0;
    if (good) {
        lines->text = xmalloc((size_t)stat.st_size + 1);
        n = read(fd, lines->text, (size_t)stat.st_size);
        lines->changed = stat.st_mtime;
    }
    if (fd >= 0)
        close(fd);
    if (!good || n <= 0 || memchr(lines->text, '\0', (size_t)n))
        return false;
    lines->text[n] = '\0';
    for (char *line = lines->text, *end; *line; line = end) {
        vec_push(&lines->at, line);
        end = strchrnul(line, '\n');
        if (*end)
            *end++ = '\0';
    }
    return true;
}

static bool is_wanted(const struct excerpt *excerpt, size_t count, int line)
{
    if (count < WHOLE)
        return true;
    for (size_t i = 0; i < excerpt->lines.n; i++)
        if (abs(excerpt->lines.at[i] - line) <= AROUND)
            return true;
    return false;
}

static void print_pieces(FILE *out, const struct excerpt *excerpt, const struct lines *lines)
{
    bool inside = false, first = true;
    for (size_t i = 0; i < lines->at.n; i++) {
        bool wanted = is_wanted(excerpt, lines->at.n, (int)i + 1);
        if (wanted && !inside)
            fprintf(out, "%s{\"first\":%zu,\"lines\":[", first ? "" : ",", i + 1);
        if (wanted) {
            char *line = lines->at.at[i];
            if (strlen(line) > WIDEST)
                line[WIDEST] = '\0';
            fputs(inside ? "," : "", out);
            embed_string(out, line);
        }
        if (!wanted && inside)
            fputs("]}", out);
        first = first && !wanted;
        inside = wanted;
    }
    fputs(inside ? "]}" : "", out);
}

void excerpts_print(FILE *out, excerpts_t *excerpts, time_t made)
{
    const char *joint = "";
    fputc('[', out);
    for (size_t i = 0; i < excerpts->n; i++) {
        struct lines lines = {0};
        if (read_lines(excerpts->at[i].file, &lines)) {
            fprintf(out, "%s{\"file\":", joint);
            embed_name(out, excerpts->at[i].file);
            fprintf(out, ",\"changed\":%s,\"pieces\":[", lines.changed > made ? "true" : "false");
            print_pieces(out, &excerpts->at[i], &lines);
            fputs("]}", out);
            joint = ",";
        }
        free(lines.text);
        vec_release(&lines.at);
    }
    fputc(']', out);
}

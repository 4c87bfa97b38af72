#include "report/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/utf8.h"

enum { USUAL = 80, LEAST = 40, WIDEST_PROSE = 100, WIDEST_INDENT = 16 };

enum tone tone_of(const char *severity)
{
    if (strcmp(severity, "error") == 0)
        return TONE_BAD;
    return strcmp(severity, "warning") == 0 ? TONE_WARN : TONE_NOTE;
}

static bool is_variable_set(const char *variable)
{
    const char *value = getenv(variable);
    return value && *value;
}

static bool is_dumb(void)
{
    const char *term = getenv("TERM");
    return !term || !*term || strcmp(term, "dumb") == 0;
}

/* What the terminal says, or else the environment. */
static int columns_of(int fd)
{
    struct winsize size;
    const char *told = getenv("COLUMNS");
    int columns = ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
    if (columns <= 0)
        columns = told ? atoi(told) : 0;
    if (columns <= 0)
        columns = USUAL;
    return columns < LEAST ? LEAST : columns;
}

struct terminal terminal_of(FILE *out, enum colour colour)
{
    bool is_terminal = isatty(fileno(out));
    struct terminal terminal = {.out = out, .columns = is_terminal ? columns_of(fileno(out)) : 0};
    terminal.colour =
        colour == COLOUR_ALWAYS || (colour == COLOUR_AUTO && is_terminal && !is_variable_set("NO_COLOR") && !is_dumb());
    terminal.prose = terminal.columns && terminal.columns < WIDEST_PROSE ? terminal.columns : WIDEST_PROSE;
    return terminal;
}

/* ---- colours ---- */

static void begin_tone(const struct terminal *terminal, enum tone tone)
{
    static const char *const codes[] = {[TONE_BAD] = "1;31",  [TONE_WARN] = "1;33", [TONE_NOTE] = "1;36",
                                        [TONE_GOOD] = "1;32", [TONE_STRONG] = "1"};
    if (terminal->colour && tone != TONE_PLAIN)
        fprintf(terminal->out, "\033[%sm", codes[tone]);
}

static void end_tone(const struct terminal *terminal, enum tone tone)
{
    if (terminal->colour && tone != TONE_PLAIN)
        fputs("\033[0m", terminal->out);
}

/* ---- width ---- */

/* A character of the text: its length.  What could steer a terminal is shown as a question mark. */
static int put_character(FILE *out, const char *at)
{
    uint32_t point;
    int length = utf8_next(at, &point);
    if (length && point >= ' ' && point != 127 && (point < 0x80 || point > 0x9f))
        fwrite(at, 1, (size_t)length, out);
    else
        fputc('?', out);
    return length ? length : 1;
}

/* How many columns these bytes take, near enough: one for each character. */
static int width_of(const char *text, size_t length)
{
    int width = 0;
    uint32_t point;
    for (const char *at = text; at < text + length; width++) {
        int step = utf8_next(at, &point);
        at += step ? step : 1;
    }
    return width;
}

static void put_bytes(FILE *out, const char *text, size_t length)
{
    for (const char *end = text + length; text < end;)
        text += put_character(out, text);
}

/* Breaks a line between words; what follows a break is indented.  It begins at column `at`; width 0: no breaks. */
static void put_words(FILE *out, const char *text, size_t length, int at, int indent, int width)
{
    const char *end = text + length;
    while (text < end) {
        const char *word = text, *until;
        while (word < end && *word == ' ')
            word++;
        for (until = word; until < end && *until != ' ';)
            until++;
        int space = (int)(word - text), wide = width_of(word, (size_t)(until - word));
        bool breaks = width && at > indent && at + space + wide > width;
        fprintf(out, "%s%*s", breaks ? "\n" : "", breaks ? indent : space, "");
        put_bytes(out, word, (size_t)(until - word));
        at = (breaks ? indent : at + space) + wide;
        text = until;
    }
}

void terminal_say(const struct terminal *terminal, const char *head, enum tone tone, const char *text)
{
    int indent = width_of(head, strlen(head));
    fputs(head, terminal->out);
    begin_tone(terminal, tone);
    put_words(terminal->out, text, strlen(text), indent, indent, terminal->prose);
    end_tone(terminal, tone);
    fputc('\n', terminal->out);
}

void terminal_offer(const struct terminal *terminal, const char *head, const char *command)
{
    size_t length = strlen(command);
    bool fits = !terminal->columns || width_of(head, strlen(head)) + width_of(command, length) <= terminal->columns;
    fprintf(terminal->out, "%s%s", head, fits ? "" : "\n       ");
    begin_tone(terminal, TONE_STRONG);
    put_bytes(terminal->out, command, length);
    end_tone(terminal, TONE_STRONG);
    fputc('\n', terminal->out);
}

/* Under what a line says behind "rank 3    ", or else a little further in than the line itself. */
static int indent_of(const char *line)
{
    int own = (int)strspn(line, " ");
    int indent = strncmp(line + own, "rank ", 5) == 0 && own ? own + 12 : own + 2;
    return indent < WIDEST_INDENT ? indent : WIDEST_INDENT;
}

void terminal_show(const struct terminal *terminal, enum tone of_first, const char *lines)
{
    for (const char *line = lines; *line;) {
        size_t length = strcspn(line, "\n");
        enum tone tone = line == lines ? of_first : TONE_PLAIN;
        begin_tone(terminal, tone);
        put_words(terminal->out, line, length, 0, indent_of(line), terminal->columns);
        end_tone(terminal, tone);
        fputc('\n', terminal->out);
        line += length + (line[length] == '\n');
    }
}

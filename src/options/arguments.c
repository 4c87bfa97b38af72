#include "options/arguments.h"

#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "options/option_line.h"
#include "options/usage.h"
#include "options/word.h"

_Static_assert(COMMANDS <= sizeof(unsigned) * CHAR_BIT, "a line has a bit for each command");

/* ---- lists of names in sentences ---- */

typedef VEC(const char *) names_t;

static void add_name(names_t *names, const char *name)
{
    for (size_t i = 0; i < names->n; i++)
        if (strcmp(names->at[i], name) == 0)
            return;
    vec_push(names, name);
}

/* "a, b and c"; owned by the caller. */
static char *list_of(const names_t *names, const char *last_joint)
{
    char *list = xstrdup(names->at[0]);
    for (size_t i = 1; i < names->n; i++) {
        char *longer = xformat("%s%s%s", list, i + 1 < names->n ? ", " : last_joint, names->at[i]);
        free(list);
        list = longer;
    }
    return list;
}

/* ---- options of other commands ---- */

static bool is_option_taken(const struct option_line *line, unsigned commands)
{
    return line->commands & commands;
}

static const char *refusal_of(enum command_id command, enum option_id option)
{
    for (const struct refusal *r = refusals; r->sentence; r++)
        if (r->command == command && r->option == option)
            return r->sentence;
    return NULL;
}

static bool takes(enum command_id command, enum option_id option)
{
    for (const struct option_line *line = option_lines; line->name; line++)
        if (line->id == option && is_option_taken(line, 1u << command))
            return true;
    return false;
}

/* The whole family is named, as far as the command has no use for it. */
static _Noreturn void refuse_family(enum command_id command, const struct option_line *line)
{
    names_t names = {0};
    for (const struct option_line *other = option_lines; other->name; other++)
        if (other->family == line->family && !takes(command, other->id) && !refusal_of(command, other->id))
            add_name(&names, other->name);
    char *list = list_of(&names, " and ");
    misuse(xformat("%s %s for tourney %s", list, names.n == 1 ? "is" : "are", command_lines[line->home].name));
}

/* One that many commands take has no family. */
static _Noreturn void refuse_single(const struct option_line *line)
{
    names_t names = {0};
    for (int c = 0; c < COMMANDS; c++)
        if (takes((enum command_id)c, line->id))
            add_name(&names, command_lines[c].name);
    misuse(xformat("%s is for tourney %s", line->name, list_of(&names, " and ")));
}

static _Noreturn void refuse_option(enum command_id command, const struct option_line *line)
{
    const struct command_line *it = &command_lines[command];
    const char *sentence = refusal_of(command, line->id);
    if (!sentence)
        sentence = it->takes_only ? it->surplus : it->otherwise;
    if (sentence)
        misuse(sentence);
    if (line->family)
        refuse_family(command, line);
    refuse_single(line);
}

/* The line of a word such as "--jobs=4" or "-j4"; NULL: there is no such option at all. */
static const struct option_line *line_of_word(const char *word)
{
    const char *name = word + strspn(word, "-");
    size_t length = strcspn(name, "=");
    for (const struct option_line *line = option_lines; line->name; line++)
        if (line->full && strncmp(line->full, name, length) == 0 && !line->full[length])
            return line;
    for (const struct option_line *line = option_lines; line->name && word[1] != '-'; line++)
        if (line->letter && line->letter == word[1])
            return line;
    return NULL;
}

/* ---- values ---- */

/* Just what stands before "=", if there is one. */
static bool is_option_word(const char *text, const char *word)
{
    const char *equals = strchr(word, '=');
    return equals ? strncmp(text, word, (size_t)(equals + 1 - word)) == 0 : strcmp(text, word) == 0;
}

static int index_of_word(enum command_id command, const struct option_line *line, const char *text)
{
    names_t names = {0};
    for (int i = 0; line->word[i]; i++) {
        if (is_option_word(text, line->word[i]))
            return i;
        add_name(&names, line->word[i]);
    }
    const char *sentence = refusal_of(command, line->id);
    if (sentence)
        misuse(sentence);
    die("%s %s %s, not '%s'", line->name, names.n == 1 ? "knows" : "is", list_of(&names, " or "), text);
}

static double seconds_of(const struct option_line *line, const char *text)
{
    char *end;
    double seconds = strtod(text, &end);
    if (end == text || *end || !(seconds > 0) || isinf(seconds))
        die("%s is a positive number of seconds, not '%s'", line->name, text);
    return seconds;
}

static void take_option(struct arguments *arguments, enum command_id command, const struct option_line *line,
                        const char *text)
{
    void *at = (char *)arguments + line->at;
    arguments->given[line->id] = true;
    if (line->many) {
        vec_push((argument_list *)at, text);
        return;
    }
    switch (line->kind) {
    case VALUE_FLAG:
        *(bool *)at = true;
        break;
    case VALUE_NUMBER:
        *(int64_t *)at = word_number(text, line->least, line->most, line->name);
        break;
    case VALUE_SECONDS:
        *(double *)at = seconds_of(line, text);
        break;
    case VALUE_WORD:
        index_of_word(command, line, text);
        *(const char **)at = text;
        break;
    case VALUE_FILE:
    case VALUE_DIR:
    case VALUE_TEXT:
        *(const char **)at = text;
        break;
    case VALUE_ONE:
        *(unsigned *)at = (unsigned)index_of_word(command, line, text); /* an enum of these words */
        break;
    }
}

/* ---- the line ---- */

/* What getopt wants to know of the options of some commands. */
struct getopt_words {
    VEC(struct option) full;
    VEC(char) letters;
};

enum { FIRST_LINE = 256 }; /* what getopt returns for line 0; letters are smaller */

/*
 * Whether an option of another command could be taken for the abbreviation of one of these: --clock is not --clocks.  Not if
 * these have one of that name, too, with other values.
 */
static bool is_taken_for_longer(const char *full, unsigned commands)
{
    bool longer = false;
    for (const struct option_line *line = option_lines; line->name; line++) {
        if (!line->full || !is_option_taken(line, commands) || strncmp(line->full, full, strlen(full)) != 0)
            continue;
        if (!line->full[strlen(full)])
            return false;
        longer = true;
    }
    return longer;
}

static struct getopt_words getopt_words(unsigned commands, bool stops_at_word)
{
    struct getopt_words words = {0};
    if (stops_at_word)
        vec_push(&words.letters, '+');
    vec_push(&words.letters, ':');
    for (int i = 0; option_lines[i].name; i++) {
        const struct option_line *line = &option_lines[i];
        int has_value = line->kind == VALUE_FLAG ? no_argument : required_argument;
        if (!is_option_taken(line, commands)) {
            if (line->full && is_taken_for_longer(line->full, commands))
                vec_push(&words.full, (struct option){line->full, optional_argument, NULL, '?'});
            continue;
        }
        if (line->full)
            vec_push(&words.full, (struct option){line->full, has_value, NULL, FIRST_LINE + i});
        if (line->letter)
            vec_push(&words.letters, line->letter);
        if (line->letter && has_value)
            vec_push(&words.letters, ':');
    }
    vec_push(&words.full, (struct option){0});
    vec_push(&words.letters, 0);
    return words;
}

static const struct option_line *line_of_letter(int letter, unsigned commands)
{
    for (const struct option_line *line = option_lines; line->name; line++)
        if (line->letter == letter && is_option_taken(line, commands))
            return line;
    BUG("the option -%c is on no line", letter);
}

static _Noreturn void refuse_word(enum command_id command, unsigned commands, int c, char *const *argv)
{
    char letter[] = {'-', (char)optopt, 0}; /* it may stand among others */
    const char *arguments = c == '?' && optopt > 0 && optopt < FIRST_LINE ? letter : argv[optind - 1];
    const struct option_line *line = line_of_word(arguments);
    names_t names = {0};
    if (c == ':')
        die("'%s' lacks its value (tourney --help)", arguments);
    if (line && !takes(command, line->id))
        refuse_option(command, line);
    if (line && line->kind == VALUE_FLAG && strchr(arguments, '='))
        die("%s takes no value (tourney --help)", line->name);
    if (command_lines[command].takes_only)
        misuse(command_lines[command].surplus);
    for (line = option_lines; line->name; line++)
        if (line->full && is_option_taken(line, commands))
            vec_push(&names, line->full);
    vec_push(&names, NULL);
    word_refuse_option(arguments, names.at);
}

static void add_command_line(struct arguments *arguments, enum command_id command, unsigned commands, int argc,
                             char **argv)
{
    struct getopt_words words = getopt_words(commands, command_lines[command].has_program);
    int c;
    opterr = 0;
    optind = 0; /* a resumed search has two command lines */
    while ((c = getopt_long_only(argc, argv, words.letters.at, words.full.at, NULL)) != -1) { /* -np, too */
        if (c == '?' || c == ':')
            refuse_word(command, commands, c, argv);
        take_option(arguments, command, c >= FIRST_LINE ? &option_lines[c - FIRST_LINE] : line_of_letter(c, commands),
                    optarg);
        if (arguments->help)
            exit(tell(command_lines[command].help));
    }
    arguments->words = argv + optind;
    vec_release(&words.full);
    vec_release(&words.letters);
}

static void refuse_clash(const struct arguments *arguments)
{
    const char *sentence = arguments_clash(arguments);
    if (sentence)
        misuse(sentence);
}

static int count_words(char *const *words)
{
    int n = 0;
    while (words[n])
        n++;
    return n;
}

struct arguments arguments_for(enum command_id command, int argc, char **argv)
{
    struct arguments arguments = arguments_none;
    const struct command_line *it = &command_lines[command];
    add_command_line(&arguments, command, 1u << command, argc, argv);
    int words = count_words(arguments.words);
    if (words < it->least)
        misuse(it->lacking);
    if (it->most >= 0 && words > it->most)
        misuse(it->surplus);
    refuse_clash(&arguments);
    return arguments;
}

struct arguments arguments_for_either(enum command_id command, enum command_id other, int argc, char **argv)
{
    struct arguments arguments = arguments_none;
    add_command_line(&arguments, command, 1u << command | 1u << other, argc, argv);
    return arguments;
}

/* What either form takes, this one may not. */
void arguments_settle(const struct arguments *arguments, enum command_id command)
{
    for (const struct option_line *line = option_lines; line->name; line++)
        if (arguments->given[line->id] && !takes(command, line->id))
            refuse_option(command, line);
    refuse_clash(arguments);
}

void arguments_settle_behind_word(struct arguments *arguments, enum command_id command, const char *surplus)
{
    char **first = arguments->words;
    add_command_line(arguments, command, 1u << command, count_words(first), first);
    if (*arguments->words)
        misuse(surplus);
    arguments_settle(arguments, command);
    arguments->words = first;
}

bool arguments_is_option_at_home(const char *word, enum command_id home)
{
    const struct option_line *line = strncmp(word, "--", 2) == 0 ? line_of_word(word) : NULL;
    return line && line->family && line->home == home && (line->kind == VALUE_FLAG) == !strchr(word, '=');
}

void arguments_release(struct arguments *arguments)
{
    for (const struct option_line *line = option_lines; line->name; line++)
        if (line->many)
            vec_release((argument_list *)((char *)arguments + line->at));
}

/*
 * Lines: what may stand in which, and the columns.
 *
 * First the head of the columns is looked for, which says how many ranks there are;
 * then every line is read once.
 */
#include "scenario/parse.h"

#include <string.h>

#include "scenario/line.h"
#include "scenario/parser.h"

static void begin_cell(struct parser *p, const struct scenario_line *line, const char *at, const char *end)
{
    lex_begin(&p->lex, p->mistake, line->begin, line->number, at, end);
}

/* How many columns the head has; 0: this is not it. */
static int count_columns(struct parser *p, const struct scenario_line *line)
{
    int ranks = 0;
    for (const char *at = line->begin;; ranks++) {
        const char *end = cell_end(at, line->end);
        begin_cell(p, line, at, end);
        if (ranks == 0 && !lex_is(&p->lex, "P0"))
            return 0;
        if (ranks >= SCENARIO_RANKS)
            lex_wrong(&p->lex, "there are at most %d columns", SCENARIO_RANKS);
        else if (p->lex.kind != TOKEN_WORD || rank_of_word(p->lex.text) != ranks)
            lex_wrong(&p->lex, "the head of this column is P%d", ranks);
        lex_next(&p->lex);
        if (p->lex.kind != TOKEN_END)
            lex_wrong(&p->lex, "behind the head of a column comes '|' or nothing");
        if (end == line->end || p->mistake->sentence)
            return ranks + 1;
        at = end + 1;
    }
}

static void parse_row(struct parser *p, const struct scenario_line *line)
{
    const char *at = line->begin;
    for (rank_t r = 0;; r++) {
        const char *end = cell_end(at, line->end);
        p->rank = r < p->scenario->ranks ? r : 0;
        begin_cell(p, line, at, end);
        if (r >= p->scenario->ranks && p->lex.kind != TOKEN_END)
            lex_wrong(&p->lex, "there are only %d columns", p->scenario->ranks);
        while (p->lex.kind != TOKEN_END) {
            parse_statement(p);
            lex_takes(&p->lex, ";");
        }
        if (end == line->end || p->mistake->sentence)
            return;
        at = end + 1;
    }
}

static void close_columns(struct parser *p, const struct scenario_line *line)
{
    begin_cell(p, line, line->begin, line->begin);
    for (rank_t r = 0; r < p->scenario->ranks; r++) {
        const struct column *column = &p->scenario->column[r];
        if (p->open[r].n) {
            const struct statement *s = &column->statements.at[vec_last(&p->open[r])];
            p->lex.line = s->line;
            lex_wrong_at(&p->lex, p->lex.begin + s->column - 1, "this '%s' of P%d has no 'end'", s->word->word, r);
        }
        for (size_t v = 0; v < column->variables.n; v++) {
            const struct variable_use *use = &p->use[r][v];
            if (use->set)
                continue;
            p->lex.line = use->line;
            lex_wrong_at(&p->lex, p->lex.begin + use->column - 1, "P%d never sets its variable '%s'", r,
                         column->variables.at[v]);
        }
    }
}

enum file_part { PART_HEAD, PART_COLUMNS, PART_CLAIMS };

static void parse_line(struct parser *p, const struct scenario_line *line, enum file_part *place)
{
    const char *title = *place == PART_HEAD ? line_title(line) : NULL;
    if (title) {
        free(p->scenario->title);
        p->scenario->title = trimmed(title, line->end);
        return;
    }
    if (*place == PART_COLUMNS && line_is_rule(line))
        return;
    begin_cell(p, line, line->begin, *place == PART_COLUMNS ? cell_end(line->begin, line->end) : line->end);
    if (*place == PART_HEAD && lex_is(&p->lex, "P0")) {
        *place = PART_COLUMNS;
    } else if (*place == PART_HEAD) {
        parse_head_line(p);
    } else if (lex_is(&p->lex, "assert")) {
        if (*place == PART_COLUMNS)
            close_columns(p, line);
        *place = PART_CLAIMS;
        begin_cell(p, line, line->begin, line->end);
        lex_next(&p->lex);
        parse_claim(p);
    } else if (lex_takes(&p->lex, "expect")) {
        parse_expectation(p);
    } else if (*place == PART_COLUMNS) {
        parse_row(p, line);
    } else if (p->lex.kind != TOKEN_END) {
        lex_wrong(&p->lex, "behind an assertion stand only 'expect' and other assertions");
    }
}

/* The number of ranks, from the head of the columns; 0: something is wrong. */
static int find_columns(struct parser *p, const char *text, const char *end)
{
    struct scenario_line line = {0};
    int ranks = 0;
    const char *at = text;
    while (!ranks && line_next(&at, end, &line)) {
        struct scenario_mistake none = {0};
        struct lexer first;
        lex_begin(&first, &none, line.begin, line.number, line.begin, cell_end(line.begin, line.end));
        if (lex_is(&first, "P0") && !line_title(&line))
            ranks = count_columns(p, &line);
        free(none.sentence);
    }
    if (!ranks) {
        line.begin = line.end = text;
        line.number = line.number ? line.number : 1;
        begin_cell(p, &line, text, text);
        lex_wrong(&p->lex, "there are no columns: their head is a line P0 | P1 | ...");
    }
    return p->mistake->sentence ? 0 : ranks;
}

/* The place of a byte that is no text, if there is one. */
static bool is_text(const char *text, size_t length, struct scenario_mistake *mistake)
{
    const char *zero = memchr(text, '\0', length), *begin = text;
    *mistake = (struct scenario_mistake){.line = 1};
    for (const char *at = text; zero && at < zero; at++)
        if (*at == '\n') {
            begin = at + 1;
            mistake->line++;
        }
    mistake->column = zero ? (uint32_t)(zero - begin) + 1 : 0;
    mistake->sentence = zero ? xstrdup("a zero byte is no text") : NULL;
    return !zero;
}

int scenario_parse(struct scenario *scenario, const char *text, size_t length, struct scenario_mistake *mistake)
{
    if (!is_text(text, length, mistake))
        return -1;
    struct parser *p = xcalloc(1, sizeof *p);
    struct scenario_line line = {0};
    const char *at = text, *end = text + length;
    enum file_part place = PART_HEAD;
    *mistake = (struct scenario_mistake){0};
    p->mistake = mistake;
    p->scenario = scenario;
    int ranks = find_columns(p, text, end);
    if (ranks) {
        scenario_init(scenario, ranks);
        while (!mistake->sentence && line_next(&at, end, &line))
            parse_line(p, &line, &place);
        if (!mistake->sentence && place == PART_COLUMNS)
            close_columns(p, &line);
        if (mistake->sentence)
            scenario_release(scenario);
    }
    for (int r = 0; r < SCENARIO_RANKS; r++)
        vec_release(&p->open[r]);
    free(p);
    return mistake->sentence ? -1 : 0;
}

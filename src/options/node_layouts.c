#include "options/node_layouts.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "options/usage.h"

/* The layout that begins there; how long it is, or 0: it makes no sense. */
static int read_layout(const char *text, int *nodes, int *ranks)
{
    int end = 0;
    bool whole = sscanf(text, "%dx%d%n", nodes, ranks, &end) == 2 && (text[end] == 0 || (text[end] == ',' && text[end + 1]));
    return whole && *nodes >= 1 && *ranks >= 1 ? end : 0;
}

static const char *behind_layout(const char *text, int length)
{
    return text[length] == ',' ? text + length + 1 : NULL;
}

int node_layouts_first(const char *said, int64_t all)
{
    int first = 0, nodes, ranks, length;
    for (const char *at = said; at; at = behind_layout(at, length)) {
        length = read_layout(at, &nodes, &ranks);
        if (!length)
            misuse(xformat("--nodes is NODESxRANKS, such as 2x2, or several with commas between, and not '%s'", said));
        if ((int64_t)nodes * ranks != all)
            misuse(xformat("--nodes %.*s has room for %" PRId64 " ranks, and there are %" PRId64, length, at,
                           (int64_t)nodes * ranks, all));
        first = first ? first : ranks;
    }
    return first;
}

void node_layouts_refuse_list(const char *said)
{
    if (said && strchr(said, ','))
        misuse("several layouts of nodes are for tourney -n N: here --nodes takes one");
}

argument_lines_t node_layouts_spread(const char *said, argument_lines_t lines, char *const *argv)
{
    argument_lines_t more = {0};
    int nodes, ranks, length;
    if (!said || !strchr(said, ','))
        return lines;
    if (!lines.n)
        vec_push(&lines, ((struct argument_line){.text = xstrdup(""), .argv = words_split("", argv)}));
    for (size_t i = 0; i < lines.n; i++)
        for (const char *at = said; at; at = behind_layout(at, length)) {
            length = read_layout(at, &nodes, &ranks);
            vec_push(&more, ((struct argument_line){.text = xstrdup(lines.at[i].text),
                                                    .argv = words_split("", lines.at[i].argv),
                                                    .nodes = xformat("%.*s", length, at),
                                                    .node_ranks = ranks}));
        }
    argument_lines_release(&lines);
    return more;
}

/*
 * node_layouts -- what --nodes says: NODESxRANKS, or several of them with commas between, which are searched one after the other.
 */
#ifndef OPTIONS_NODE_LAYOUTS_H
#define OPTIONS_NODE_LAYOUTS_H

#include <stdint.h>

#include "options/argument_lines.h"

/* How many ranks are on each node by the first layout; 0: nothing was said.  Ends with a sentence if one makes no sense. */
int node_layouts_first(const char *said, int64_t ranks);

/* Ends with a sentence if there are several. */
void node_layouts_refuse_list(const char *said);

/* Each line once for each layout; no lines are one, `argv`.  As they were if there are not several layouts. */
argument_lines_t node_layouts_spread(const char *said, argument_lines_t, char *const *argv);

#endif

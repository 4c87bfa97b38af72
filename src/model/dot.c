#include "model/dot.h"

#include "model/words.h"

static void put_dot_node(FILE *file, const struct model *model, uint32_t number)
{
    const struct model_node *node = &model->node.at[number];
    fprintf(file, "        n%u [label=\"%u", number, number);
    for (uint32_t i = 0; i < node->count; i++) {
        const struct op *op = model->op.at[node->first_op + i].op;
        char *words = op_matters(op) ? words_for_op(op) : NULL;
        if (words)
            fprintf(file, "\\l%s", words);
        free(words);
    }
    fprintf(file, "%s%s\\l\"%s];\n", node->end == SEGMENT_CALL ? "" : "\\l", node->end == SEGMENT_CALL ? "" : words_for_end(node->end),
            node->end == SEGMENT_CALL ? "" : node->end == SEGMENT_EXIT ? ", style=rounded" : ", color=red");
}

static void put_edges(FILE *file, const struct model *model, uint32_t number)
{
    const struct model_node *node = &model->node.at[number];
    for (size_t i = 0; i < node->edge.n; i++) {
        char *words = words_for_answer(model, &node->edge.at[i]);
        fprintf(file, "        n%u -> n%u [label=\"%s\"];\n", number, node->edge.at[i].to, words);
        free(words);
    }
}

void dot_print(FILE *file, const struct model *model)
{
    fputs("digraph model {\n    node [shape=box, fontname=monospace];\n    edge [fontname=monospace];\n", file);
    for (int r = 0; r < model->ranks; r++) {
        fprintf(file, "    subgraph cluster_%d {\n        label=\"rank %d\";\n        start%d [shape=point];\n"
                      "        start%d -> n%u;\n",
                r, r, r, r, model->start[r]);
        for (uint32_t i = 1; i < model->node.n; i++)
            if (model->node.at[i].rank == r) {
                put_dot_node(file, model, i);
                put_edges(file, model, i);
            }
        fputs("    }\n", file);
    }
    fputs("}\n", file);
}

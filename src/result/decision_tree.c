/*
 * decision_tree -- the tree of decisions as JSON and back (codec.h).
 */
#include "result/decision_tree.h"

#include "result/codec.h"
#include "result/parts.h"

static const char tool[] = "tourney tree";
static const char *const ends[] = {[TWIG_GOES_ON] = "goes-on", [TWIG_GOOD] = "good", [TWIG_BAD] = "bad", [TWIG_OPEN] = "open"};

static const char *const leads[] = {[LEADS_GOOD] = "good", [LEADS_BAD] = "bad", [LEADS_BOTH] = "both", [LEADS_OPEN] = "open"};

void decision_tree_release(struct decision_tree *tree)
{
    vec_release_each(&tree->args, string_release);
    vec_release_each(&tree->texts, string_release);
    vec_release_each(&tree->places, named_place_release);
    vec_release(&tree->twigs);
}

void decision_trees_release(decision_trees_t *trees)
{
    vec_release_each(trees, decision_tree_release);
}

static void each_twig(struct codec *codec, json_t **value, struct twig *twig)
{
    json_t *object = object_at(codec, value);
    number(codec, object, "parent", &twig->parent);
    number(codec, object, "rank", &twig->rank);
    number(codec, object, "call", &twig->call);
    number(codec, object, "text", &twig->text);
    number(codec, object, "place", &twig->place);
    number(codec, object, "same", &twig->same);
    twig->end = word(codec, object, "end", twig->end, ends, sizeof ends / sizeof *ends);
    twig->leads = word(codec, object, "leads", twig->leads, leads, sizeof leads / sizeof *leads);
    number(codec, object, "finding", &twig->finding);
    number(codec, object, "held", &twig->held);
    number(codec, object, "left_out", &twig->left_out);
    number(codec, object, "untried", &twig->untried);
}

static void check_twigs(struct codec *codec, const struct decision_tree *tree)
{
    json_int_t texts = (json_int_t)tree->texts.n, places = (json_int_t)tree->places.n, twigs = (json_int_t)tree->twigs.n;
    for (json_int_t i = 0; i < twigs; i++) {
        const struct twig *twig = &tree->twigs.at[i];
        within(codec, "parent", twig->parent, i ? 0 : -1, i - 1);
        within(codec, "rank", twig->rank, i ? 0 : -1, i ? INT32_MAX : -1);
        within(codec, "call", twig->call, -1, texts - 1);
        within(codec, "text", twig->text, -1, texts - 1);
        within(codec, "place", twig->place, -1, places - 1);
        within(codec, "same", twig->same, -1, twigs - 1);
    }
}

static void each_tree(struct codec *codec, json_t **value, struct decision_tree *tree)
{
    json_t *object = object_at(codec, value);
    list(codec, object, "args", &tree->args, each_string);
    list(codec, object, "texts", &tree->texts, each_string);
    list(codec, object, "places", &tree->places, each_named_place);
    list(codec, object, "twigs", &tree->twigs, each_twig);
    number(codec, object, "decisions", &tree->decisions);
    check_twigs(codec, tree);
}

char *decision_trees_print(const decision_trees_t *trees)
{
    struct codec codec = {0};
    json_t *object = codec_begin(tool, TREE_VERSION);
    decision_trees_t *looked_at = (decision_trees_t *)trees; /* only */
    list(&codec, object, "trees", looked_at, each_tree);
    return codec_print(object, JSON_COMPACT);
}

int decision_trees_parse(decision_trees_t *trees, const char *text, size_t size, char **why)
{
    struct codec codec = {.reading = true};
    json_t *object = codec_open(tool, TREE_VERSION, text, size, why);
    *trees = (decision_trees_t){0};
    if (!object)
        return -1;
    list(&codec, object, "trees", trees, each_tree);
    if (codec_close(&codec, object, why) == 0)
        return 0;
    decision_trees_release(trees);
    return -1;
}

#include "words/window_words.h"

#include "call/calls.h"

static bool gives_lock_back(const struct op *message)
{
    return message->call == CALL_Win_unlock || message->call == CALL_Win_unlock_all;
}

void window_words_put(FILE *out, int ranks, rank_t keeper, const struct op *message)
{
    rank_t owner = keeper_owner(ranks, keeper);
    if (keeper < ranks)
        fputs("comes next where names are published", out);
    else if (window_tag_is_pointer(message->tag))
        fprintf(out, "%s the shared pointer of the file next", window_tag_more(message->tag) ? "looks at" : "moves");
    else if (!keeper_is_lock(ranks, keeper))
        fprintf(out, "comes next in the window at rank %d", owner);
    else if (gives_lock_back(message))
        fprintf(out, "gives the lock of the window at rank %d back next", owner);
    else
        fprintf(out, "gets the lock of the window at rank %d next", owner);
}

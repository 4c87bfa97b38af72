#include "shim/virtual/seen_messages.h"

#include <pthread.h>
#include <stdbool.h>

#include "shim/core/complaint.h"
#include "shim/shim.h"

enum { MOST_SEEN = 64 }; /* threads; those that come later are not watched */

/* The last one of each thread, until that receives something. */
static struct seen_message {
    bool open;
    pthread_t thread;
    context_t context;
    rank_t source;
    int32_t tag;
} seen[MOST_SEEN];
static int seen_n;

static struct seen_message *own_seen(void)
{
    for (int i = 0; i < seen_n; i++)
        if (pthread_equal(seen[i].thread, pthread_self()))
            return &seen[i];
    return NULL;
}

void seen_message_note(context_t context, rank_t source, int32_t tag)
{
    struct seen_message *own = own_seen();
    for (int i = 0; i < seen_n && !own; i++)
        own = seen[i].open ? NULL : &seen[i];
    if (!own && seen_n < MOST_SEEN)
        own = &seen[seen_n++];
    if (own)
        *own = (struct seen_message){true, pthread_self(), context, source, tag};
}

static bool may_take(const struct op *receive, const struct seen_message *message)
{
    return message->open && receive->context == message->context && (receive->peer == message->source || receive->peer == RANK_ANY) &&
           (receive->tag == message->tag || receive->tag == TAG_ANY);
}

void seen_messages_compare(const struct op *receive)
{
    struct seen_message *own = seen_n ? own_seen() : NULL;
    if (own)
        own->open = false;
    for (int i = 0; i < seen_n && shim_has_threads(); i++) {
        if (!may_take(receive, &seen[i]))
            continue;
        seen[i].open = false;
        complain(COMPLAINT_THREAD_PROBE, "%s may take the message from rank %d with tag %d that another thread of the rank has seen by a probe",
                 call_name(shim.call), seen[i].source, seen[i].tag);
    }
}

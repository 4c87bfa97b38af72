#include "shim/clock/clock.h"

#include <stdlib.h>
#include <string.h>

#include "shim/clock/ledger.h"
#include "shim/core/library_code.h"

#define NOBODY UINT32_MAX

/* Singhal and Kshemkalyani's method: a stamp for each component, and one for each rank that was told. */
struct component {
    uint32_t clock;
    uint32_t newer, older; /* the list of components by age of their last change */
    uint64_t changed;      /* stamp */
};
struct peer_clock {
    uint64_t told; /* stamp of the last message about the vector to it */
    uint32_t sent; /* how many such messages were sent to it */
    uint32_t seen; /* how many of its own were received */
};

static struct {
    bool vector, uncertain;
    MPI_Comm comm;
    uint64_t lamport;
    uint64_t stamp;
    struct component *component; /* owned; by rank */
    struct peer_clock *peer;           /* owned; by rank */
    uint32_t newest;
    struct outgoing {
        struct outgoing *next;
        MPI_Request request;
        void *memory; /* owned */
    } *outgoing; /* owned: messages that may not have left yet */
} my;

void clock_open(MPI_Comm comm)
{
    const char *kind = getenv(CAUSAL_ENV_KIND);
    my.vector = !kind || strcmp(kind, "lamport") != 0;
    my.comm = comm;
    my.newest = NOBODY;
    if (!my.vector)
        return;
    my.component = shim_alloc(shim.size * sizeof *my.component);
    my.peer = shim_alloc(shim.size * sizeof *my.peer);
    memset(my.peer, 0, shim.size * sizeof *my.peer);
    for (int i = 0; i < shim.size; i++)
        my.component[i] = (struct component){.newer = NOBODY, .older = NOBODY};
}

static void reap(bool all)
{
    for (struct outgoing **at = &my.outgoing, *o; (o = *at);) {
        int gone = 0;
        real_must(Test, &o->request, &gone, MPI_STATUS_IGNORE);
        if (!gone && all)
            real_must(Request_free, &o->request); /* for somebody who never asked; its memory stays */
        if (gone || all)
            *at = o->next;
        else
            at = &o->next;
        if (gone) {
            free(o->memory);
            free(o);
        }
    }
}

void clock_close(void)
{
    reap(true);
    free(my.component);
    free(my.peer);
}

uint64_t clock_stamp(void)
{
    return my.stamp;
}

void clock_doubt(void)
{
    if (my.uncertain)
        return;
    my.uncertain = true;
    my.stamp++; /* a collective that all have agreed before has news */
    ledger_begin(CAUSAL_UNCERTAIN, sizeof(struct causal_record));
    ledger_commit();
}

uint64_t clock_now(void)
{
    return my.vector ? my.component[shim.rank].clock : my.lamport;
}

static void unlink_component(uint32_t i)
{
    struct component *c = &my.component[i];
    if (c->newer != NOBODY)
        my.component[c->newer].older = c->older;
    else if (my.newest == i)
        my.newest = c->older;
    if (c->older != NOBODY)
        my.component[c->older].newer = c->newer;
}

static void set_component(uint32_t i, uint32_t clock)
{
    struct component *c = &my.component[i];
    unlink_component(i);
    c->clock = clock;
    c->changed = ++my.stamp;
    c->newer = NOBODY;
    c->older = my.newest;
    if (my.newest != NOBODY)
        my.component[my.newest].newer = i;
    my.newest = i;
}

void clock_tick(void)
{
    if (my.vector)
        set_component(shim.rank, my.component[shim.rank].clock + 1);
    else {
        my.lamport++;
        my.stamp++;
    }
}

/* How many components have changed since, counted up to `most`. */
static uint32_t changes_since(uint64_t stamp, uint32_t most)
{
    uint32_t n = 0;
    for (uint32_t i = my.newest; i != NOBODY && my.component[i].changed > stamp && n < most; i = my.component[i].older)
        n++;
    return n;
}

static void list_changes(struct causal_entry *entry, uint32_t n)
{
    uint32_t at = my.newest;
    for (uint32_t i = 0; i < n; i++, at = my.component[at].older)
        entry[i] = (struct causal_entry){(rank_t)at, my.component[at].clock};
}

void clock_mail(rank_t receiver, int tag, void *memory, size_t bytes)
{
    struct outgoing *o = shim_alloc(sizeof *o);
    o->memory = memory;
    real_must(Isend, memory, (int)bytes, MPI_BYTE, receiver, tag, my.comm, &o->request);
    reap(false);
    o->next = my.outgoing;
    my.outgoing = o;
}

/* In a message of its own; it leaves before the one that names it. */
static void tell_vector(rank_t receiver, struct peer_clock *peer)
{
    uint32_t n = changes_since(peer->told, shim.size);
    struct causal_entry *entry = shim_alloc(n * sizeof *entry);
    list_changes(entry, n);
    clock_mail(receiver, TAG_VECTOR, entry, n * sizeof *entry);
    peer->told = my.stamp;
    peer->sent++;
}

void clock_give(struct header *h, rank_t receiver)
{
    h->magic = HEADER_MAGIC;
    h->sender = shim.rank;
    h->entries = 0;
    h->told = 0;
    if (my.uncertain)
        h->flags |= HEADER_UNCERTAIN;
    if (!my.vector) {
        h->clock = my.lamport;
        return;
    }
    struct peer_clock *peer = &my.peer[receiver];
    uint32_t n = changes_since(peer->told, HEADER_ENTRIES + 1);
    if (n > HEADER_ENTRIES) {
        tell_vector(receiver, peer);
        n = 0;
    }
    list_changes(h->entry, n);
    h->entries = (uint16_t)n;
    h->told = peer->sent;
    h->clock = my.component[receiver].clock;
}

/* What is new among these is written down, if it is about others: the rank's own is in every record. */
static void learn_components(const struct causal_entry *entry, uint32_t n)
{
    uint32_t news = 0;
    for (uint32_t i = 0; i < n; i++)
        news += entry[i].clock > my.component[entry[i].rank].clock;
    if (!news)
        return;
    struct causal_knows *record = ledger_begin(CAUSAL_KNOWS, sizeof *record + news * sizeof *record->entry);
    record->entries = news;
    record->reserved = 0;
    for (uint32_t i = 0, at = 0; i < n; i++)
        if (entry[i].clock > my.component[entry[i].rank].clock) {
            record->entry[at++] = entry[i];
            set_component(entry[i].rank, entry[i].clock);
        }
    ledger_commit();
}

void clock_learn(rank_t rank, uint64_t clock)
{
    struct causal_entry entry = {rank, (uint32_t)clock};
    if (my.vector)
        learn_components(&entry, 1);
    else if (clock > my.lamport) {
        my.lamport = clock;
        my.stamp++;
    }
}

static void hear_vector(rank_t sender)
{
    MPI_Status status;
    int bytes;
    real_must(Probe, sender, TAG_VECTOR, my.comm, &status);
    real_must(Get_count, &status, MPI_BYTE, &bytes);
    struct causal_entry *entry = shim_alloc((size_t)bytes);
    real_must(Recv, entry, bytes, MPI_BYTE, sender, TAG_VECTOR, my.comm, MPI_STATUS_IGNORE);
    learn_components(entry, (uint32_t)bytes / sizeof *entry);
    free(entry);
}

void clock_take(const struct header *h)
{
    if (h->flags & HEADER_UNCERTAIN)
        clock_doubt();
    if (!my.vector) {
        clock_learn(h->sender, h->clock);
        return;
    }
    for (struct peer_clock *peer = &my.peer[h->sender]; peer->seen < h->told; peer->seen++)
        hear_vector(h->sender);
    learn_components(h->entry, h->entries);
}

/*
 * The first says whether somebody is uncertain.  Four bytes are enough for a clock: a file has no room for more choices
 * than they can count.
 */
uint32_t clock_words(void)
{
    return 1 + (my.vector ? (uint32_t)shim.size : 1);
}

void clock_write(uint32_t *to)
{
    *to++ = my.uncertain;
    if (!my.vector) {
        *to = (uint32_t)my.lamport;
        return;
    }
    for (int i = 0; i < shim.size; i++)
        to[i] = my.component[i].clock;
}

void clock_merge(const uint32_t *from)
{
    if (*from++)
        clock_doubt();
    if (!my.vector) {
        clock_learn(shim.rank, *from);
        return;
    }
    struct causal_entry entry[64];
    uint32_t n = 0;
    for (int i = 0; i < shim.size; i++)
        if (from[i] > my.component[i].clock) {
            entry[n++] = (struct causal_entry){i, from[i]};
            if (n == 64) {
                learn_components(entry, n);
                n = 0;
            }
        }
    learn_components(entry, n);
}

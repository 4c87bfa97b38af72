/*
 * assumptions -- what a verification takes for granted, and says (result/assumptions.h).
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "verification/verification.h"
#include "call/calls.h"
#include "call/wire.h"
#include "diagnosis/difference.h"
#include "result/assumptions.h"
#include "symbols/site.h"
#include "world/machine_limits.h"
#include "words/describe.h"
#include "words/text.h"

void verification_assume_nodes(struct verification *v)
{
    int ranks = v->options.world.node_ranks;
    if (!ranks) {
        result_assume(&v->result, ASSUMED_NODES);
        return;
    }
    char brief[64], text[128];
    int nodes = v->result.ranks / ranks;
    snprintf(brief, sizeof brief, "%d node%s", nodes, nodes == 1 ? "" : "s");
    snprintf(text, sizeof text, "ranks are on %d node%s, %d on each, by their numbers, and those of a node share its memory", nodes,
             nodes == 1 ? "" : "s", ranks);
    result_assume_briefly(&v->result, ASSUMED_NODES, brief, text);
}

static void assume_reductions(struct verification *v)
{
    static const char few[] =
        "of sums and products of floating point numbers, and of operators of the program, a few orders of combining were tried: one "
        "after the other from either end, trees and rings; each different result was%s; not on intercommunicators, nor of datatypes with gaps";
    char text[sizeof few + 64];
    if (!v->options.world.reductions) {
        result_assume(&v->result, ASSUMED_REDUCTIONS);
        return;
    }
    bool chosen = strcmp(v->options.world.reductions, WIRE_REDUCTIONS_CHOSEN) == 0;
    snprintf(text, sizeof text, few, chosen ? " a choice, the same one at all members of an MPI_Allreduce" : " told");
    result_assume_briefly(&v->result, ASSUMED_REDUCTIONS, chosen ? "a few orders of reductions" : "one order of reductions", text);
}

void verification_assume(struct verification *v)
{
    bool job = v->options.dist;
    if (!v->options.arguments.inputs) /* which these were is said in the end */
        result_assume(&v->result, ASSUMED_INPUT);
    if (!job)
        result_assume(&v->result, ASSUMED_LAYOUT);
    if (v->options.world.skewed)
        result_assume_briefly(&v->result, ASSUMED_CLOCKS, "clocks that leap once",
                              "MPI_Wtime and the clocks of the C library advance when they are read, with messages and by what is slept, "
                              "leap while polls say no, and may have leapt by an hour, once in each rank, before one of its first 16 "
                              "readings; how long computing takes is not varied otherwise");
    else
        result_assume(&v->result, job ? ASSUMED_REAL_CLOCKS : ASSUMED_CLOCKS);
    result_assume(&v->result, ASSUMED_RANDOM);
    if (!job && !(v->options.arguments.nodes && strchr(v->options.arguments.nodes, ','))) /* of several, each is said in its turn */
        verification_assume_nodes(v);
    if (!job)
        assume_reductions(v);
    if (!v->options.world.faults)
        result_assume(&v->result, ASSUMED_FAULTS);
    result_assume(&v->result, ASSUMED_FILES);
    if (job)
        result_assume(&v->result, ASSUMED_COLLECTIVES);
    if (!job && !machine_watches_accesses() && !v->options.world.unguarded)
        result_assume(&v->result, ASSUMED_BUFFERS);
}

/* Loops at one place of the program: they were met in many histories. */
struct polling {
    char *place; /* owns */
    uint32_t states, tried; /* where a poll can succeed, and those where that was tried in later rounds, too; */
    bool whole;             /* of these, all that can follow was looked at */
    uint32_t endless, gives_up, settles; /* the least that one that goes on, and the most that one that gives up, or stops to change, was told no; 0: none */
};

typedef VEC(struct polling) pollings_t;

static struct polling *polling_at(pollings_t *pollings, char *place)
{
    for (size_t i = 0; i < pollings->n; i++)
        if (strcmp(pollings->at[i].place, place) == 0) {
            free(place);
            return &pollings->at[i];
        }
    vec_push(pollings, (struct polling){.place = place});
    return &vec_last(pollings);
}

static char *place_of_op(struct verification *v, uint32_t number)
{
    rank_t rank;
    const struct op *op = explore_op(v->run.explorer, number, &rank);
    struct final_state final = run_view_final_state(&v->run);
    struct site site = site_of_op(&final, v->symbols, rank, op, -1);
    char *place = xstrdup(site.place);
    site_release(&site);
    return place;
}

static void note_polled(struct polling *at, const struct polled *polled)
{
    at->states += polled->states;
    at->tried += polled->tried;
    at->whole = polled->whole;
    if (polled->gives_up && polled->noes > at->gives_up)
        at->gives_up = polled->noes;
    else if (polled->settles && polled->noes > at->settles)
        at->settles = polled->noes;
    else if (!polled->gives_up && !polled->settles && (!at->endless || polled->noes < at->endless))
        at->endless = polled->noes;
}

/* Names of places are looked up once for each address. */
static pollings_t find_pollings(struct verification *v)
{
    pollings_t pollings = {0};
    struct map known = {0};
    struct polled polled = {0};
    while (explore_next_polled(v->run.explorer, polled.head, &polled)) {
        rank_t rank;
        uint64_t address = explore_op(v->run.explorer, polled.op, &rank)->place;
        uint32_t at;
        if (!map_get(&known, map_key(address), &at)) {
            at = (uint32_t)(polling_at(&pollings, place_of_op(v, polled.op)) - pollings.at);
            map_put(&known, map_key(address), at);
        }
        note_polled(&pollings.at[at], &polled);
    }
    map_release(&known);
    return pollings;
}

static void assume_polls_text(struct verification *v, const struct polling *polling, struct text *text)
{
    char *sentence = text_close(text);
    result_assume_that(&v->result, ASSUMED_POLLS, polling->place, sentence);
    free(sentence);
}

/* In which rounds between those that each state has it was tried that a poll succeeds (explore/later_rounds.c). */
static void name_later_rounds(struct text *text, const struct polling *polling, const char *rounds)
{
    fprintf(text->out, "; once in a run, this was also tried %s, and on both sides of where the rank was seen to go on otherwise", rounds);
    if (polling->tried < polling->states)
        fprintf(text->out, ", in %" PRIu32 " of %" PRIu32 " states where it can be", polling->tried, polling->states);
    if (!polling->whole)
        fputs(", with some of what can follow then", text->out);
}

static void assume_endless_polls(struct verification *v, const struct polling *polling)
{
    struct text text;
    text_open(&text);
    fprintf(text.out,
            "polls were taken to go on until they succeed; after %" PRIu32 " times no the rank still polled, and that one succeeds was tried in the "
            "first round%s, though polling changes something in the rank",
            polling->endless, polling->tried ? "" : " only");
    if (polling->tried)
        name_later_rounds(&text, polling, "after 1, 2, 4, 8 rounds and so on, and in the last that was looked at");
    assume_polls_text(v, polling, &text);
}

static void assume_polls_that_give_up(struct verification *v, const struct polling *polling)
{
    struct text text;
    text_open(&text);
    fprintf(text.out, "the rank gives up after %" PRIu32 " polls; that one succeeds was tried in the first and in the last round%s",
            polling->gives_up, polling->tried ? "" : " only");
    if (polling->tried)
        name_later_rounds(&text, polling, "1, 2, 4, 8 rounds and so on after the first and before the last one");
    assume_polls_text(v, polling, &text);
}

static void assume_polls_that_settle(struct verification *v, const struct polling *polling)
{
    struct text text;
    text_open(&text);
    fprintf(text.out,
            "polling changes something in the rank %" PRIu32 " times, and then nothing any more; that a poll succeeds was tried in the first "
            "round, in the last of these, and thereafter",
            polling->settles);
    if (polling->tried)
        name_later_rounds(&text, polling, "1, 2, 4, 8 rounds and so on after the first and before the last of these");
    assume_polls_text(v, polling, &text);
}

/* Names need processes: if ranks can be run no more, none is told, and that is a bound anyway. */
void verification_assume_polls(struct verification *v, const struct explore_result *explored)
{
    struct polled any;
    if (explored->left & LEFT_RUNNER || !explore_next_polled(v->run.explorer, NODE_NONE, &any))
        return;
    v->run.run = NULL;
    v->run.account = explore_first_account(v->run.explorer);
    pollings_t pollings = find_pollings(v);
    for (size_t i = 0; i < pollings.n; i++) {
        const struct polling *polling = &pollings.at[i];
        if (polling->endless)
            assume_endless_polls(v, polling);
        if (polling->gives_up)
            assume_polls_that_give_up(v, polling);
        if (polling->settles)
            assume_polls_that_settle(v, polling);
        free(polling->place);
    }
    vec_release(&pollings);
}

/* ---- what was not done with ranks ---- */

typedef VEC(rank_t) ranks_t;

static void name_ranks(struct text *text, const ranks_t *ranks)
{
    describe_ranks(text->out, ranks->at, (int)ranks->n, " and ");
}

static void assume_text(struct verification *v, enum assumption_kind kind, struct text *text)
{
    char *sentence = text_close(text);
    result_assume_that(&v->result, kind, NULL, sentence);
    free(sentence);
}

/* Ranks for which the same is in the way of a copy, in one sentence. */
static void assume_uncopied(struct verification *v, enum obstacle why)
{
    ranks_t ranks = {0};
    struct text text;
    for (rank_t r = 0; r < v->run.ranks; r++)
        if (drive_uncopied(v->run.drive, r) == why)
            vec_push(&ranks, r);
    if (ranks.n) {
        text_open(&text);
        name_ranks(&text, &ranks);
        fprintf(text.out, " %s not copied but run again from the start,%s because %s%s", ranks.n > 1 ? "were" : "was",
                drive_stopped_merging(v->run.drive) ? " and nothing was merged any more," : "", obstacle_text(why),
                why == OBSTACLE_SHARED_MEMORY ? "; what is found there of others is what it happened to be" : "");
        assume_text(v, ASSUMED_COPIES, &text);
    }
    vec_release(&ranks);
}

static bool some_rank_was_uncopied(const struct verification *v)
{
    rank_t r = 0;
    while (r < v->run.ranks && !drive_uncopied(v->run.drive, r))
        r++;
    return r < v->run.ranks;
}

/* Of a rank that was not copied that is told already. */
static void assume_unmerged(struct verification *v, enum doubt why)
{
    ranks_t ranks = {0};
    struct text text;
    for (rank_t r = 0; r < v->run.ranks; r++)
        if (drive_doubts(v->run.drive, r).unmerged == why && !drive_uncopied(v->run.drive, r))
            vec_push(&ranks, r);
    if (ranks.n) {
        text_open(&text);
        fprintf(text.out, "histories of ");
        name_ranks(&text, &ranks);
        fprintf(text.out, " were not merged, because %s", doubt_text(why, ranks.n > 1));
        assume_text(v, ASSUMED_MERGING, &text);
    }
    vec_release(&ranks);
}

/* What MPI calls write each run has for itself (call/file_store.h). */
static bool has_own_contents(const struct verification *v)
{
    return !v->backend.dist && v->options.world.files_apart && explore_has_file_accesses(v->run.explorer);
}

/*
 * Copies of a rank, other ranks and runs to come all see one file system.  What one of them finds may be of another, so
 * such a rank is not run again for a try either.
 */
static void assume_shared_files(struct verification *v)
{
    ranks_t ranks = {0};
    struct text text;
    for (rank_t r = 0; r < v->run.ranks; r++)
        if (drive_doubts(v->run.drive, r).changed_files)
            vec_push(&ranks, r);
    if (ranks.n) {
        text_open(&text);
        name_ranks(&text, &ranks);
        fprintf(text.out,
                " made, changed or removed files, which all ranks and runs share%s; whether %s the same each time was not "
                "tried",
                has_own_contents(v) ? ", save what MPI calls read of files that MPI calls have written" : "",
                ranks.n > 1 ? "they do" : "it does");
        assume_text(v, ASSUMED_FILES, &text);
    }
    vec_release(&ranks);
}

/* Not of files: see above. */
static void assume_untried(struct verification *v, enum doubt why)
{
    ranks_t ranks = {0};
    struct text text;
    for (rank_t r = 0; r < v->run.ranks; r++)
        if (drive_doubts(v->run.drive, r).untried == why)
            vec_push(&ranks, r);
    if (ranks.n) {
        text_open(&text);
        fprintf(text.out, "whether ");
        name_ranks(&text, &ranks);
        fprintf(text.out, " %s the same each time was not tried, because %s", ranks.n > 1 ? "do" : "does",
                doubt_text(why, ranks.n > 1));
        assume_text(v, ASSUMED_RANDOM, &text);
    }
    vec_release(&ranks);
}

/* What it means that histories are one which differ in what nothing depends on. */
static void assume_followed(struct verification *v)
{
    struct relevance_cost cost;
    struct text text;
    bool followed = drive_followed(v->run.drive, &cost);
    if (v->options.engine != ENGINE_PATHS)
        return;
    text_open(&text);
    if (followed)
        fprintf(text.out,
                "%" PRIu64 " histories were taken for others that differ from them only in bytes on which no branch, no address "
                "and no argument of a call depends in what follows; functions that print, and those of the mathematical library, "
                "were taken to do nothing else; buffers were neither watched nor checked for their bounds, and message races not looked for",
                cost.joined - cost.withdrawn);
    else
        fputs("ranks were not followed instruction by instruction: this machine is not known, or nothing was merged", text.out);
    assume_text(v, ASSUMED_FOLLOWING, &text);
    if (!followed || !cost.why)
        return;
    text_open(&text);
    fprintf(text.out, "%" PRIu64 " of %" PRIu64 " segments could not be followed, the first one because of %s: what comes before "
            "was not taken for anything else", cost.lost, cost.lost + cost.followed, cost.why);
    assume_text(v, ASSUMED_FOLLOWING, &text);
}

/* What one-sided communication leaves open beside locks and atomic accesses. */
static void assume_windows(struct verification *v)
{
    const char *touches = v->looks.runs.n || v->told_touches
                              ? ""
                              : "; of the program's own loads and stores, only what they change in windows is known";
    struct text text;
    if (!explore_has_windows(v->run.explorer))
        return;
    text_open(&text);
    if (v->all_orders && !v->check.unfollowed)
        fprintf(text.out, "accesses to windows were compared in every order of locks and atomic accesses%s", touches);
    else
        fprintf(text.out, "accesses to windows were compared in %" PRIu64 " order%s of locks and atomic accesses, and there may be more%s",
                v->result.runs + v->orders, v->result.runs + v->orders == 1 ? "" : "s", touches);
    assume_text(v, ASSUMED_WINDOWS, &text);
}

/* A slow rank shows that it has not waited (second_look.c), but not always: there are only so many such runs. */
void verification_assume_news(struct verification *v)
{
    result_assume_that(&v->result, ASSUMED_WINDOWS, NULL,
                       "a rank that may have loaded from a window what another one has stored there was taken to have waited for that");
}

/* A program that tells of what it loads and stores does so in all runs. */
static void assume_told_touches(struct verification *v)
{
    if (!v->told_touches || !explore_windows(v->run.explorer).slots)
        return;
    result_assume_that(&v->result, ASSUMED_WINDOWS, NULL,
                       "loads and stores in windows were told by the program, which was built with -fsanitize=thread, in all "
                       "runs; of libraries that were not built so, and of blocks that the compiler moves in place, only what they "
                       "change is known");
    struct run_view view = v->run;
    view.account = explore_first_account(view.explorer);
    verification_assume_unseen(v, view);
    if (v->check.races.by_news)
        verification_assume_news(v);
}

static bool makes_window(const struct op *op)
{
    return op->call == CALL_Win_create || op->call == CALL_Win_create_dynamic || op->call == CALL_Win_allocate ||
           op->call == CALL_Win_allocate_shared;
}

static bool has_op_that(const struct verification *v, bool does(const struct op *))
{
    for (node_id id = 1; id <= explore_nodes(v->run.explorer); id++) {
        struct history history = explore_history(v->run.explorer, id);
        const struct op *op = history.ops;
        for (uint32_t i = 0; i < history.count; i++, op = op_next(op))
            if (does(op))
                return true;
    }
    return false;
}

/* On a real job the library has the windows, and the order in which it does things is the one that is looked at. */
static void assume_windows_of_job(struct verification *v)
{
    struct text text;
    if (!v->options.dist || !has_op_that(v, makes_window))
        return;
    text_open(&text);
    fputs("accesses to windows were compared in the order that the MPI library gave them, and by the info keys with which windows "
          "were made; those to shared windows, MPI_Rget, buffers of one-sided operations, and loads and stores of the program were not", text.out);
    if (v->check.unfollowed)
        fprintf(text.out, ", nor any of %" PRIu64 " run%s that no job has made as a whole, or with too many accesses",
                v->check.unfollowed, v->check.unfollowed == 1 ? "" : "s");
    assume_text(v, ASSUMED_WINDOWS, &text);
}

/* Where all runs share the files, what one rank reads of what another has written may be from another run. */
static void assume_files(struct verification *v)
{
    const struct file_races *files = &v->check.files;
    struct text text;
    if (v->options.dist && files->told) {
        text_open(&text);
        fputs("accesses to files were compared in the order that the jobs made them; those at shared file pointers were not", text.out);
        if (files->unfollowed)
            fprintf(text.out, ", nor any of %" PRIu64 " run%s that no job has made as a whole, or with too many accesses", files->unfollowed,
                    files->unfollowed == 1 ? "" : "s");
        assume_text(v, ASSUMED_FILES, &text);
    }
    if (!explore_has_file_accesses(v->run.explorer))
        return;
    if (!v->all_orders || files->unfollowed) {
        text_open(&text);
        fprintf(text.out, "accesses to files were compared in %" PRIu64 " orders, and there may be more",
                v->result.runs + v->orders - files->unfollowed);
        assume_text(v, ASSUMED_FILES, &text);
    }
    if (has_own_contents(v) || !files->read_from_others || v->result.runs + v->result.merged < 2)
        return;
    text_open(&text);
    fprintf(text.out, "what rank %d reads of a file by %s was written by rank %d; in each run it was taken to be what was there when it was first read",
            files->reader, call_name(files->read.call), files->writer);
    assume_text(v, ASSUMED_FILES, &text);
}

/* Only where somebody could see the difference: accesses that all commute are in no order at all. */
static void assume_order_of_atomics(struct verification *v)
{
    if (explore_has_windows(v->run.explorer) && explore_windows(v->run.explorer).ordered)
        result_assume_that(&v->result, ASSUMED_WINDOWS, NULL,
                           "atomic accesses of one rank to the window of another were made in the order of their calls, and each "
                           "as a whole: MPI orders only those to the same place, and is atomic only for each element");
    if (v->check.races.given_up)
        result_assume_that(&v->result, ASSUMED_WINDOWS, NULL,
                           "no atomic access of a rank has overtaken its MPI_Rget_accumulate to the same place if there was another call between "
                           "the two, though the info key accumulate_ordering gives that order up");
    if (v->check.races.commuting && v->check.races.between)
        result_assume_that(&v->result, ASSUMED_WINDOWS, NULL,
                           "of two atomic accesses of a rank to the same place that commute, none has overtaken the other, though the "
                           "info key accumulate_ordering gives their order up, and an access between them may see it");
}

/* Clocks and random numbers that nobody could fix. */
static void assume_noise(struct verification *v)
{
    v->run.run = NULL;
    v->run.account = explore_first_account(v->run.explorer);
    char *sentence = v->run.account ? difference_noise(&v->run, v->symbols) : NULL;
    if (sentence)
        result_assume_that(&v->result, ASSUMED_RANDOM, NULL, sentence);
    free(sentence);
}

void verification_assume_copies(struct verification *v)
{
    assume_windows(v);
    assume_told_touches(v);
    assume_windows_of_job(v);
    assume_files(v);
    assume_order_of_atomics(v);
    if (!v->run.drive)
        return;
    if (drive_saw_preference(v->run.drive))
        result_assume(&v->result, ASSUMED_PREFERENCE);
    if (drive_saw_measurements(v->run.drive))
        result_assume(&v->result, ASSUMED_MEASUREMENTS);
    if (drive_saw_turns(v->run.drive))
        result_assume_that(&v->result, ASSUMED_THREADS, NULL,
                           "threads of a rank took turns: they were switched in MPI calls, at locks of the program and where they "
                           "wait for each other, and not between");
    if (drive_saw_early_threads(v->run.drive))
        result_assume_that(&v->result, ASSUMED_THREADS, NULL,
                           "threads that were there before MPI_Init took no turns: what they do, and in which order, was left to the system and not varied");
    if (drive_saw_probes_beside(v->run.drive))
        result_assume_that(&v->result, ASSUMED_THREADS, NULL,
                           "a thread that waited in a probe beside other threads of its rank polled, and deadlocks that need less buffering were "
                           "not looked for meanwhile");
    if (drive_saw_restless_thread(v->run.drive))
        result_assume_that(&v->result, ASSUMED_THREADS, NULL,
                           drive_saw_turns(v->run.drive)
                               ? "a thread that ran for a second while others waited for it was taken to wait for one of them"
                               : "a thread that had not come to rest after a second was taken not to call MPI");
    assume_noise(v);
    assume_shared_files(v);
    assume_followed(v);
    for (int why = DOUBT_NONE + 1; why < DOUBTS; why++) {
        if (why != DOUBT_FILES)
            assume_untried(v, (enum doubt)why);
        assume_unmerged(v, (enum doubt)why);
    }
    for (int why = OBSTACLE_NONE + 1; why < OBSTACLES; why++)
        assume_uncopied(v, (enum obstacle)why);
    if (drive_lacks_images(v->run.drive) && !some_rank_was_uncopied(v))
        result_assume_that(&v->result, ASSUMED_MERGING, NULL,
                           "histories were not merged any more, because the memory of a rank could not be looked at");
}

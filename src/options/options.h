/*
 * options -- what the commands that run a program make of what was said to them.
 */
#ifndef OPTIONS_OPTIONS_H
#define OPTIONS_OPTIONS_H

#include "options/arguments.h"
#include "report/terminal.h"
#include "result/policy.h"
#include "world/world.h"

/* Who looks for deadlocks in runs that were not made: nobody, prediction beside the search, or prediction alone. */
enum engine {
    ENGINE_AUTO = ARGUMENT_ENGINE_AUTO,
    ENGINE_EXPLORE = ARGUMENT_ENGINE_EXPLORE,
    ENGINE_PREDICT = ARGUMENT_ENGINE_PREDICT,
    ENGINE_PATHS = ARGUMENT_ENGINE_PATHS, /* nobody, and ranks are followed (flow/relevance.h) */
};

struct run_options {
    struct arguments arguments; /* owns; what follows is what it comes to */
    struct world_options world;
    bool dist;             /* on a real MPI */
    const char *buffering; /* "infinite", "zero", "eager=BYTES", "any" */
    bool any_slack;
    const char *output; /* where the result is kept */
    bool no_merge;
    uint32_t jobs;
    enum engine engine;
    struct policy policy; /* owns: what becomes of findings */
    const char *file;     /* predict: a record; NULL: the program is run */
};

/* All die with a sentence if something makes no sense. */
struct run_options options_for_verify(int argc, char **argv);
struct run_options options_for_dist(int argc, char **argv);
struct run_options options_for_resume(int argc, char **argv); /* `output` is the directory */
struct run_options options_for_predict(int argc, char **argv);
struct run_options options_for_run(int argc, char **argv);
struct run_options options_for_model(int argc, char **argv); /* without -n, argv[0] of the world is a scenario */
struct run_options options_for_explain_states(int argc, char **argv);
void options_release(struct run_options *);

/* So many numbers are there for ranks that others start, and for the registry (call/dynamic.h). */
void options_allow_spawn(struct run_options *, int spawnable);

/* What a kind of buffering, other than "any", is for the semantics (sem.h). */
uint64_t options_slack(const char *buffering);

/* A kind of --reductions as ranks are told it (WIRE_ENV_REDUCTIONS). */
const char *options_reductions(int kind);

struct terminal options_terminal(FILE *, const struct arguments *);

#endif

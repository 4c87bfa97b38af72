/*
 * options -- the options of the commands that run a program.
 */
#ifndef COMMAND_OPTIONS_H
#define COMMAND_OPTIONS_H

#include "predict/predict.h"
#include "report/terminal.h"
#include "result/policy.h"
#include "world/world.h"

/* What becomes of findings: command/judging.c. */
struct judging {
    struct policy policy;  /* owns */
    bool gen_suppressions; /* rules for what was found are printed */
    int error_exitcode;    /* in place of 1; 0: not given */
    const char *each_args; /* a file of argument lines; or NULL */
};

/* tourney dist: on a real MPI. */
struct dist_words {
    bool asked;
    const char *launcher; /* NULL: that of the program's MPI library */
    const char *clock;    /* NULL: not given */
    uint32_t parallel;    /* 0: not given */
    bool show;
};

/* Who looks for deadlocks in runs that were not made: nobody, prediction beside the search, or prediction alone. */
enum engine { ENGINE_AUTO, ENGINE_EXPLORE, ENGINE_PREDICT };

/* How prediction is asked. */
struct asking {
    enum encoding encoding;
    const char *dimacs, *proof; /* files; NULL: not wanted */
    const char *can;            /* "A,B": not whether there is a deadlock, but whether these can meet */
};

struct run_options {
    struct world_options world;
    struct dist_words dist;
    const char *buffering; /* "infinite", "zero", "eager=BYTES", "any" */
    bool any_slack;
    const char *output; /* -o; NULL: not given */
    const char *record; /* --record, or for run also -o */
    uint64_t max_runs;
    double seconds;
    bool stop_first;
    bool quiet;
    const char *sarif, *junit; /* files for other tools; NULL: none */
    bool ci;                   /* lines for GitHub */
    enum colour colour;
    bool no_merge;
    uint32_t jobs;
    int64_t mix_bound; /* -1: none */
    uint64_t samples, seed;
    struct judging judging;
    enum engine engine;
    bool single_path; /* --assume single-path */
    struct asking asking;
    const char *file; /* predict: a record; NULL: the program is run */
    const char *emit; /* model: in which language; NULL: not at all, */
    bool check;       /* or that it is checked; */
    bool no_fold;     /* nodes with the same future stay apart */
};

struct replay_options {
    const char *dir;
    uint32_t id;       /* of the finding */
    uint32_t step;     /* 0: to the end */
    bool list;         /* the steps, in place of showing them */
    bool gdb, vscode;
    enum colour colour;
    char **command;    /* for gdb without a terminal; owns the list */
    size_t commands;
};

/* All die with a sentence if something makes no sense. */
struct run_options options_for_verify(int argc, char **argv);
struct run_options options_for_dist(int argc, char **argv);
struct run_options options_for_resume(int argc, char **argv); /* `output` is the directory */
struct run_options options_for_predict(int argc, char **argv);
struct run_options options_for_run(int argc, char **argv);
struct run_options options_for_model(int argc, char **argv); /* without -n, argv[0] of the world is a scenario */
struct replay_options options_for_replay(int argc, char **argv);

/* What a kind of buffering, other than "any", is for the semantics (sem.h); whether that could have been said, too. */
uint64_t options_slack(const char *buffering, bool any);

#endif

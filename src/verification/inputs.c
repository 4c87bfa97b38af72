/*
 * inputs -- a search for each input that shows something new (--inputs).
 *
 * Inputs are tried in single runs (inputs/trial.h), by a guide that makes new ones from those that are known.  Each that is kept is
 * written to the user's folder and to the result directory, and searched from there with a budget of runs, so that a finding names a file
 * that stays, and replay finds it.
 */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/deadline.h"
#include "base/die.h"
#include "inputs/corpus.h"
#include "inputs/guide.h"
#include "inputs/trial.h"
#include "options/input_lines.h"
#include "result/assumptions.h"
#include "verification/verification.h"

enum { RUNS_OF_INPUT = 1000 }; /* of a search, unless --max-runs says otherwise */

static const char trial_name[] = ".trial";

/* Of an input that is kept. */
struct kept_name {
    char *name;  /* owns; in the corpus, and in the result directory */
    bool ours;   /* not the user's */
    bool guilty; /* something was found with it */
};

struct inputs {
    struct verification *v;
    struct guide guide;
    struct input_trial trial;
    struct corpus corpus;
    VEC(struct kept_name) names; /* by number of the guide */
    const char *now;       /* the file that is tried, if it is one of the corpus */
    char *folder;          /* owns: that of inputs in the result directory */
    struct progress clock; /* of all, whereas that of the verification is of each search */
    uint64_t searched;
};

/* ---- trying ---- */

static const char *ending_of(const char *name)
{
    const char *end = strrchr(name, '.');
    return end ? end : "";
}

static void try_input(void *data, const input_bytes_t *bytes, uint32_t from, struct observation *seen)
{
    struct inputs *inputs = data;
    if (inputs->trial.signal)
        return; /* it shows nothing, then */
    const char *like = from == GUIDE_NOTHING ? inputs->now : inputs->names.at[from].name;
    char *name = xformat("%s%s", trial_name, ending_of(like)), *path = xformat("%s/%s", inputs->folder, name);
    corpus_write(inputs->folder, name, bytes);
    struct argument_line line = {0};
    if (input_line_make(&line, inputs->v->session.options.world.argv, path, bytes->at, bytes->n)) {
        inputs->trial.world.argv = line.argv;
        inputs->trial.world.input = line.is_standard_input ? path : NULL;
        input_trial_run(&inputs->trial, seen);
    }
    argument_line_release(&line);
    unlink(path);
    free(path);
    free(name);
}

/* ---- time ---- */

static double seconds_for_inputs(const struct inputs *inputs)
{
    double all = inputs->v->session.options.arguments.time;
    return all > 0 ? all - progress_seconds(&inputs->clock) : 1;
}

static bool inputs_are_over(const struct inputs *inputs)
{
    const struct verification *v = inputs->v;
    return inputs->trial.signal || drive_signal() || v->refused || seconds_for_inputs(inputs) <= 0 ||
           (v->options.arguments.stop_first && result_has_errors(&v->result));
}

/* ---- the folder beside the result ---- */

/* What an earlier search has left there. */
static void empty_folder(const char *folder)
{
    DIR *dir = opendir(folder);
    if (!dir)
        die("%s: %s", folder, strerror(errno));
    for (const struct dirent *entry; (entry = readdir(dir));)
        unlinkat(dirfd(dir), entry->d_name, 0); /* not . and .., which are folders */
    closedir(dir);
}

static void take_folder(const struct inputs *inputs)
{
    struct stat ours, users;
    if (mkdir(inputs->folder, 0777) < 0 && errno != EEXIST)
        die("cannot make the directory %s: %s", inputs->folder, strerror(errno));
    if (stat(inputs->folder, &ours) == 0 && stat(inputs->corpus.folder, &users) == 0 && ours.st_dev == users.st_dev &&
        ours.st_ino == users.st_ino)
        die("--inputs: %s is where the inputs of the result are kept: copy it elsewhere, or choose another result with -o",
            inputs->corpus.folder);
    empty_folder(inputs->folder);
}

/* ---- searching ---- */

static void limit_search(struct inputs *inputs)
{
    struct verification *v = inputs->v;
    if (!v->options.arguments.max_runs)
        v->options.arguments.max_runs = RUNS_OF_INPUT;
    if (v->session.options.arguments.time > 0)
        v->options.arguments.time = v->options.world.seconds = seconds_for_inputs(inputs);
}

static void search_input(struct inputs *inputs, uint32_t number)
{
    struct verification *v = inputs->v;
    struct kept_name *kept = &inputs->names.at[number];
    const input_bytes_t *bytes = &inputs->guide.kept.at[number].bytes;
    char *path = xformat("%s/%s", inputs->folder, kept->name);
    struct argument_line line = {0};
    size_t findings = v->result.findings.n;
    corpus_write(inputs->folder, kept->name, bytes);
    if (input_line_make(&line, v->session.options.world.argv, path, bytes->at, bytes->n)) {
        limit_search(inputs);
        vec_push(&v->lines, line);
        verification_search_line(v, v->lines.n - 1);
        inputs->searched++;
    }
    inputs->names.at[number].guilty = v->result.findings.n > findings;
    free(path);
}

/* ---- what is kept ---- */

static void begin_with_file(struct inputs *inputs, size_t file)
{
    const struct corpus_file *known = &inputs->corpus.files.at[file];
    input_bytes_t bytes = corpus_read(&inputs->corpus, file);
    inputs->now = known->name;
    uint32_t number = guide_begin_with(&inputs->guide, &bytes, !known->ours);
    vec_release(&bytes);
    if (number != GUIDE_NOTHING) {
        vec_push(&inputs->names, (struct kept_name){xstrdup(known->name), known->ours, false});
        search_input(inputs, number);
    } else {
        corpus_remove(&inputs->corpus, known->name); /* of ours, and it shows nothing that others do not show */
    }
}

static void keep_new(struct inputs *inputs, uint32_t number)
{
    const struct kept_input *kept = &inputs->guide.kept.at[number];
    char *name = corpus_name(&kept->bytes, inputs->names.at[kept->from].name);
    corpus_write(inputs->corpus.folder, name, &kept->bytes);
    vec_push(&inputs->names, (struct kept_name){name, true, false});
    search_input(inputs, number);
}

/* Of those that show a feature, the shortest is enough; the user's stay in any case. */
static uint32_t best_with_feature(const struct inputs *inputs, uint32_t best, uint32_t other)
{
    const struct kept_input *a = &inputs->guide.kept.at[best], *b = &inputs->guide.kept.at[other];
    if (inputs->names.at[best].ours != inputs->names.at[other].ours)
        return inputs->names.at[best].ours ? other : best;
    return b->bytes.n < a->bytes.n ? other : best;
}

static void minimise(struct inputs *inputs)
{
    struct map best = {0};
    size_t n = inputs->guide.kept.n;
    bool *needed = xcalloc(n, sizeof *needed);
    for (uint32_t i = 0; i < n; i++)
        for (size_t j = 0; j < inputs->guide.kept.at[i].features.n; j++) {
            struct map_key key = map_key(inputs->guide.kept.at[i].features.at[j]);
            uint32_t known;
            map_put(&best, key, map_get(&best, key, &known) ? best_with_feature(inputs, known, i) : i);
        }
    for (size_t i = 0; i < best.cap; i++)
        if (best.slot[i].full)
            needed[best.slot[i].value] = true;
    for (uint32_t i = 0; i < n; i++)
        if (inputs->names.at[i].ours && !needed[i] && !inputs->names.at[i].guilty)
            corpus_remove(&inputs->corpus, inputs->names.at[i].name);
    free(needed);
    map_release(&best);
}

/* ---- what is said ---- */

/* An input that was tried and not searched is none that the verdict is about. */
static void assume_inputs(const struct inputs *inputs)
{
    struct result *result = &inputs->v->result;
    char brief[64], text[640];
    uint64_t n = inputs->searched;
    snprintf(brief, sizeof brief, n == 1 ? "this input" : "these %" PRIu64 " inputs", n);
    snprintf(text, sizeof text,
             "the program was run with %" PRIu64 " input%s: of %" PRIu64 " that were tried in a single run, those that were there before, and "
             "those that showed %s which no other had shown; arguments apart from that, environment and other files were the same", n,
             n == 1 ? "" : "s", inputs->guide.tries,
             inputs->guide.tells ? "a branch, a call of MPI or an order of these" : "a call of MPI or an order of them");
    result_assume_briefly(result, ASSUMED_INPUT, brief, text);
    struct result_assumption first = vec_last(&result->assumptions); /* as where there is one input */
    memmove(result->assumptions.at + 1, result->assumptions.at, (result->assumptions.n - 1) * sizeof first);
    result->assumptions.at[0] = first;
    if (!inputs->guide.tells)
        result_assume_that(result, ASSUMED_INPUT, NULL,
                           "the program was not built to tell of its branches (tourney_coverage.h), so inputs were told apart by its calls of MPI only");
}

static void note_bounds(struct inputs *inputs)
{
    struct verification *v = inputs->v;
    char text[128];
    if (!inputs->trial.signal && seconds_for_inputs(inputs) > 0)
        return;
    if (inputs->trial.signal)
        snprintf(text, sizeof text, "stopped by signal %d (%s)", inputs->trial.signal, strsignal(inputs->trial.signal));
    else
        snprintf(text, sizeof text, "time limit of %.10g s reached", v->session.options.arguments.time);
    result_add_bound(&v->result, text);
    if (v->result.verdict == VERDICT_CLEAN)
        v->result.verdict = VERDICT_INCOMPLETE;
}

static void tell_inputs(const struct inputs *inputs)
{
    printf("tourney: %" PRIu64 " inputs tried, %" PRIu64 " searched; those that show something new are in %s\n",
           inputs->guide.tries, inputs->searched, inputs->corpus.folder);
}

static void kept_name_release(struct kept_name *kept)
{
    free(kept->name);
}

void verification_search_inputs(struct verification *v)
{
    struct inputs inputs = {.v = v, .folder = xformat("%s/inputs", v->session.dir.path)};
    const struct arguments *arguments = &v->options.arguments;
    corpus_open(&inputs.corpus, arguments->inputs);
    take_folder(&inputs);
    guide_init(&inputs.guide, (uint64_t)arguments->seed, (uint64_t)arguments->input_tries, try_input, &inputs);
    input_trial_open(&inputs.trial, &v->session.options.world);
    progress_begin(&inputs.clock, arguments->quiet);
    for (size_t i = 0; i < inputs.corpus.files.n && !inputs_are_over(&inputs); i++)
        begin_with_file(&inputs, i);
    while (!guide_is_over(&inputs.guide) && !inputs_are_over(&inputs)) {
        uint32_t number = guide_go_on(&inputs.guide);
        if (number != GUIDE_NOTHING)
            keep_new(&inputs, number);
    }
    if (!inputs_are_over(&inputs))
        minimise(&inputs);
    assume_inputs(&inputs);
    note_bounds(&inputs);
    v->signal = inputs.trial.signal;
    v->is_over = true;
    verification_save(v);
    tell_inputs(&inputs);
    vec_release_each(&inputs.names, kept_name_release);
    input_trial_close(&inputs.trial);
    guide_release(&inputs.guide);
    corpus_release(&inputs.corpus);
    free(inputs.folder);
}

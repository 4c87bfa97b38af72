#include "result/result.h"

#include <string.h>

#include "result/parts.h"

const char result_unfinished[] = "the search did not come to its end";

void site_release(struct site *site)
{
    free(site->call);
    free(site->text);
    free(site->place);
    free(site->function);
    free(site->file);
    vec_release_each(&site->callers, named_place_release);
}

void kept_decision_release(struct kept_decision *choice)
{
    site_release(&choice->site);
    free(choice->text);
}

static void lack_release(struct lack *lack)
{
    vec_release(&lack->ranks);
}

static void waiting_thread_release(struct waiting_thread *thread)
{
    free(thread->call);
    free(thread->lock);
    named_place_release(&thread->place);
}

static void wait_release(struct wait *wait)
{
    vec_release_each(&wait->lacks, lack_release);
    vec_release_each(&wait->threads, waiting_thread_release);
}

static void circle_release(struct circle *circle)
{
    vec_release(&circle->ranks);
}

static void near_miss_release(struct near_miss *miss)
{
    free(miss->end);
    free(miss->difference);
    free(miss->text);
}

static void last_words_release(struct last_words *words)
{
    vec_release_each(&words->lines, string_release);
}

void finding_release(struct finding *finding)
{
    free(finding->kind);
    free(finding->severity);
    free(finding->message);
    free(finding->text);
    vec_release_each(&finding->args, string_release);
    free(finding->input);
    free(finding->lessons);
    vec_release(&finding->ranks);
    vec_release_each(&finding->places, site_release);
    vec_release_each(&finding->decisions, kept_decision_release);
    vec_release(&finding->cancellable);
    vec_release_each(&finding->buffered, site_release);
    vec_release_each(&finding->unbuffered, site_release);
    vec_release_each(&finding->clean, kept_decision_release);
    vec_release_each(&finding->waits, wait_release);
    vec_release_each(&finding->cycles, circle_release);
    vec_release(&finding->thread_cycle);
    vec_release_each(&finding->near_misses, near_miss_release);
    vec_release(&finding->culprits);
    free(finding->blame);
    vec_release_each(&finding->last_words, last_words_release);
}

static void assumption_release(struct result_assumption *assumption)
{
    free(assumption->kind);
    free(assumption->brief);
    free(assumption->text);
    free(assumption->place);
}

void result_release(struct result *result)
{
    free(result->program);
    free(result->binary);
    vec_release_each(&result->args, string_release);
    free(result->inputs);
    free(result->cwd);
    vec_release(&result->spawned);
    vec_release_each(&result->made_files, made_file_release);
    free(result->mpi);
    free(result->choices);
    free(result->faults);
    free(result->lessons);
    free(result->buffering);
    vec_release_each(&result->bounds, string_release);
    vec_release_each(&result->next, string_release);
    free(result->complete);
    vec_release_each(&result->assumptions, assumption_release);
    vec_release_each(&result->findings, finding_release);
}

bool finding_is_error(const struct finding *finding)
{
    return strcmp(finding->severity, "error") == 0;
}

bool result_has_errors(const struct result *result)
{
    for (size_t i = 0; i < result->findings.n; i++)
        if (finding_is_error(&result->findings.at[i]))
            return true;
    return false;
}

void result_add_bound(struct result *result, const char *bound)
{
    for (size_t i = 0; i < result->bounds.n; i++)
        if (strcmp(result->bounds.at[i], bound) == 0)
            return;
    vec_push(&result->bounds, xstrdup(bound));
}

const char *result_below_cwd(const struct result *result, const char *file)
{
    size_t length = result->cwd ? strlen(result->cwd) : 0;
    if (!length || strncmp(file, result->cwd, length) != 0 || file[length] != '/')
        return NULL;
    return file + length + 1;
}

/*
 * sightings -- what is wrong with runs, told once however often it is met.
 *
 * A finding is known by the key of its fault or defect, or by its places.  What is new is in the
 * result directory before it is told; what is known is counted.
 */
#include <stdio.h>
#include <string.h>

#include "verification/verification.h"
#include "base/mem.h"
#include "diagnosis/complaint_groups.h"
#include "diagnosis/diagnosis.h"
#include "diagnosis/fault.h"
#include "verification/run_files.h"

static size_t known_finding(const struct verification *v, const struct finding *finding)
{
    size_t i = 0;
    while (i < v->result.findings.n && !diagnosis_is_same(&v->result.findings.at[i], finding))
        i++;
    return i;
}

static void tell_finding(struct verification *v, const struct finding *finding)
{
    if (!policy_shows(&v->options.policy, finding))
        return;
    progress_clear(&v->progress);
    struct terminal terminal = options_terminal(stdout, &v->options.arguments);
    terminal_show(&terminal, tone_of(finding->severity), finding->text);
    fflush(stdout);
}

/* It was foreseen, or made ahead, and is no run of the search yet. */
static bool is_tried(const struct run *run)
{
    return run && !run->step;
}

/* One finding stands for the run in the tree of decisions. */
static void note_now(struct verification *v, uint32_t at)
{
    if (is_tried(v->run.run))
        return;
    const struct finding *findings = v->result.findings.at;
    if (v->now == NOT_TOLD || (finding_is_error(&findings[at]) && !finding_is_error(&findings[v->now])))
        v->now = at;
}

/* A finding that is known was met once more, in the run that is being visited; whether it is an error. */
static bool meet_again(struct verification *v, uint32_t at)
{
    if (at == NOT_TOLD)
        return false;
    note_now(v, at);
    struct finding *finding = &v->result.findings.at[at];
    if (is_tried(v->run.run))
        return finding_is_error(finding);
    uint64_t run = v->run.run ? v->run.run->number : 0;
    if (run && (v->sightings.at[at].last_run != run || v->run.run->less_slack))
        finding->runs++;
    v->sightings.at[at].last_run = run;
    return finding_is_error(finding);
}

/* Says with which arguments or input, and on which nodes, it was found. */
static void name_line(struct finding *finding, const struct argument_line *line)
{
    char *where = line->nodes ? xformat("  on nodes: %s\n", line->nodes) : xstrdup("");
    char *with = *line->text ? xformat("  with the arguments: %s\n", line->text) : xstrdup("");
    char *from = line->input ? xformat("  with the input: %s\n", line->input) : xstrdup("");
    char *text = xformat("%s%s%s%s", finding->text, where, with, from);
    free(from);
    free(where);
    free(with);
    free(finding->text);
    finding->text = text;
    finding->node_ranks = line->node_ranks;
    finding->input = line->input ? xstrdup(line->input) : NULL;
    for (char **word = line->argv + 1; *word; word++)
        vec_push(&finding->args, xstrdup(*word));
}

/* Takes a new finding, met in a run that ended at `step`; false: it is not to be told. */
static bool keep_finding(struct verification *v, struct finding finding, uint32_t step)
{
    finding.slow = v->looks.slow;
    if (!policy_apply(&v->options.policy, &finding)) {
        finding_release(&finding);
        v->suppressed = true;
        return false;
    }
    bool foreseen = is_tried(v->run.run);
    finding.id = (uint32_t)v->result.findings.n + 1;
    if (v->line)
        name_line(&finding, v->line);
    if (foreseen && !v->run.run->scouted)
        finding.run = finding.runs = 0;
    vec_push(&v->result.findings, finding);
    vec_push(&v->sightings, (struct first_sighting){step, v->run.run ? v->run.run->number : 0, foreseen});
    if (finding_is_error(&finding))
        v->result.verdict = VERDICT_DEFECTS;
    if (v->session.journal)
        journal_flush(v->session.journal);
    run_files_write(&v->session.dir, &v->run, v->symbols, finding.id);
    verification_save(v);
    tell_finding(v, &finding);
    return true;
}

/* The run that is being visited is the first of the search that has it. */
static bool is_only_foreseen(const struct verification *v, uint32_t at)
{
    return at != NOT_TOLD && v->sightings.at[at].foreseen && !is_tried(v->run.run);
}

/*
 * Was it foreseen, and is now met by the search itself?  Then it is known from now on as if it
 * had not been foreseen.  Else the finding is dropped, and the known one was met once more.
 */
static bool meet_with(struct verification *v, uint32_t at, struct finding finding)
{
    if (!is_only_foreseen(v, at) ||
        !policy_apply(&v->options.policy, &finding)) {
        finding_release(&finding);
        return meet_again(v, at);
    }
    struct finding *known = &v->result.findings.at[at];
    finding.id = known->id;
    if (v->line)
        name_line(&finding, v->line);
    finding_release(known);
    *known = finding;
    v->sightings.at[at] = (struct first_sighting){v->run.run->less_slack ? 0 : v->run.run->step, v->run.run->number, false};
    run_files_rewrite(&v->session.dir, &v->run, v->symbols, finding.id);
    note_now(v, at);
    return finding_is_error(known);
}

/* The same of one that may be known by its places; whether it is an error. */
static bool keep_as(struct verification *v, struct map_key key, struct finding finding)
{
    const struct run *run = v->run.run;
    size_t at = known_finding(v, &finding);
    if (at < v->result.findings.n) {
        map_put(&v->known, key, (uint32_t)at);
        return meet_with(v, (uint32_t)at, finding);
    }
    bool told = keep_finding(v, finding, run && !run->less_slack ? run->step : 0);
    map_put(&v->known, key, told ? (uint32_t)at : NOT_TOLD);
    if (told)
        note_now(v, (uint32_t)at);
    return told && finding_is_error(&v->result.findings.at[at]);
}

/* What is new is tried once more before it is told; not what turns out to be known by its places. */
static struct finding make_confirmed(struct verification *v, const struct fault *fault)
{
    struct finding finding = diagnosis_make(&v->run, v->symbols, fault);
    if (known_finding(v, &finding) < v->result.findings.n)
        return finding;
    switch (verification_confirm(v)) {
    case ANEW_SAME:
        break;
    case ANEW_OTHERWISE:
        v->diverged = true;
        diagnosis_turn_to_divergence(&v->run, v->symbols, &finding);
        break;
    case ANEW_UNKNOWN:
        diagnosis_add_line(&finding, "there was no time to confirm it from a fresh start");
        break;
    }
    return finding;
}

static bool look_at_fault(struct verification *v, const struct fault *fault)
{
    uint32_t known;
    if (!map_get(&v->known, fault->key, &known))
        return keep_as(v, fault->key, make_confirmed(v, fault));
    if (is_only_foreseen(v, known))
        return meet_with(v, known, diagnosis_make(&v->run, v->symbols, fault));
    return meet_again(v, known);
}

bool verification_look_at_end(struct verification *v)
{
    faults_t faults = {0};
    bool bad = false;
    faults_add(&v->run, &faults);
    for (size_t i = 0; i < faults.n; i++)
        bad |= look_at_fault(v, &faults.at[i]);
    vec_release(&faults);
    return bad;
}

/* ---- stores in windows of which nobody has seen who made them ---- */

/* A store that was found as a difference, by a call (words/describe.c). */
static bool is_seen_later(const struct site *site)
{
    static const char store[] = "store to ";
    return site->op >= 0 && site->text && strncmp(site->text, store, sizeof store - 1) == 0;
}

static bool is_vague(const struct finding *finding)
{
    for (size_t i = 0; i < finding->places.n; i++)
        if (is_seen_later(&finding->places.at[i]))
            return strcmp(finding->kind, KIND_RMA_RACE) == 0;
    return false;
}

/* A store may be one that another call has found, or one that was seen. */
static bool has_site_like(const struct finding *finding, const struct site *site)
{
    for (size_t i = 0; i < finding->places.n; i++) {
        const struct site *other = &finding->places.at[i];
        if (is_seen_later(site) ? other->op < 0 || is_seen_later(other) : strcmp(other->place, site->place) == 0)
            return true;
    }
    return false;
}

/* Whether a vague finding says no more than another one. */
static bool is_vaguer(const struct finding *vague, const struct finding *other)
{
    if (!is_vague(vague) || strcmp(vague->kind, other->kind) != 0 || vague->places.n != other->places.n)
        return false;
    for (size_t i = 0; i < vague->places.n; i++)
        if (!has_site_like(other, &vague->places.at[i]))
            return false;
    return true;
}

static uint32_t find_no_vaguer(const struct verification *v, const struct finding *finding)
{
    uint32_t at = 0;
    while (at < v->result.findings.n && !is_vaguer(finding, &v->result.findings.at[at]))
        at++;
    return at;
}

bool verification_look_at_defect(struct verification *v, const struct defect *defect)
{
    uint32_t known;
    if (map_get(&v->known, defect->key, &known))
        return is_only_foreseen(v, known) ? meet_with(v, known, diagnosis_of_defect(&v->run, v->symbols, defect)) : meet_again(v, known);
    struct finding finding = diagnosis_of_defect(&v->run, v->symbols, defect);
    known = find_no_vaguer(v, &finding);
    if (known == v->result.findings.n)
        return keep_as(v, defect->key, finding);
    finding_release(&finding);
    map_put(&v->known, defect->key, known);
    return meet_again(v, known);
}

bool verification_look_closer(struct verification *v, const struct defect *defect)
{
    uint32_t at;
    if (map_get(&v->known, defect->key, &at))
        return meet_again(v, at);
    struct finding finding = diagnosis_of_defect(&v->run, v->symbols, defect);
    for (at = 0; at < v->result.findings.n && !is_vaguer(&v->result.findings.at[at], &finding); at++)
        ;
    if (is_vague(&finding)) {
        finding_release(&finding);
        return verification_look_at_defect(v, defect);
    }
    if (at == v->result.findings.n || !policy_apply(&v->options.policy, &finding))
        return keep_as(v, defect->key, finding);
    struct finding *known = &v->result.findings.at[at];
    finding.id = known->id;
    if (v->line)
        name_line(&finding, v->line);
    finding_release(known);
    *known = finding;
    map_put(&v->known, defect->key, at);
    run_files_rewrite(&v->session.dir, &v->run, v->symbols, finding.id);
    tell_finding(v, &finding);
    return finding_is_error(known);
}

/* Complaints are met once, in the run whose segments they are in; later ones of the same place only add ranks. */
static void add_complaining_ranks(struct finding *known, const struct finding *more)
{
    for (size_t i = 0; i < more->ranks.n; i++) {
        size_t k = 0;
        while (k < known->ranks.n && known->ranks.at[k] != more->ranks.at[i])
            k++;
        if (k == known->ranks.n)
            vec_push(&known->ranks, more->ranks.at[i]);
    }
}

/* It was known what was misused, but not by whom: now it is (second_look.c). */
static bool sharpen(struct verification *v, struct finding *finding)
{
    for (size_t i = 0; i < v->result.findings.n && finding->places.n == 2; i++) {
        struct finding *known = &v->result.findings.at[i];
        if (strcmp(known->kind, finding->kind) != 0 || known->places.n != 1 ||
            strcmp(known->places.at[0].place, finding->places.at[1].place) != 0)
            continue;
        struct finding blunt = *known;
        known->places = finding->places;
        known->message = finding->message;
        known->text = finding->text;
        finding->places = blunt.places;
        finding->message = blunt.message;
        finding->text = blunt.text;
        verification_save(v);
        return true;
    }
    return false;
}

static void look_at_complaint(struct verification *v, const struct complaint_group *group)
{
    struct finding finding = complaint_group_finding(group, &v->options.policy, v->symbols);
    size_t at = known_finding(v, &finding);
    if (at < v->result.findings.n)
        add_complaining_ranks(&v->result.findings.at[at], &finding);
    if (at < v->result.findings.n || sharpen(v, &finding)) {
        finding_release(&finding);
        return;
    }
    diagnosis_add_run(&v->run, v->symbols, group->ranks.at[0], group->op, &finding);
    v->complaint_errors += keep_finding(v, finding, 0) && finding_is_error(&vec_last(&v->result.findings));
}

void verification_look_at_complaints(struct verification *v)
{
    complaint_groups_t news = {0};
    for (; v->complaints < explore_complaints(v->run.explorer); v->complaints++) {
        rank_t r;
        const struct op *op = explore_complaint(v->run.explorer, v->complaints, &r);
        complaint_groups_add(&news, r, op);
    }
    for (size_t i = 0; i < news.n; i++)
        look_at_complaint(v, &news.at[i]);
    complaint_groups_release(&news);
}

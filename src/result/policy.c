#include "result/policy.h"

#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "base/mem.h"
#include "result/kinds.h"

static const char *const names[] = {"off", "note", "warning", "error"};

const char *severity_name(enum severity severity)
{
    return names[severity];
}

int severity_of(const char *name)
{
    for (int i = 0; i < 4; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

int policy_add_opinion(struct policy *policy, const char *text, char **why)
{
    const char *equals = strchr(text, '=');
    int severity = equals ? severity_of(equals + 1) : -1;
    if (severity < 0) {
        *why = xformat("-W is KIND=error, warning, note or off, not '%s'", text);
        return -1;
    }
    char *kind = strndup(text, (size_t)(equals - text));
    if (!kind)
        die("out of memory");
    if (!kind_exists(kind)) {
        *why = xformat("-W: no finding is called '%s'", kind);
        free(kind);
        return -1;
    }
    vec_push(&policy->opinions, (struct opinion){kind, (enum severity)severity});
    return 0;
}

/* ---- suppressions ---- */

static void suppression_release(struct suppression *rule)
{
    free(rule->kind);
    free(rule->call);
    free(rule->place);
    free(rule->function);
}

/* The member that a word such as "call=MPI_Send" sets, and to what; NULL: none. */
static char **member_of(struct suppression *rule, const char *word, const char **value)
{
    static const char *const keys[] = {"call=", "place=", "function="};
    char **member[] = {&rule->call, &rule->place, &rule->function};
    for (int i = 0; i < 3; i++)
        if (strncmp(word, keys[i], strlen(keys[i])) == 0) {
            *value = word + strlen(keys[i]);
            return member[i];
        }
    return NULL;
}

/* NULL, or what is wrong with a word of a rule. */
static char *take_rule_word(struct suppression *rule, const char *word)
{
    const char *value;
    if (!rule->kind) {
        if (!kind_exists(word))
            return xformat("no finding is called '%s'", word);
        rule->kind = xstrdup(word);
        return NULL;
    }
    char **member = member_of(rule, word, &value);
    if (!member)
        return xformat("'%s' is not call=, place= or function= with a pattern", word);
    if (*member)
        return xformat("'%s' is the second of its kind", word);
    if (!*value)
        return xformat("'%s' lacks its pattern", word);
    *member = xstrdup(value);
    return NULL;
}

static char *take_line(struct policy *policy, char *line)
{
    struct suppression rule = {0};
    char *why = NULL, *rest = line;
    line[strcspn(line, "#")] = 0;
    for (char *word; !why && (word = strsep(&rest, " \t\r"));)
        if (*word)
            why = take_rule_word(&rule, word);
    if (!why && rule.kind)
        vec_push(&policy->suppressions, rule);
    else
        suppression_release(&rule);
    return why;
}

int policy_add_suppressions(struct policy *policy, const char *name, const char *text, char **why)
{
    char *copy = xstrdup(text), *rest = copy, *wrong = NULL;
    for (int number = 1; !wrong && rest; number++) {
        wrong = take_line(policy, strsep(&rest, "\n"));
        if (wrong)
            *why = xformat("%s:%d: %s", name, number, wrong);
    }
    free(copy);
    free(wrong);
    return wrong ? -1 : 0;
}

void policy_release(struct policy *policy)
{
    for (size_t i = 0; i < policy->opinions.n; i++)
        free(policy->opinions.at[i].kind);
    for (size_t i = 0; i < policy->suppressions.n; i++)
        suppression_release(&policy->suppressions.at[i]);
    vec_release(&policy->opinions);
    vec_release(&policy->suppressions);
}

/* ---- what becomes of a finding ---- */

static const char *last_part_of_path(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool place_fits(const char *pattern, const struct site *site)
{
    char *line = xformat("%s:%d", site->file ? site->file : site->place, site->line);
    bool fits = pattern_fits(pattern, line) || pattern_fits(pattern, last_part_of_path(line));
    free(line);
    return fits;
}

static bool site_fits(const struct suppression *rule, const struct site *site)
{
    return (!rule->call || pattern_fits(rule->call, site->call ? site->call : "")) &&
           (!rule->function || pattern_fits(rule->function, site->function ? site->function : "")) &&
           (!rule->place || place_fits(rule->place, site));
}

static bool is_suppressed(const struct suppression *rule, const struct finding *finding)
{
    if (!pattern_fits(rule->kind, finding->kind))
        return false;
    bool any = !rule->call && !rule->place && !rule->function;
    for (size_t i = 0; i < finding->places.n && !any; i++)
        any = site_fits(rule, &finding->places.at[i]);
    return any;
}

static const struct opinion *opinion_on(const struct policy *policy, const char *kind)
{
    for (size_t i = policy->opinions.n; i-- > 0;)
        if (pattern_fits(policy->opinions.at[i].kind, kind))
            return &policy->opinions.at[i];
    return NULL;
}

enum severity policy_severity(const struct policy *policy, const char *kind, const char *by_default)
{
    const struct opinion *opinion = opinion_on(policy, kind);
    return opinion ? opinion->severity : (enum severity)severity_of(by_default);
}

bool policy_apply(const struct policy *policy, struct finding *finding)
{
    enum severity severity = policy_severity(policy, finding->kind, finding->severity);
    for (size_t i = 0; i < policy->suppressions.n; i++)
        if (is_suppressed(&policy->suppressions.at[i], finding))
            return false;
    free(finding->severity);
    finding->severity = xstrdup(severity_name(severity));
    return severity != SEVERITY_OFF;
}

bool policy_shows(const struct policy *policy, const struct finding *finding)
{
    return strcmp(finding->severity, "note") != 0 || opinion_on(policy, finding->kind);
}

char *policy_rule_for(const struct finding *finding)
{
    const struct site *site = finding->places.n ? finding->places.at : NULL;
    char *place =
        site && site->file && site->line ? xformat(" place=%s:%d", last_part_of_path(site->file), site->line) : NULL;
    char *rule = xformat("%s%s%s%s%s%s", finding->kind, site && site->call ? " call=" : "",
                          site && site->call ? site->call : "", place ? place : "",
                          site && site->function ? " function=" : "", site && site->function ? site->function : "");
    free(place);
    return rule;
}

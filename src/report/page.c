#include "report/page.h"

#include <inttypes.h>
#include <string.h>

#include "base/die.h"
#include "report/embed.h"
#include "report/excerpt.h"
#include "report/template.h"
#include "result/kinds.h"

static void want_sites(excerpts_t *excerpts, const struct site *site, size_t n)
{
    for (size_t i = 0; i < n; i++)
        excerpts_want(excerpts, site[i].file, site[i].line);
}

static void want_choices(excerpts_t *excerpts, const struct kept_decision *choice, size_t n)
{
    for (size_t i = 0; i < n; i++)
        want_sites(excerpts, &choice[i].site, 1);
}

static void want_finding(excerpts_t *excerpts, const struct finding *finding)
{
    want_sites(excerpts, finding->places.at, finding->places.n);
    want_sites(excerpts, finding->buffered.at, finding->buffered.n);
    want_sites(excerpts, finding->unbuffered.at, finding->unbuffered.n);
    want_choices(excerpts, finding->decisions.at, finding->decisions.n);
    want_choices(excerpts, finding->clean.at, finding->clean.n);
}

static void want_run(excerpts_t *excerpts, const struct run_chart *run)
{
    for (size_t i = 0; run && i < run->places.n; i++)
        excerpts_want(excerpts, run->places.at[i].file, run->places.at[i].line);
}

/* Takes the JSON. */
static void put_json(FILE *out, char *json)
{
    embed_json(out, json);
    free(json);
}

static void put_run_chart(FILE *out, const char *name, const struct run_chart *run)
{
    fprintf(out, ",\"%s\":", name);
    put_json(out, run ? run_chart_print(run) : xstrdup("null"));
}

static void want_trees(excerpts_t *excerpts, const decision_trees_t *trees)
{
    for (size_t i = 0; i < trees->n; i++)
        for (size_t k = 0; k < trees->at[i].places.n; k++)
            excerpts_want(excerpts, trees->at[i].places.at[k].file, trees->at[i].places.at[k].line);
}

static void put_runs(FILE *out, const struct html_page *page, excerpts_t *excerpts)
{
    const struct result *result = page->result;
    fputs(",\"runs\":[", out);
    for (size_t i = 0; i < result->findings.n; i++) {
        fprintf(out, "%s{\"finding\":%" PRIu32, i ? "," : "", result->findings.at[i].id);
        put_run_chart(out, "run", page->runs[i].run);
        put_run_chart(out, "clean", page->runs[i].clean);
        fputc('}', out);
        want_finding(excerpts, &result->findings.at[i]);
        want_run(excerpts, page->runs[i].run);
        want_run(excerpts, page->runs[i].clean);
    }
    fputc(']', out);
}

static bool is_first_of_its_kind(const struct result *result, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(result->findings.at[k].kind, result->findings.at[i].kind) == 0)
            return false;
    return true;
}

/* What the kinds mean that there are. */
static void put_kinds(FILE *out, const struct result *result)
{
    const char *joint = "";
    fputs(",\"kinds\":{", out);
    for (size_t i = 0; i < result->findings.n; i++) {
        const struct finding_kind *kind = kind_find(result->findings.at[i].kind);
        if (!kind || !is_first_of_its_kind(result, i))
            continue;
        fprintf(out, "%s\"%s\":{\"title\":", joint, kind->name);
        embed_string(out, kind->title);
        fputs(",\"meaning\":", out);
        embed_string(out, kind->meaning);
        fprintf(out, ",\"stuck\":%s}", kind->stuck ? "true" : "false");
        joint = ",";
    }
    fputc('}', out);
}

static void put_page_data(FILE *out, const struct html_page *page)
{
    excerpts_t excerpts = {0};
    fputs("{\"directory\":", out);
    embed_name(out, page->directory);
    fprintf(out, ",\"can_go_on\":%s", page->can_go_on ? "true" : "false");
    fputs(",\"result\":", out);
    put_json(out, result_print(page->result));
    put_kinds(out, page->result);
    put_runs(out, page, &excerpts);
    fputs(",\"tree\":", out);
    put_json(out, decision_trees_print(page->trees));
    want_trees(&excerpts, page->trees);
    fputs(",\"sources\":", out);
    excerpts_print(out, &excerpts, page->made);
    fputc('}', out);
    excerpts_release(&excerpts);
}

void page_write(FILE *out, const struct html_page *page)
{
    static const char mark[] = "@DATA@";
    const char *data = strstr(report_template, mark);
    if (!data)
        BUG("the template of the report has no place for data");
    fwrite(report_template, 1, (size_t)(data - report_template), out);
    put_page_data(out, page);
    fputs(data + strlen(mark), out);
}

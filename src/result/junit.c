#include "result/junit.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/die.h"
#include "base/mem.h"
#include "result/bytes.h"

/* XML has no way to say most control characters, so they are left out. */
static void put_xml_text(FILE *out, const char *bytes)
{
    char *text = bytes_to_text(bytes);
    for (const char *c = text; *c; c++) {
        switch (*c) {
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '&':
            fputs("&amp;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        case '\n':
            fputs("&#10;", out);
            break;
        default:
            if ((unsigned char)*c >= ' ' || *c == '\t')
                fputc(*c, out);
        }
    }
    free(text);
}

static void put_case(FILE *out, const struct result *result, const char *name)
{
    fputs("  <testcase classname=\"", out);
    put_xml_text(out, result->program);
    fputs("\" name=\"", out);
    put_xml_text(out, name);
    fputs("\"", out);
}

static void put_finding_case(FILE *out, const struct result *result, const struct finding *finding)
{
    char *name = xformat("finding %" PRIu32 ": %s", finding->id, finding->kind);
    put_case(out, result, name);
    if (finding->places.n && finding->places.at[0].file) {
        fputs(" file=\"", out);
        put_xml_text(out, finding->places.at[0].file);
        fprintf(out, "\" line=\"%d\"", finding->places.at[0].line);
    }
    if (finding_is_error(finding)) {
        fprintf(out, ">\n   <failure type=\"%s\" message=\"", finding->kind);
        put_xml_text(out, finding->message);
        fputs("\">", out);
        put_xml_text(out, finding->text);
        fputs("</failure>\n  </testcase>\n", out);
    } else {
        fputs(">\n   <system-out>", out);
        put_xml_text(out, finding->text);
        fputs("</system-out>\n  </testcase>\n", out);
    }
    free(name);
}

static void put_all_runs(FILE *out, const struct result *result)
{
    put_case(out, result, "all runs");
    if (result->verdict == VERDICT_CLEAN) {
        fputs("/>\n", out);
        return;
    }
    fputs(">\n   <error type=\"incomplete\" message=\"not all runs were looked at", out);
    for (size_t i = 0; i < result->bounds.n; i++) {
        fputs(i ? ", " : ": ", out);
        put_xml_text(out, result->bounds.at[i]);
    }
    fputs("\"/>\n  </testcase>\n", out);
}

char *junit_print(const struct result *result)
{
    char *text;
    size_t size, n = result->findings.n, failures = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        die("out of memory");
    for (size_t i = 0; i < n; i++)
        failures += finding_is_error(&result->findings.at[i]);
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
            " <testsuite name=\"tourney\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"0\" time=\"%.3f\">\n",
            n + !failures, failures, (size_t)(!failures && result->verdict != VERDICT_CLEAN), result->seconds);
    for (size_t i = 0; i < n; i++)
        put_finding_case(out, result, &result->findings.at[i]);
    if (failures == 0)
        put_all_runs(out, result);
    fputs(" </testsuite>\n</testsuites>\n", out);
    fclose(out);
    return text;
}

#include "result/annotate.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "result/bytes.h"

/* A command is one line; in its properties, `:` and `,` mean something, too. */
static void put_command_text(FILE *out, const char *bytes, const char *special)
{
    char *text = bytes_to_text(bytes);
    for (const char *c = text; *c; c++)
        if (strchr(special, *c))
            fprintf(out, "%%%02X", (unsigned char)*c);
        else
            fputc(*c, out);
    free(text);
}

static void put_annotation(FILE *out, const struct result *result, const struct finding *finding)
{
    const char *level = strcmp(finding->severity, "note") == 0 ? "notice" : finding->severity;
    const struct site *site = finding->places.n ? finding->places.at : NULL;
    fprintf(out, "::%s ", level);
    if (site && site->file) {
        const char *below = result_below_cwd(result, site->file);
        fputs("file=", out);
        put_command_text(out, below ? below : site->file, "%\r\n:,");
        fputc(',', out);
        if (site->line > 0)
            fprintf(out, "line=%d,", site->line);
    }
    fprintf(out, "title=tourney%%3A %s::", finding->kind);
    put_command_text(out, finding->message, "%\r\n");
    fputc('\n', out);
}

char *annotate_print(const struct result *result)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        die("out of memory");
    for (size_t i = 0; i < result->findings.n; i++)
        put_annotation(out, result, &result->findings.at[i]);
    fclose(out);
    return text;
}

#include "verification/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "words/completeness_words.h"
#include "words/round_number.h"

static double now_in_seconds(void)
{
    return (double)microseconds() / 1e6;
}

void progress_begin(struct progress *progress, bool quiet)
{
    *progress = (struct progress){.quiet = quiet, .terminal = isatty(STDERR_FILENO)};
    progress->start = progress->last = now_in_seconds();
}

double progress_seconds(const struct progress *progress)
{
    return now_in_seconds() - progress->start;
}

void progress_show(struct progress *progress, const struct progress_figures *figures)
{
    double time = now_in_seconds();
    if (progress->quiet || time - progress->last < (progress->terminal ? 0.2 : 10))
        return;
    progress->last = time;
    fputs(progress->terminal ? "\r\033[K" : "", stderr);
    fprintf(stderr, "tourney: %" PRIu64 " run%s", figures->runs, figures->runs == 1 ? "" : "s");
    if (figures->estimate > 0) {
        fputs(" of ", stderr);
        round_number_put(stderr, figures->estimate);
    }
    fprintf(stderr, ", %.0f/s, %zu finding%s", (double)figures->runs / (time - progress->start), figures->findings,
            figures->findings == 1 ? "" : "s");
    char *complete = completeness_brief(&figures->complete);
    if (complete)
        fprintf(stderr, ", complete up to %s", complete);
    free(complete);
    fputs(progress->terminal ? "" : "\n", stderr);
    fflush(stderr);
    progress->shown = progress->terminal;
}

void progress_say(struct progress *progress, const char *words)
{
    if (progress->quiet || !progress->terminal)
        return;
    fprintf(stderr, "\r\033[Ktourney: %s", words);
    fflush(stderr);
    progress->shown = true;
}

void progress_clear(struct progress *progress)
{
    if (!progress->shown)
        return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    progress->shown = false;
}

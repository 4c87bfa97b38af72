/*
 * milestones -- processes that stay behind on a long way that nobody expects to come back to.
 *
 * The run that is made ahead (explore/scout.c) leaves nobody behind: to copy a rank wherever its call can be answered otherwise takes longer than the run.
 * But a program may compute for a minute between its calls, and whoever wants to come near the end of that run would have to go
 * all the way once more.  So somebody stays after each stretch that took far longer than a copy takes, and at a few places only: the further back, the
 * further apart.
 */
#include "drive/inside.h"

#include <string.h>

enum {
    WORTH = 64,         /* copies that could be made in the time that a stretch takes */
    SHORTEST = 100000,  /* microseconds: nobody stays behind on shorter ones */
};

bool milestone_is_due(const struct drive *drive, node_id node)
{
    const struct checkpoint *here = checkpoint(drive, node);
    int64_t away = drive->descent[here->animal].away;

    return here->open && !drive->uncopied[here->rank] && !drive->follow.relevance && !drive->shown && away >= SHORTEST &&
           away >= WORTH * drive->copying;
}

static void forget_milestone(struct milestones *list, uint32_t i)
{
    list->n--;
    memmove(&list->of[i], &list->of[i + 1], (list->n - i) * sizeof list->of[0]);
}

/* Nobody is there any more, or it is not on the way to here. */
static bool is_lost(const struct drive *drive, const struct milestone *milestone, int64_t here)
{
    int animal = checkpoint(drive, milestone->node)->animal;

    return animal < 0 || drive->at[animal] != milestone->node || milestone->at >= here;
}

/* Without which one the way is least longer, for what it takes from there to here. */
static uint32_t find_least_missed(const struct milestones *list, int64_t here)
{
    uint32_t found = 0;
    double least = 0;

    for (uint32_t i = 0; i + 1 < list->n; i++) {
        int64_t before = i ? list->of[i - 1].at : 0;
        double longer = (double)(list->of[i + 1].at - before) / (double)(here - list->of[i].at);

        if (i && longer >= least)
            continue;
        least = longer;
        found = i;
    }
    return found;
}

void milestone_note(struct drive *drive, node_id node)
{
    const struct checkpoint *here = checkpoint(drive, node);
    struct milestones *list = &drive->milestones[here->rank];

    if (here->animal < 0)
        return;
    int64_t at = drive->descent[here->animal].run;
    for (uint32_t i = list->n; i-- > 0;)
        if (is_lost(drive, &list->of[i], at))
            forget_milestone(list, i);
    if (list->n == MOST_MILESTONES) {
        uint32_t i = find_least_missed(list, at);

        drive_let_animal_go(drive, checkpoint(drive, list->of[i].node)->animal);
        forget_milestone(list, i);
    }
    list->of[list->n++] = (struct milestone){node, at};
}

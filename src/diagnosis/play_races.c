#include "diagnosis/play_races.h"

#include "diagnosis/diagnosis.h"
#include "symbols/site.h"

/* Two calls of one line may have several addresses. */
static bool is_known_race(const struct play_races *races, const struct finding *finding)
{
    for (size_t i = 0; i < races->findings.n; i++)
        if (diagnosis_is_same(&races->findings.at[i], finding))
            return true;
    return false;
}

static void add_played_race(struct play_races *races, const struct defect *defect)
{
    uint32_t known;
    if (map_get(&races->known, defect->key, &known))
        return;
    map_put(&races->known, defect->key, 1);
    struct finding finding = diagnosis_of_played_defect(races->final, races->symbols, defect);
    if (is_known_race(races, &finding))
        finding_release(&finding);
    else
        vec_push(&races->findings, finding);
}

static enum chapter_end read_windows(struct play_races *races, const struct told_run *run, const struct local_touches *touches,
                                     struct chapter_rest *rest, defects_t *defects)
{
    return run->windows ? window_races_add_chapter(&races->races, run, touches, rest, defects) : CHAPTER_OVER;
}

enum chapter_end play_races_read(void *data, const struct told_run *run, const struct local_touches *touches, struct chapter_rest *rest)
{
    struct play_races *races = data;
    defects_t defects = {0};
    enum chapter_end end = read_windows(races, run, touches, rest, &defects);
    races->files.past = races->races.past.any ? &races->races.past.clocks : NULL;
    if (run->files)
        file_races_add(&races->files, run, NULL, &defects);
    if (run->files && races->files.unfollowed)
        end = CHAPTER_UNFOLLOWED;
    else if (run->files && races->files.open && end != CHAPTER_UNFOLLOWED)
        end = CHAPTER_STAYS;
    for (size_t i = 0; i < defects.n; i++)
        add_played_race(races, &defects.at[i]);
    vec_release(&defects);
    races->unfollowed |= end == CHAPTER_UNFOLLOWED;
    if (end == CHAPTER_OVER)
        window_races_forget(&races->races);
    return end;
}

void play_races_stopped(void *data, rank_t r, const struct op *op)
{
    struct play_races *races = data;
    struct site site = site_of_op(races->final, races->symbols, r, op, -1);
    races->stopped = xformat("%s of rank %d at %s", site.call, r, site.place);
    site_release(&site);
}

void play_races_unseen(void *data, rank_t r, uint64_t place)
{
    struct play_races *races = data;
    if (races->unseen)
        return;
    struct site site = site_of_op(races->final, races->symbols, r, &(struct op){.kind = OP_NONE, .place = place}, -1);
    races->unseen = xstrdup(site.place);
    site_release(&site);
}

void play_races_release(struct play_races *races)
{
    window_races_release(&races->races);
    map_release(&races->known);
    free(races->stopped);
    free(races->unseen);
}

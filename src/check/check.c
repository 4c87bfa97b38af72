#include "check/check.h"

#include "check/absentees.h"
#include "check/buffer_room.h"
#include "check/idle_requests.h"
#include "check/lost_messages.h"
#include "check/pair.h"
#include "check/ready_sends.h"
#include "check/tenures.h"
#include "check/window_races.h"

static struct map_key dispute_key(const struct dispute *dispute)
{
    return map_key2(dispute->send, dispute->recv);
}

static bool is_dispute_told(const struct check *check, const struct dispute *dispute)
{
    uint32_t told;
    return map_get(&check->told, dispute_key(dispute), &told);
}

static void mark_dispute_told(struct check *check, const struct dispute *dispute)
{
    map_put(&check->told, dispute_key(dispute), 1);
}

static bool any_was_made(const struct check *check, const struct explorer *x)
{
    const struct dispute *dispute;
    size_t n = explore_disputes(x, &dispute);
    for (size_t i = 0; i < n; i++)
        if (dispute[i].made && !is_dispute_told(check, &dispute[i]))
            return true;
    return false;
}

/*
 * A message that was too long ends its receiver with an error, or the program has asked
 * to be told and goes on: nothing is said of it here.
 */
static void add_disputed_pairs(struct check *check, struct explorer *x, const struct run *run, defects_t *defects)
{
    const struct dispute *dispute;
    if (run->less_slack || !any_was_made(check, x))
        return;
    explore_settle_disputes(x, run);
    size_t n = explore_disputes(x, &dispute);
    for (size_t i = 0; i < n; i++) {
        if (!dispute[i].made || is_dispute_told(check, &dispute[i]))
            continue;
        mark_dispute_told(check, &dispute[i]);
        if (dispute[i].fault == MESSAGE_TYPE)
            vec_push(defects, pair_defect(x, &dispute[i], true));
        else
            check->tolerated |= run->end != RUN_ERROR;
    }
}

/* One that needs less slack has nothing that the run does not have as a whole. */
static void add_window_races(struct check *check, struct explorer *x, const struct run *run, defects_t *defects)
{
    if ((!explore_windows(x).slots && !check->races.remarks) || run->less_slack || run->scouted)
        return;
    struct told_run told = explore_told_run(x, explore_account(x, run));
    if (!window_races_add(&check->races, &told, check->touches, defects))
        check->unfollowed++;
}

static void add_file_races(struct check *check, struct explorer *x, const struct run *run, defects_t *defects)
{
    if ((!explore_has_file_accesses(x) && !check->races.remarks) || run->less_slack || run->scouted)
        return;
    struct told_run told = explore_told_run(x, explore_account(x, run));
    file_races_add(&check->files, &told, check->races.remarks, defects);
}

void check_run(struct check *check, struct explorer *x, const struct run *run, int ranks, defects_t *defects)
{
    add_disputed_pairs(check, x, run, defects);
    lost_messages_add(x, run, ranks, defects);
    absentees_add(x, run, ranks, defects);
    ready_sends_add(x, run, defects);
    tenures_add(x, run, ranks, defects);
    buffer_room_add(x, run, ranks, defects);
    idle_requests_add(x, run, ranks, defects);
    add_window_races(check, x, run, defects);
    add_file_races(check, x, run, defects);
}

const struct dispute *check_next_open(struct check *check, const struct explorer *x)
{
    const struct dispute *dispute;
    size_t n = explore_disputes(x, &dispute);
    for (size_t i = 0; i < n; i++) {
        bool tolerated = dispute[i].fault == MESSAGE_LENGTH && check->tolerated;
        if (is_dispute_told(check, &dispute[i]))
            continue;
        mark_dispute_told(check, &dispute[i]);
        if (!tolerated)
            return &dispute[i];
    }
    return NULL;
}

void check_release(struct check *check)
{
    map_release(&check->told);
    window_races_release(&check->races);
}

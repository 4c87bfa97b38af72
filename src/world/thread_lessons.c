#include "world/thread_lessons.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"

char *thread_lessons_text(const struct wire_head *head)
{
    uint32_t n = atomic_load(&head->lessons);
    uint64_t any_tag = atomic_load(&head->any_tag);
    char *text = NULL;
    size_t size;
    if (!n && !any_tag)
        return NULL;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        die("no memory");
    fprintf(out, "%" PRIx64, any_tag);
    for (uint32_t i = 0; i < n && i < WIRE_LESSONS; i++) {
        const struct thread_lesson *l = &head->lesson[i];
        fprintf(out, ";%" PRId32 ",%u,%u,%" PRIx64 ",%" PRId32 ",%" PRId32 ",%u", l->rank, l->thread, l->kind, l->context, l->peer, l->tag,
                atomic_load(&l->times));
    }
    if (n > WIRE_LESSONS)
        fputs(";...", out);
    fclose(out);
    return text;
}

static bool read_lesson(const char *text, struct thread_lesson *l)
{
    unsigned thread, kind, times;
    if (sscanf(text, "%" SCNd32 ",%u,%u,%" SCNx64 ",%" SCNd32 ",%" SCNd32 ",%u", &l->rank, &thread, &kind, &l->context, &l->peer, &l->tag,
               &times) != 7)
        return false;
    l->thread = (uint16_t)thread;
    l->kind = (uint16_t)kind;
    l->times_in_force = (uint16_t)times;
    atomic_store(&l->times, (uint16_t)times);
    return true;
}

void thread_lessons_heed(struct wire_head *head, const char *text)
{
    uint32_t n = 0;
    uint64_t any_tag = 0;
    if (text)
        any_tag = strtoull(text, NULL, 16);
    while (text && (text = strchr(text, ';')) && ++text && n <= WIRE_LESSONS) {
        struct thread_lesson lesson;
        if (strncmp(text, "...", 3) == 0)
            n = WIRE_LESSONS + 1; /* all calls are taken to compete */
        else if (n < WIRE_LESSONS && read_lesson(text, &lesson))
            memcpy(&head->lesson[n++], &lesson, sizeof lesson);
    }
    head->lessons_in_force = n;
    head->any_tag_in_force = any_tag;
    atomic_store(&head->lessons, n);
    atomic_store(&head->any_tag, any_tag);
}

static bool some_came_more_often(const struct wire_head *head)
{
    for (uint32_t i = 0; i < head->lessons_in_force && i < WIRE_LESSONS; i++)
        if (atomic_load(&head->lesson[i].times) > head->lesson[i].times_in_force)
            return true;
    return false;
}

/* Not of threads, so also where there is only one. */
static bool some_overtake(const struct wire_head *head)
{
    uint32_t n = atomic_load(&head->lessons);
    for (uint32_t i = head->lessons_in_force; i < n && i < WIRE_LESSONS; i++)
        if (head->lesson[i].kind == LESSON_OVERTAKING)
            return true;
    return false;
}

bool thread_lessons_are_new(const struct wire_head *head)
{
    if (!atomic_load(&head->take_turns))
        return some_overtake(head);
    bool overflown = head->lessons_in_force > WIRE_LESSONS;
    return (!overflown && (atomic_load(&head->lessons) > head->lessons_in_force || some_came_more_often(head))) ||
           atomic_load(&head->any_tag) != head->any_tag_in_force;
}

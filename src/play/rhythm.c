#include "play/rhythm.h"

static uint64_t question_before(const struct rhythm *rhythm, uint32_t back)
{
    return rhythm->question[(rhythm->asked - back) % RHYTHM_LONGEST];
}

/* How many questions ago this one was last asked; 0: not among the last ones. */
static uint32_t find_period(const struct rhythm *rhythm, uint64_t question)
{
    for (uint32_t back = 1; back <= RHYTHM_LONGEST && back <= rhythm->asked; back++)
        if (question_before(rhythm, back) == question)
            return back;
    return 0;
}

bool rhythm_goes_on(struct rhythm *rhythm, uint64_t question)
{
    bool goes_on = rhythm->period && question_before(rhythm, rhythm->period) == question;
    if (!goes_on)
        rhythm->period = find_period(rhythm, question);
    rhythm->question[rhythm->asked++ % RHYTHM_LONGEST] = question;
    return goes_on;
}

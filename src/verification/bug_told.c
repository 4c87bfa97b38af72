#include "verification/bug_told.h"

#include "base/bug_context.h"
#include "verification/session.h"

void bug_told_of_session(const void *data)
{
    const struct session *session = data;

    if (!session->journal)
        return;
    bug_say("tourney: to come there again: tourney resume ");
    bug_say_word(session->dir.path);
    bug_say("\n");
}

/*
 * replay -- the run of one finding once more.
 */
#include "command/command.h"
#include "options/word.h"
#include "replay/replay.h"

int command_replay(int argc, char **argv)
{
    struct arguments arguments = arguments_for(COMMAND_REPLAY, argc, argv);
    uint32_t id = (uint32_t)word_number(arguments.words[1], 1, UINT32_MAX, "ID, the number of a finding,");
    int code = replay_finding(arguments.words[0], id, &arguments);
    arguments_release(&arguments);
    return code;
}

/*
 * replay_options -- those of tourney replay, which shows what was found and searches for nothing.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "command/command.h"
#include "command/options.h"
#include "command/words.h"

struct replay_options options_for_replay(int argc, char **argv)
{
    enum { STEP = 256, STEPS, GDB, GDB_BATCH, VSCODE, COLOR };
    static const struct option long_options[] = {
        {"step", required_argument, NULL, STEP},           {"steps", no_argument, NULL, STEPS},
        {"gdb", no_argument, NULL, GDB},                   {"gdb-batch", required_argument, NULL, GDB_BATCH},
        {"vscode", no_argument, NULL, VSCODE},             {"help", no_argument, NULL, 'h'},
        {"color", required_argument, NULL, COLOR},
        {NULL, 0, NULL, 0},
    };
    struct replay_options replay = {.command = xcalloc((size_t)argc, sizeof *replay.command)};
    int c;
    opterr = 0;
    while ((c = getopt_long(argc, argv, ":h", long_options, NULL)) != -1) {
        switch (c) {
        case STEP:
            replay.step = word_number(optarg, 1, UINT32_MAX, "--step");
            break;
        case STEPS:
            replay.list = true;
            break;
        case GDB_BATCH:
            replay.command[replay.commands++] = optarg;
            replay.gdb = true;
            break;
        case GDB:
            replay.gdb = true;
            break;
        case VSCODE:
            replay.vscode = true;
            break;
        case COLOR:
            replay.colour = word_colour(optarg);
            break;
        case 'h':
            exit(tell(usage));
        default:
            word_refuse_option(c, argv, long_options);
        }
    }
    if (argc - optind != 2)
        misuse("replay takes DIR, a result directory, and ID, the number of a finding");
    if (replay.list && (replay.step || replay.gdb || replay.vscode))
        misuse("--steps lists the steps and stops nowhere");
    replay.dir = argv[optind];
    replay.id = word_number(argv[optind + 1], 1, UINT32_MAX, "ID, the number of a finding,");
    return replay;
}

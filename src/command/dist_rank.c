/*
 * dist_rank -- the other end of `tourney dist`: what the launcher of a job starts in place of each rank.
 */
#include "base/die.h"
#include "command/command.h"
#include "dist/helper.h"

int command_dist_rank(int argc, char **argv)
{
    if (argc < 3)
        die("tourney dist starts this, for each rank");
    return helper_main(argv[1], argv + 2);
}

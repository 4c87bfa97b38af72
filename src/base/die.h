/*
 * die -- the two ways in which tourney itself gives up.
 *
 * die() is for what the world outside refused: memory, files, a launch.  BUG()
 * is for an invariant of ours that broke; it is never compiled out.  Both end
 * the process with EXIT_TOURNEY, by exit(), so that what was registered with
 * atexit() still cleans up.  BUG() also tells what tourney was at (bug_context.h).
 *
 * Whoever builds on what a file says names it: what comes out then as a bug of ours is
 * more likely one of the file, which no sum protects from being forged.
 */
#ifndef BASE_DIE_H
#define BASE_DIE_H

enum { EXIT_TOURNEY = 3 };

void die(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2), cold));
void bug_at(const char *file, int line, const char *format, ...)
    __attribute__((noreturn, format(printf, 3, 4), cold));

void bug_suspect(const char *file); /* from now on */

#define BUG(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)

#endif

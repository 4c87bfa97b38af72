/*
 * bug_told -- how to come again to where BUG() was called (base/bug_context.h).
 *
 * A search does the same as often as it is made.  Where it has a journal, the command that goes on with it comes to the
 * same point without running what was run; else the command comes there that was given, which is told in any case.
 */
#ifndef VERIFICATION_BUG_TOLD_H
#define VERIFICATION_BUG_TOLD_H

/* Of a struct session. */
void bug_told_of_session(const void *session);

#endif

/*
 * deadline -- until when the command may go on with what it need not finish.
 *
 * One for the whole process, as signals are: whoever is in a loop that can take long, however deep below
 * the command, asks whether it is over, and then leaves out what can be left out.  What was left out is for
 * the asker to say.
 */
#ifndef BASE_DEADLINE_H
#define BASE_DEADLINE_H

#include <stdbool.h>

void deadline_begin(double seconds); /* from now; 0: no limit.  Whatever was before is forgotten */
void deadline_cut(void);             /* it is over now; for signal handlers, too */
bool deadline_is_over(void);
bool deadline_is_near(void);       /* half of the time is gone; false: there is no limit */
bool deadline_is_imminent(void);   /* all but a sixteenth is: who need not go on leaves that to what comes last */
bool deadline_was_shortened(void); /* it is over because somebody wants an end, not for the time */

#endif

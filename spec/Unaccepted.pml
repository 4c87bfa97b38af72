/*
 * Two ranks connect to a port at which one accepts once (S2): the other one waits for ever.
 *
 * spin: 2 outcomes, deadlock
 */
#define UNACCEPTED
#include "Ports.pml"

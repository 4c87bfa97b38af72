/*
 * own_segments -- System V memory without a key, of a rank that has its node for itself.
 *
 * Such memory can be attached by whoever is told its number on the same node.  If no other rank is there (--nodes) and the rank has
 * no children that is nobody, so the memory is the rank's own (own_shared.h), under a number that the kernel has not given, which is
 * the same whenever the rank is run again.  On another node that number means nothing.  When it is published the kernel gives it
 * a number, which stands behind that of the program.
 */
#ifndef SHIM_GATE_OWN_SEGMENTS_H
#define SHIM_GATE_OWN_SEGMENTS_H

void own_segments_publish(void);

#endif

/*
 * private_copies -- the memory of this rank that others may access meanwhile, around every call that communicates.
 *
 * In the unified memory model that all libraries have, a store to one's own window is seen by whoever hears of it by a
 * message, and what others have put there is seen once a message tells of it, without any call on the window.  So what
 * was stored is published before a call that communicates, and what others have changed is fetched when it has heard
 * from them.
 */
#ifndef SHIM_PRIVATE_COPIES_H
#define SHIM_PRIVATE_COPIES_H

/* Only where shim.has_windows. */
void private_copies_publish(void);
void private_copies_refresh(void);

#endif

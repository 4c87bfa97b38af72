/*
 * played -- the end of a play as a scene.
 */
#ifndef REPORT_PLAYED_H
#define REPORT_PLAYED_H

#include "play/play.h"
#include "report/scene.h"

struct played {
    const struct play *play;
    const struct world *world;
};

/* Borrows what it is given. */
struct scene played_scene(struct played *);

#endif

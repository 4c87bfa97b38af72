/*
 * preload -- where the library lies that is loaded into every rank.
 */
#ifndef WORLD_PRELOAD_H
#define WORLD_PRELOAD_H

/* The folder that tourney itself is in; to be freed. */
char *preload_own_folder(void);

/* Its path, to be freed; dies if it is not there. */
char *preload_find(void);

/* Another library in its folder, to be freed; dies if it is not there. */
char *preload_beside(const char *gate, const char *name);

/*
 * A path for LD_PRELOAD; takes the one it is given.  The loader takes spaces and colons for the end of a
 * name: then the folder gets another one, a link called `lib` in the scratch directory.
 */
char *preload_name(char *path, const char *scratch);

#endif

/*
 * preload -- where the library lies that is loaded into every rank.
 */
#ifndef WORLD_PRELOAD_H
#define WORLD_PRELOAD_H

/* Its path, to be freed; dies if it is not there. */
char *preload_find(void);

/*
 * A path for LD_PRELOAD; takes the one it is given.  The loader takes spaces and colons for the end of a
 * name: then the folder gets another one, a link called `lib` in the scratch directory.
 */
char *preload_name(char *path, const char *scratch);

#endif

/*
 * shim_folder -- shims that the user has had made for libraries of other places, by `tourney setup`.
 *
 * They are below the user's own data, in a folder that is named by this build of tourney: a shim of another build speaks
 * another language.  In it is one folder for each library, named by its path (library/shim_place.h).
 */
#ifndef WORLD_SHIM_FOLDER_H
#define WORLD_SHIM_FOLDER_H

/* Owned by the caller; NULL: there is no place for it, since neither HOME nor XDG_DATA_HOME is set. */
char *shim_folder_name(void);

/* Tells the ranks that this process starts where it is, if it is there. */
void shim_folder_pass_on(void);

#endif

/*
 * rank_claim -- which process plays a rank, when a script or a launcher stands between.
 *
 * Tourney starts a program in the place of each rank.  That may be a script: the first process below it that calls
 * MPI_Init plays the rank.  A launcher there, such as mpiexec, would start several that wait in MPI_Init for
 * each other and not for tourney; and where MPI is started twice, one is left over.  So this lies in shared memory,
 * which every process in the place of the rank can find: who plays it, and what is wrong.
 *
 * That a launcher runs is no mistake yet: it may have been asked for its version.  Its name is noted, and all that
 * it starts is marked.  That somebody with the mark calls MPI_Init, or nobody ever does, is the mistake.
 *
 * A process that cannot go on under tourney, since its MPI library is not known, for instance, leaves a sentence here that
 * says why, and ends: by its exit code alone it would be taken for a program that fails.
 */
#ifndef CALL_RANK_CLAIM_H
#define CALL_RANK_CLAIM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The mark: set in all that a launcher starts in the place of a rank. */
#define RANK_CLAIM_ENV_LAUNCHED "TOURNEY_LAUNCHED"

enum rank_claim_stranger {
    STRANGER_NONE,
    STRANGER_OF_LAUNCHER, /* it has the mark */
    STRANGER_IS_SECOND,   /* the rank is played by another process */
};

enum rank_claim_launcher { LAUNCHER_NONE, LAUNCHER_COMES, LAUNCHER_IS_NOTED };
enum rank_claim_refusal { REFUSAL_NONE, REFUSAL_COMES, REFUSAL_IS_NOTED };

/* All zero is a new one. */
struct rank_claim {
    _Atomic int32_t pid;       /* the process that plays the rank; 0: none yet */
    _Atomic uint32_t stranger; /* who cannot, and has called MPI_Init: enum rank_claim_stranger */
    _Atomic uint32_t noted;    /* enum rank_claim_launcher: whether a launcher was started */
    char launcher[32];         /* the launcher's name */
    char mpi[16];              /* of the process that plays the rank: "mpich", "openmpi", "abi" */
    _Atomic uint32_t refused;  /* enum rank_claim_refusal: whether a process cannot go on under tourney */
    char refusal[1024];        /* why it cannot */
};

/* To be called by whoever calls MPI_Init.  False: it is not the rank, and tourney will say so. */
static inline bool rank_claim_take(struct rank_claim *claim, int32_t pid, const char *mpi)
{
    int32_t nobody = 0;
    enum rank_claim_stranger stranger = STRANGER_IS_SECOND;
    if (getenv(RANK_CLAIM_ENV_LAUNCHED))
        stranger = STRANGER_OF_LAUNCHER;
    else if (atomic_compare_exchange_strong(&claim->pid, &nobody, pid))
        stranger = STRANGER_NONE;
    if (stranger)
        atomic_store(&claim->stranger, stranger);
    else
        snprintf(claim->mpi, sizeof claim->mpi, "%s", mpi);
    return !stranger;
}

/* The first one stays. */
static inline void rank_claim_note_launcher(struct rank_claim *claim, const char *name)
{
    uint32_t nobody = LAUNCHER_NONE;
    if (!atomic_compare_exchange_strong(&claim->noted, &nobody, LAUNCHER_COMES))
        return;
    snprintf(claim->launcher, sizeof claim->launcher, "%s", name);
    atomic_store(&claim->noted, LAUNCHER_IS_NOTED);
}

/* The first one stays. */
static inline void rank_claim_note_refusal(struct rank_claim *claim, const char *why)
{
    uint32_t nobody = REFUSAL_NONE;
    if (!atomic_compare_exchange_strong(&claim->refused, &nobody, REFUSAL_COMES))
        return;
    snprintf(claim->refusal, sizeof claim->refusal, "%s", why);
    atomic_store(&claim->refused, REFUSAL_IS_NOTED);
}

/* The name of a program without its folder. */
static inline const char *rank_claim_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* What comes after a dot is which one of several: mpiexec.hydra. */
static inline bool rank_claim_is_launcher(const char *path)
{
    static const char *const names[] = {"mpiexec", "mpirun", "orterun", "prterun", "prun", "srun", "aprun", "jsrun"};
    const char *base = rank_claim_base_name(path);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcspn(base, ".") == strlen(names[i]) && strncmp(base, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

#endif

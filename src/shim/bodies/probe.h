/*
 * probe -- probes, and messages that matched probes have taken.
 */
#ifndef SHIM_BODIES_PROBE_H
#define SHIM_BODIES_PROBE_H

/* At MPI_Finalize: complains of messages that matched probes took and nobody received. */
void probe_tell_leaks(void);

#endif

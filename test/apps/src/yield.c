/*
 * yield -- lets MPICH give up the processor while it polls.
 *
 * With more ranks than cores MPICH spins through whole time slices: a barrier
 * of four ranks on two cores takes 20 ms. Its polling ends in UCX, which is
 * loaded on its own, so that is the place to step in. Only the reference runs
 * under mpiexec are preloaded with this.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>

unsigned ucp_worker_progress(void *worker)
{
	static unsigned (*next)(void *);

	if (!next)
		next = (unsigned (*)(void *))dlsym(RTLD_NEXT, "ucp_worker_progress");

	unsigned n = next(worker);

	if (!n)
		sched_yield();
	return n;
}

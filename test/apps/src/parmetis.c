/*
 * parmetis -- the ParMETIS calls of PT-Scotch on a ring of four tight groups
 * of vertices, whose best cut is known.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include <ptscotch.h>
#include <parmetis.h>

enum { GROUPS = 4, EACH = 16, ALL = GROUPS * EACH };

static int edges_of(int v, SCOTCH_Num *to)
{
	int group = v / EACH, n = 0;

	for (int i = 0; i < EACH; i++)
		if (group * EACH + i != v)
			to[n++] = group * EACH + i;
	if (v % EACH == 0)
		to[n++] = (v + ALL - 1) % ALL;
	if (v % EACH == EACH - 1)
		to[n++] = (v + 1) % ALL;
	return n;
}

int main(int argc, char **argv)
{
	int rank, size, level;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);

	SCOTCH_Num *dist = malloc(sizeof *dist * (size + 1));
	SCOTCH_Num start[ALL + 1] = { 0 }, to[ALL * (EACH + 1)], part[ALL] = { 0 };
	SCOTCH_Num flag = 0, base = 0, ncon = 1, parts = GROUPS, options[3] = { 0 }, cut = 0;
	float share[GROUPS] = { .25f, .25f, .25f, .25f }, slack[1] = { 1.05f };
	MPI_Comm comm = MPI_COMM_WORLD;

	for (int i = 0; i <= size; i++)
		dist[i] = (SCOTCH_Num)i * ALL / size;

	int mine = dist[rank + 1] - dist[rank];

	for (int i = 0; i < mine; i++)
		start[i + 1] = start[i] + edges_of(dist[rank] + i, to + start[i]);
	SCOTCH_ParMETIS_V3_PartKway(dist, start, to, NULL, NULL, &flag, &base, &ncon, &parts,
				    share, slack, options, &cut, part, &comm);

	int *n = malloc(sizeof *n * size), *at = malloc(sizeof *at * size);
	SCOTCH_Num all[ALL];

	for (int i = 0; i < size; i++)
		n[i] = dist[i + 1] - dist[i], at[i] = dist[i];
	MPI_Gatherv(part, mine, MPI_INT, all, n, at, MPI_INT, 0, MPI_COMM_WORLD);
	if (!rank) {
		int torn = 0;

		for (int i = 0; i < ALL; i++)
			torn += all[i] != all[i / EACH * EACH];
		printf("groups torn %d\n", torn);
	}
	free(n);
	free(at);
	free(dist);
	MPI_Finalize();
	return 0;
}

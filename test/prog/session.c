/*
 * Sessions in place of MPI_Init: process sets, communicators from groups, two sessions at a time, with
 * messages and collectives, and error handlers of sessions.
 *
 * mpi: mpich
 * run: -n 4
 */
#include "check.h"

/* Its name, whole and cut short, and how many belong to it. */
static void tell_set(MPI_Session session, int i)
{
    int length = 0, members;
    char name[100] = "";
    MPI_Group group;

    MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, NULL);
    CHECK(length > 1 && length < (int)sizeof name);
    MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, name);
    CHECK((int)strlen(name) < length + 1);
#ifndef OPEN_MPI /* which leaves no room for the zero */
    int cut = 5;
    char begin[5];
    MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &cut, begin);
    CHECK(strcmp(begin, "mpi:") == 0);
#endif
    MPI_Group_from_session_pset(session, name, &group);
    MPI_Group_size(group, &members);
    MPI_Group_free(&group);
    say("set %d: %s, %d ranks", i, name, members);
}

static void sets(MPI_Session session)
{
    int n, length = 0, flag;
    char size[20];
    MPI_Info info;

    MPI_Session_get_num_psets(session, MPI_INFO_NULL, &n);
    CHECK(n >= 2);
    for (int i = 0; i < n; i++)
        tell_set(session, i);
    MPI_Session_get_pset_info(session, "mpi://WORLD", &info);
    length = sizeof size;
    MPI_Info_get_string(info, "mpi_size", &length, size, &flag);
    CHECK(flag);
    say("the world has %s", size);
    MPI_Info_free(&info);
    MPI_Session_get_info(session, &info);
    MPI_Info_free(&info);
}

static MPI_Comm comm_of(MPI_Session session, const char *set, const char *tag)
{
    MPI_Group group;
    MPI_Comm comm;

    MPI_Group_from_session_pset(session, set, &group);
    MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    MPI_Group_free(&group);
    return comm;
}

static void talk(MPI_Comm comm, const char *what)
{
    int me, all, sum, left;

    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &all);
    rank = me;
    MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Sendrecv(&me, 1, MPI_INT, (me + 1) % all, 1, &left, 1, MPI_INT, (me + all - 1) % all, 1, comm, MPI_STATUS_IGNORE);
    say("%s: %d of %d, sum %d, left %d", what, me, all, sum, left);
}

/* Even and odd ranks meet. */
static void halves(MPI_Session session)
{
    MPI_Group world, mine, theirs;
    MPI_Comm inter, merged;
    int me, all, range[3], remote;

    MPI_Group_from_session_pset(session, "mpi://WORLD", &world);
    MPI_Group_rank(world, &me);
    MPI_Group_size(world, &all);
    for (int side = 0; side < 2; side++) {
        range[0] = side ? 1 - me % 2 : me % 2;
        range[1] = all - 1;
        range[2] = 2;
        MPI_Group_range_incl(world, 1, &range, side ? &theirs : &mine);
    }
    MPI_Intercomm_create_from_groups(mine, 0, theirs, 0, "halves", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &inter);
    MPI_Comm_remote_size(inter, &remote);
    MPI_Intercomm_merge(inter, me % 2, &merged);
    say("halves: %d on the other side", remote);
    talk(merged, "merged");
    rank = me;
    MPI_Comm_free(&merged);
    MPI_Comm_free(&inter);
    MPI_Group_free(&mine);
    MPI_Group_free(&theirs);
    MPI_Group_free(&world);
}

static int heard;

static void hear(MPI_Session *session, int *code, ...)
{
    (void)session, (void)code;
    heard++;
}

static void handlers(MPI_Session session)
{
    MPI_Errhandler handler, got;

    MPI_Session_create_errhandler(hear, &handler);
    MPI_Session_set_errhandler(session, handler);
    MPI_Session_get_errhandler(session, &got);
    CHECK(got == handler);
    MPI_Errhandler_free(&got);
    MPI_Session_call_errhandler(session, MPI_ERR_OTHER);
    CHECK(heard == 1);
    MPI_Errhandler_free(&handler);
}

int main(void)
{
    MPI_Session one, two;
    MPI_Comm a, b, self;
    int flag, value = 1;

    MPI_Initialized(&flag);
    CHECK(!flag);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &one);
    MPI_Initialized(&flag);
    CHECK(!flag);
    a = comm_of(one, "mpi://WORLD", "a");
    talk(a, "first");
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &two);
    sets(two);
    handlers(two);
    b = comm_of(two, "mpi://WORLD", "b");
    talk(b, "second");
    self = comm_of(two, "mpi://SELF", "b");
    CHECK(MPI_Send(&value, 1, MPI_INT, 99, 0, b) != MPI_SUCCESS);
    MPI_Comm_free(&self);
    MPI_Comm_free(&b);
    MPI_Session_finalize(&two);
    CHECK(two == MPI_SESSION_NULL);
    halves(one);
    talk(a, "first again");
    MPI_Comm_free(&a);
    MPI_Session_finalize(&one);
    return failures != 0;
}

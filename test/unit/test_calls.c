/*
 * The table of calls as the rest of tourney sees it.
 */
#include "call/calls.h"

#undef NDEBUG
#include <assert.h>
#include <string.h>

static void every_name_leads_back(void)
{
    for (enum call call = CALL_NONE + 1; call < CALL_COUNT; call++)
        assert(call_by_name(call_name(call)) == call);
}

static void twins_share_a_call(void)
{
    assert(call_by_name("MPI_Send_c") == CALL_Send);
    assert(call_by_name("MPIX_Bcast_init") == CALL_Bcast_init);
    assert(call_by_name("MPI_Op_create_c") == CALL_Op_create_c);
}

static void strangers_are_no_call(void)
{
    assert(call_by_name("") == CALL_NONE);
    assert(call_by_name("MPI_Barrier_c") == CALL_NONE);
    assert(call_by_name("PMPI_Send") == CALL_NONE);
    assert(!strcmp(call_name(CALL_NONE), "no call"));
    assert(!strcmp(call_name((enum call)-1), "no call"));
    assert(!strcmp(call_name(CALL_COUNT), "no call"));
}

static void policies_are_known(void)
{
    assert(call_policy(CALL_Recv) == POLICY_DECIDE);
    assert(call_policy(CALL_Comm_rank) == POLICY_TRACK);
    assert(call_policy(CALL_Type_commit) == POLICY_PASS);
    assert(call_policy(CALL_Win_create) == POLICY_REFUSE);
}

static void peers_have_labels(void)
{
    assert(!strcmp(call_peer_label(CALL_Isend), "dest"));
    assert(!strcmp(call_peer_label(CALL_Mprobe), "source"));
    assert(!strcmp(call_peer_label(CALL_Gatherv), "root"));
    assert(!strcmp(call_peer_label(CALL_Sendrecv), "dest"));
    assert(!call_peer_label(CALL_Barrier));
    assert(!call_peer_label(CALL_Cart_shift));
    assert(call_has_tag(CALL_Sendrecv) && call_has_tag(CALL_Intercomm_create));
    assert(!call_has_tag(CALL_Bcast));
}

static void traits_follow_the_standard(void)
{
    assert(call_is_blocking(CALL_Wait) && !call_is_collective(CALL_Wait));
    assert(call_is_blocking(CALL_Bcast) && call_is_collective(CALL_Bcast));
    assert(!call_is_blocking(CALL_Ibcast) && call_is_collective(CALL_Ibcast));
    assert(!call_is_blocking(CALL_Test) && !call_is_blocking(CALL_Send_init));
    assert(!call_is_blocking(CALL_File_read_all_begin) && call_is_blocking(CALL_File_read_all_end));
}

int main(void)
{
    every_name_leads_back();
    twins_share_a_call();
    strangers_are_no_call();
    policies_are_known();
    peers_have_labels();
    traits_follow_the_standard();
    return 0;
}

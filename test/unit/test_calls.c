/*
 * The table of calls as the rest of tourney sees it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "call/calls.h"

static void every_name_leads_back(void **unused)
{
    (void)unused;
    for (enum call call = CALL_NONE + 1; call < CALL_COUNT; call++)
        assert_true(call_by_name(call_name(call)) == call);
}

static void twins_share_a_call(void **unused)
{
    (void)unused;
    assert_true(call_by_name("MPI_Send_c") == CALL_Send);
    assert_true(call_by_name("MPIX_Bcast_init") == CALL_Bcast_init);
    assert_true(call_by_name("MPI_Op_create_c") == CALL_Op_create_c);
}

static void strangers_are_no_call(void **unused)
{
    (void)unused;
    assert_true(call_by_name("") == CALL_NONE);
    assert_true(call_by_name("MPI_Barrier_c") == CALL_NONE);
    assert_true(call_by_name("PMPI_Send") == CALL_NONE);
    assert_true(!strcmp(call_name(CALL_NONE), "no call"));
    assert_true(!strcmp(call_name((enum call)-1), "no call"));
    assert_true(!strcmp(call_name(CALL_COUNT), "no call"));
}

static void policies_are_known(void **unused)
{
    (void)unused;
    assert_true(call_policy(CALL_Recv) == POLICY_DECIDE);
    assert_true(call_policy(CALL_Comm_rank) == POLICY_TRACK);
    assert_true(call_policy(CALL_Type_size) == POLICY_PASS);
    assert_true(call_policy(CALL_MPIX_Comm_revoke) == POLICY_REFUSE);
}

static void peers_have_labels(void **unused)
{
    (void)unused;
    assert_true(!strcmp(call_peer_label(CALL_Isend), "dest"));
    assert_true(!strcmp(call_peer_label(CALL_Mprobe), "source"));
    assert_true(!strcmp(call_peer_label(CALL_Gatherv), "root"));
    assert_true(!strcmp(call_peer_label(CALL_Sendrecv), "dest"));
    assert_true(!call_peer_label(CALL_Barrier));
    assert_true(!call_peer_label(CALL_Cart_shift));
    assert_true(call_has_tag(CALL_Sendrecv) && call_has_tag(CALL_Intercomm_create));
    assert_true(!call_has_tag(CALL_Bcast));
}

static void traits_follow_the_standard(void **unused)
{
    (void)unused;
    assert_true(call_is_always_allowed(CALL_Initialized) && !call_is_always_allowed(CALL_Comm_rank));
    assert_true(call_is_blocking(CALL_Wait) && !call_is_collective(CALL_Wait));
    assert_true(call_is_blocking(CALL_Bcast) && call_is_collective(CALL_Bcast));
    assert_true(!call_is_blocking(CALL_Ibcast) && call_is_collective(CALL_Ibcast));
    assert_true(!call_is_blocking(CALL_Test) && !call_is_blocking(CALL_Send_init));
    assert_true(!call_is_blocking(CALL_File_read_all_begin) && call_is_blocking(CALL_File_read_all_end));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_name_leads_back),
        cmocka_unit_test(twins_share_a_call),
        cmocka_unit_test(strangers_are_no_call),
        cmocka_unit_test(policies_are_known),
        cmocka_unit_test(peers_have_labels),
        cmocka_unit_test(traits_follow_the_standard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

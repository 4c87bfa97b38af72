/*
 * What the user thinks of findings: the first line as a -W, the rest as a file of
 * suppressions; then both are asked about a finding.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "result/policy.h"

static void ask(const struct policy *policy)
{
    struct site site = {.call = "MPI_Recv", .place = "ring.c:41 in main", .function = "main", .file = "/a/ring.c", .line = 41};
    struct finding finding = {.kind = "deadlock", .severity = strdup("error"), .places = {&site, 1, 1}};
    policy_apply(policy, &finding);
    policy_shows(policy, &finding);
    free(policy_rule_for(&finding));
    free(finding.severity);
}

void fuzz_one(const uint8_t *bytes, size_t size)
{
    struct policy policy = {0};
    char *text = fuzz_text(bytes, size), *rest = text, *why[2] = {0};
    const char *opinion = strsep(&rest, "\n");
    if (policy_add_opinion(&policy, opinion, &why[0]) < 0 && !why[0])
        abort();
    if (rest && policy_add_suppressions(&policy, "file", rest, &why[1]) < 0 && !why[1])
        abort();
    ask(&policy);
    policy_release(&policy);
    free(why[0]);
    free(why[1]);
    free(text);
}

#include "shim/window/origin.h"

#include <stdlib.h>
#include <string.h>

#include "shim/bodies/requests.h"
#include "shim/guard/guard.h"
#include "shim/objects/type.h"

struct origin_loan {
    struct request request; /* for the guard; it has no number, and nobody waits for it */
    struct lent_buffer buffer[ORIGIN_BUFFERS];
    struct origin_loan *next;
};

static void show_lent_buffers(struct request *r, request_buffer *see)
{
    const struct origin_loan *loan = r->state;
    for (int i = 0; i < ORIGIN_BUFFERS; i++) {
        const struct lent_buffer *b = &loan->buffer[i];
        if (b->datatype != MPI_DATATYPE_NULL)
            see(r, b->buf, b->count, b->datatype, b->filled);
    }
}

void origin_lend(struct window *w, int member, const struct lent_buffer buffer[ORIGIN_BUFFERS], struct request *users)
{
    struct target *target = &w->target[member];
    struct origin_loan *loan = shim_alloc(sizeof *loan);
    memset(loan, 0, sizeof *loan);
    loan->request.call = shim.call;
    loan->request.state = loan;
    loan->request.buffers = show_lent_buffers;
    loan->request.datatype = MPI_DATATYPE_NULL;
    loan->request.also = users;
    if (users)
        users->also = &loan->request;
    memcpy(loan->buffer, buffer, sizeof loan->buffer);
    for (int i = 0; i < ORIGIN_BUFFERS; i++)
        if (loan->buffer[i].datatype != MPI_DATATYPE_NULL)
            type_hold(loan->buffer[i].datatype);
    loan->next = target->lent;
    target->lent = loan;
    guard_begin(&loan->request);
}

/* The operation is complete at the origin, so a test of the program's request says so, too (W20). */
static void end_loan(struct origin_loan *loan)
{
    guard_over(&loan->request);
    if (loan->request.also) {
        request_make_certain(loan->request.also);
        loan->request.also->also = NULL;
    }
    for (int i = 0; i < ORIGIN_BUFFERS; i++)
        if (loan->buffer[i].datatype != MPI_DATATYPE_NULL)
            type_drop(loan->buffer[i].datatype);
    free(loan);
}

static int first_member(int member)
{
    return member < 0 ? 0 : member;
}

static int behind_member(const struct window *w, int member)
{
    return member < 0 ? window_members(w) : member + 1;
}

void origin_check(struct window *w, int member)
{
    for (int i = first_member(member); i < behind_member(w, member); i++)
        for (struct origin_loan *loan = w->target[i].lent; loan; loan = loan->next)
            guard_check(&loan->request);
}

void origin_return(struct window *w, int member)
{
    for (int i = first_member(member); i < behind_member(w, member); i++)
        for (struct origin_loan *loan; (loan = w->target[i].lent);) {
            w->target[i].lent = loan->next;
            end_loan(loan);
        }
}

/*
 * mpi.pml -- the rules M1 to M9 of doc/semantics.md in Promela, so that SPIN can run them.
 *
 * A model brings one process per rank, which posts operations with the macros below and waits
 * for what they bring, and defines how much there is of everything:
 *
 *     RANKS, SENDS and RECVS that a rank can have pending, REQUESTS of a rank, from 1;
 *     MEETINGS, the collectives; PROBES, the different envelopes that are probed for;
 *     SLACK, see M7;  WATCH, which looks for every probe;  CLASH, whether two members of a
 *     collective disagree;  WINDOWS, if sends to keepers of windows can be kept back (W2).
 *
 * `tourney model -n N PROGRAM --emit=promela` writes such models; the files beside this one are
 * written by hand.  The rules are said here in the plainest way, and match at any moment what
 * may match: nothing is left out that theory says need not be tried.  One step of a rank is to
 * return from a call and post what follows, up to the next one (L8).
 *
 *     spin -a model.pml && gcc -O2 -DSAFETY -o pan pan.c && ./pan     finds a deadlock, if there is one
 *     spin -a -DTELL model.pml && ... && ./pan -E -A                  tells every way in which it can end
 */

#define ANY (-1)     /* source or tag of a receive */
#define NOBODY 255   /* waits for it */
#define STANDARD 0   /* modes of a send */
#define SYNCHRONOUS 1
#define BUFFERED 2
#define READY 3

/* M7.  SLACK is a number of bytes: standard sends of fewer bytes are buffered. */
#define ZERO 0
#define INFINITE 2147483647
#define AS_MPI_LIKES (-1)
#ifndef SLACK
#define SLACK AS_MPI_LIKES
#endif

/*
 * ---- what is pending: per rank, in the order in which it was posted; gaps are closed ----
 *
 * A send that a matched probe has taken stays until it is received (M6), and is matched.
 */

typedef Send {
    byte to, context;
    int tag;
    short message; /* what a receiver can tell it by */
    byte request;  /* of its rank */
    int taken      /* by a matched probe: 1 + the place of its request in `request`; 0: it is not */
#ifdef WINDOWS
    ; byte after   /* it is kept back until earlier sends of its rank to this one are received; NOBODY: it is not, */
    ; bool kept    /* and it still is */
#endif
};
typedef Receive {
    short from;
    byte context;
    int tag;
    byte request
};
Send sent[RANKS * SENDS];
byte sends[RANKS];
Receive wanted[RANKS * RECVS];
byte recvs[RANKS];

#define SENT(r, i) sent[(r) * SENDS + (i)]
#define WANTED(r, i) wanted[(r) * RECVS + (i)]

/* M6.  Request 0 is what the rank waits for in a blocking call that has none. */
typedef Request {
    bool done, cancelled,
        escaped; /* a cancel of it failed though it was unmatched */
    short op, /* what it is, */
        got   /* and the message that it brought */
};
Request request[RANKS * REQUESTS];

#define PLACE(r, q) ((r) * REQUESTS + (q))
#define REQUEST(r, q) request[PLACE(r, q)]
#define DONE(r, q) REQUEST(r, q).done
#define GOT(r, q, m) (REQUEST(r, q).got == (m))
#define IS(r, q, o) (REQUEST(r, q).op == (o))
#define CANCELLED(r, q) REQUEST(r, q).cancelled
#define ESCAPED(r, q) REQUEST(r, q).escaped

/* M5.  With which operation a member has joined a collective; and whether it waits for all (M7). */
short part[MEETINGS * RANKS];
bool waits_for_all[MEETINGS * RANKS];
#define PART(m, r) part[(m) * RANKS + (r)]
#define JOINED(m, r) (PART(m, r) != 0)
#define STRICT(m, r) waits_for_all[(m) * RANKS + (r)]

byte open;                    /* pairs that may match (M4) */
short seen[PROBES * RANKS];   /* by envelope and source: the message that a probe would see, or 0 */
#define SEES(p, s, m) (seen[(p) * RANKS + (s)] == (m))

bool stirred;      /* something has changed: first of all, what follows from it is found */
bool clash;        /* members disagree on a collective: the run is over */
short node[RANKS]; /* where each rank is in its model: in which node, */
byte at[RANKS];    /* at which of its operations, from 1; 0: it has ended */
bool fails[RANKS]; /* it crashes, aborts or the like */
#define QUIET (!stirred && !clash)

/* Used within steps only, and in loops within d_step only: in between, SPIN may come back and find them changed. */
hidden int d_, i_, j_, k_, n_, s_, x_, wd_, wi_, ws_, wj_;
hidden byte b_;

/* ---- M1 to M4: which pairs may match ---- */

/* W2: nobody can receive it yet. */
#ifdef WINDOWS
#define KEPT(sd) sd.kept
inline keep_back()
{
    for (s_ : 0 .. RANKS - 1) {
        for (j_ : 0 .. sends[s_] - 1) {
            SENT(s_, j_).kept = false;
            for (k_ : 0 .. j_ - 1) {
                if
                :: SENT(s_, k_).to == SENT(s_, j_).after && SENT(s_, k_).context == SENT(s_, j_).context -> SENT(s_, j_).kept = true
                :: else
                fi
            }
        }
    }
}
#else
#define KEPT(sd) false
inline keep_back() { skip }
#endif

/* M1 for a receive of r and a send of s. */
#define FITS(rc, s, sd, r) (!sd.taken && !KEPT(sd) && sd.to == (r) && sd.context == rc.context && (rc.from == ANY || rc.from == (s)) \
    && (rc.tag == ANY || rc.tag == sd.tag))

/* M2: j_ is the first send from s to r that such a receive could take; sends[s]: there is none. */
inline first_send(s, rank, ctx, tg)
{
    j_ = 0;
    do
    :: j_ < sends[s] && !(!SENT(s, j_).taken && !KEPT(SENT(s, j_)) && SENT(s, j_).to == rank && SENT(s, j_).context == ctx &&
                          (tg == ANY || SENT(s, j_).tag == tg)) -> j_++
    :: else -> break
    od
}

/* M3: b_ tells whether one of the first n receives of r could take send j_ of s. */
inline taken_before(s, rank, n)
{
    b_ = false;
    k_ = 0;
    do
    :: k_ < n && !b_ -> b_ = FITS(WANTED(rank, k_), s, SENT(s, j_), rank); k_++
    :: else -> break
    od
}

/* M4: n_ is how many pairs may match; the one with number `which` is wd_, wi_, ws_, wj_. */
inline pairs(which)
{
    n_ = 0;
    for (d_ : 0 .. RANKS - 1) {
        for (i_ : 0 .. recvs[d_] - 1) {
            for (s_ : 0 .. RANKS - 1) {
                if
                :: WANTED(d_, i_).from == ANY || WANTED(d_, i_).from == s_ ->
                    first_send(s_, d_, WANTED(d_, i_).context, WANTED(d_, i_).tag);
                    if
                    :: j_ < sends[s_] ->
                        taken_before(s_, d_, i_);
                        if
                        :: !b_ && n_ == which -> wd_ = d_; wi_ = i_; ws_ = s_; wj_ = j_; n_++
                        :: !b_ && n_ != which -> n_++
                        :: else
                        fi
                    :: else
                    fi
                :: else
                fi
            }
        }
    }
}

/* What a probe for envelope p would see: what a receive posted now could take. */
inline watch(p, rank, src, ctx, tg)
{
    for (s_ : 0 .. RANKS - 1) {
        seen[p * RANKS + s_] = 0;
        if
        :: src == ANY || src == s_ ->
            first_send(s_, rank, ctx, tg);
            if
            :: j_ < sends[s_] ->
                taken_before(s_, rank, recvs[rank]);
                if
                :: !b_ -> seen[p * RANKS + s_] = SENT(s_, j_).message
                :: else
                fi
            :: else
            fi
        :: else
        fi
    }
}

/* ---- pending operations come and go ---- */

inline drop_send(rank, i)
{
    sends[rank]--;
    for (k_ : i .. sends[rank] - 1) {
        SENT(rank, k_).to = SENT(rank, k_ + 1).to;
        SENT(rank, k_).context = SENT(rank, k_ + 1).context;
        SENT(rank, k_).tag = SENT(rank, k_ + 1).tag;
        SENT(rank, k_).message = SENT(rank, k_ + 1).message;
        SENT(rank, k_).request = SENT(rank, k_ + 1).request;
        SENT(rank, k_).taken = SENT(rank, k_ + 1).taken;
#ifdef WINDOWS
        SENT(rank, k_).after = SENT(rank, k_ + 1).after;
        SENT(rank, k_).kept = SENT(rank, k_ + 1).kept;
#endif
    }
    k_ = sends[rank];
    SENT(rank, k_).to = 0; SENT(rank, k_).context = 0; SENT(rank, k_).tag = 0; SENT(rank, k_).message = 0; SENT(rank, k_).request = 0;
#ifdef WINDOWS
    SENT(rank, k_).after = 0; SENT(rank, k_).kept = false;
#endif
    SENT(rank, k_).taken = 0
}

inline drop_recv(rank, i)
{
    recvs[rank]--;
    for (k_ : i .. recvs[rank] - 1) {
        WANTED(rank, k_).from = WANTED(rank, k_ + 1).from;
        WANTED(rank, k_).context = WANTED(rank, k_ + 1).context;
        WANTED(rank, k_).tag = WANTED(rank, k_ + 1).tag;
        WANTED(rank, k_).request = WANTED(rank, k_ + 1).request
    }
    k_ = recvs[rank];
    WANTED(rank, k_).from = 0; WANTED(rank, k_).context = 0; WANTED(rank, k_).tag = 0; WANTED(rank, k_).request = 0
}

/* The send j of s is received: M6 for whoever waits for it. */
inline send_is_received(s, j)
{
    if
    :: SENT(s, j).request != NOBODY -> x_ = SENT(s, j).request; DONE(s, x_) = true
    :: else
    fi;
    drop_send(s, j)
}

/* The network: any pair that may match may match now. */
active proctype network()
{
    byte which;
end:
    do
    :: d_step {
        stirred ->
        keep_back();
        pairs(-1);
        open = n_;
        WATCH;
        clash = CLASH;
        stirred = false
    }
    :: atomic {
        QUIET && open > 0 ->
        do
        :: which + 1 < open -> which++
        :: break
        od;
        d_step {
            pairs(which);
            if
            :: WANTED(wd_, wi_).request != NOBODY ->
                x_ = WANTED(wd_, wi_).request;
                DONE(wd_, x_) = true;
                REQUEST(wd_, x_).got = SENT(ws_, wj_).message
            :: else
            fi;
            drop_recv(wd_, wi_);
            send_is_received(ws_, wj_);
            which = 0;
            stirred = true
        }
    }
    od
}

/* ---- what ranks do ---- */

/* M6, M7: b_ tells whether a send completes at once. */
inline choose_buffering(mode, bytes)
{
    if
    :: mode == SYNCHRONOUS -> b_ = false
    :: mode == BUFFERED -> b_ = true
#if SLACK == AS_MPI_LIKES
    :: mode == STANDARD || mode == READY -> b_ = true
    :: mode == STANDARD || mode == READY -> b_ = false
#else
    :: mode == STANDARD || mode == READY -> b_ = (SLACK == INFINITE || bytes < SLACK)
#endif
    fi
}

inline send(rank, dest, ctx, tg, mode, bytes, msg, q, num)
{
    choose_buffering(mode, bytes);
    assert(sends[rank] < SENDS);
    SENT(rank, sends[rank]).to = dest;
    SENT(rank, sends[rank]).context = ctx;
    SENT(rank, sends[rank]).tag = tg;
    SENT(rank, sends[rank]).message = msg;
    SENT(rank, sends[rank]).request = q;
#ifdef WINDOWS
    SENT(rank, sends[rank]).after = NOBODY;
#endif
    sends[rank]++;
    REQUEST(rank, q).op = num;
    DONE(rank, q) = b_
}

#ifdef WINDOWS
/* To a keeper: kept back behind what this rank has sent to another process. */
inline send_behind(rank, dest, ctx, tg, mode, bytes, msg, q, num, behind)
{
    send(rank, dest, ctx, tg, mode, bytes, msg, q, num);
    SENT(rank, sends[rank] - 1).after = behind
}
#endif

inline recv(rank, src, ctx, tg, q, num)
{
    assert(recvs[rank] < RECVS);
    WANTED(rank, recvs[rank]).from = src;
    WANTED(rank, recvs[rank]).context = ctx;
    WANTED(rank, recvs[rank]).tag = tg;
    WANTED(rank, recvs[rank]).request = q;
    recvs[rank]++;
    REQUEST(rank, q).op = num
}

/* M5; what it needs is in the guard of whoever waits for it. */
inline join(rank, collective, q, num)
{
#if SLACK == AS_MPI_LIKES
    if
    :: STRICT(collective, rank) = false
    :: STRICT(collective, rank) = true
    fi;
#endif
    PART(collective, rank) = num;
    REQUEST(rank, q).op = num
}

/* D7: a request that needs nobody. */
inline complete(rank, q, num)
{
    DONE(rank, q) = true;
    REQUEST(rank, q).op = num
}

/* The rank has heard of a request: it is over. */
inline forget(rank, q)
{
    DONE(rank, q) = false; CANCELLED(rank, q) = false; ESCAPED(rank, q) = false; REQUEST(rank, q).op = 0; REQUEST(rank, q).got = 0
}

/* The same, or it gives up the request, of an operation that may still be pending: a buffered send, or any that was freed. */
inline let_go(rank, q)
{
    d_step {
        for (i_ : 0 .. sends[rank] - 1) {
            if
            :: SENT(rank, i_).request == q -> SENT(rank, i_).request = NOBODY
            :: else
            fi
        }
        for (i_ : 0 .. recvs[rank] - 1) {
            if
            :: WANTED(rank, i_).request == q -> WANTED(rank, i_).request = NOBODY
            :: else
            fi
        }
        forget(rank, q)
    }
}

/* Either it is withdrawn, or it has matched; or a send that is buffered goes its way, and another cancel fails, too (D5). */
inline cancel(rank, q)
{
    if
    :: !ESCAPED(rank, q) -> b_ = false
    :: DONE(rank, q) && !CANCELLED(rank, q) -> b_ = true
    fi;
    d_step {
        i_ = 0;
        do
        :: i_ < sends[rank] && (SENT(rank, i_).request != q || SENT(rank, i_).taken) -> i_++
        :: else -> break
        od;
        if
        :: i_ < sends[rank] && !b_ -> drop_send(rank, i_); DONE(rank, q) = true; CANCELLED(rank, q) = true
        :: i_ < sends[rank] && b_ -> ESCAPED(rank, q) = true
        :: else
        fi;
        i_ = 0;
        do
        :: i_ < recvs[rank] && WANTED(rank, i_).request != q -> i_++
        :: else -> break
        od;
        if
        :: i_ < recvs[rank] -> drop_recv(rank, i_); DONE(rank, q) = true; CANCELLED(rank, q) = true
        :: else
        fi
    }
}

/* A matched probe for this envelope takes the message of s that it sees. */
inline take(rank, s, ctx, tg, q, num)
{
    d_step {
        first_send(s, rank, ctx, tg);
        REQUEST(rank, q).got = SENT(s, j_).message;
        REQUEST(rank, q).op = num;
        SENT(s, j_).taken = PLACE(rank, q) + 1;
        stirred = true
    }
}

/* What was taken with this request is received; only now is it complete (M6). */
inline receive(rank, q)
{
    d_step {
        for (s_ : 0 .. RANKS - 1) {
            j_ = 0;
            do
            :: j_ < sends[s_] && SENT(s_, j_).taken != PLACE(rank, q) + 1 -> j_++
            :: else -> break
            od;
            if
            :: j_ < sends[s_] -> DONE(rank, q) = true; send_is_received(s_, j_)
            :: else
            fi
        }
    }
}

/* A rank comes to a node; it has posted what there was to post, and stands at the i-th operation of the node. */
#define ENTER(r, n) node[r] = n; at[r] = 0
#define REST(r, i) at[r] = i; stirred = true

/* It stands there until the condition holds, if it does not hold already. */
#define PASS(r, i, condition) if :: condition -> skip :: else -> REST(r, i); QUIET && condition fi

/* ---- how it ends ---- */

/* M9: nothing can happen any more. */
#ifdef TELL
active proctype referee()
{
    timeout ->
    c_code {
        int told_, fails_ = 0;
        for (told_ = 0; told_ < RANKS; told_++)
            fails_ |= now.fails[told_];
        printf("outcome: %s", now.clash ? "mismatch" : "end");
        for (told_ = 0; told_ < RANKS && !now.clash; told_++)
            if (fails_ && !now.fails[told_])
                printf(" -");
            else
                printf(" %d.%d", now.node[told_], now.at[told_]);
        printf("\n");
    }
}
#endif

"""Scripts of one-sided communication: what program.c performs and meaning.py gives a meaning to.

The steps of each rank, with `/` between ranks; every rank has a window of two numbers, which are 0 at first:

    P1.0=5     put 5 to number 0 of rank 1        x1 s1   lock rank 1, exclusive or shared
    G1.0       get                                u1      unlock
    A1.0+5     accumulate; + sum, m maximum,      a z     lock all, unlock all
               = replace                          w1 l1   flush, flush locally
    F1.0?0     fetch and op; ? no operation       p02 v   post for ranks 0 and 2, wait
    C1.0:3>5   compare with 3 and swap for 5      t1 c    start for rank 1, complete
    f fp fs    fence; p: nothing precedes,        >1.7    send to rank 1 with tag 7; S: synchronous
               s: nothing succeeds                <1.7 <*.7 b   receive, from anybody, barrier
    P1.0=5r    the same with a request; not of C  T L     test the first of the rank's open requests; until it says yes
    Y y        MPI_Waitany, MPI_Testany of those  W       wait for all of them

Before the first rank, `none~` or some of `rar,raw,war,waw` and `~` is the info key accumulate_ordering of the window; without it there is none.
"""
import collections

ACCESSES = "PGAFC"
READS = "GFC"
ATOMIC = "AFC"
CELLS = 2
ORDERS = ("rar", "raw", "war", "waw")

Step = collections.namedtuple("Step", "kind target cell operator value compared group tag text requested")


def read_step(text):
    kind = text[0]
    requested = kind in ACCESSES and text.endswith("r")
    text = text.removesuffix("r") if requested else text
    step = {"kind": kind, "target": None, "cell": None, "operator": None, "value": 0, "compared": None, "group": (),
            "tag": None, "text": text, "requested": requested}
    if kind in ACCESSES:
        step.update(target=int(text[1]), cell=int(text[3]))
    if kind == "P":
        step.update(value=int(text[5:]))
    elif kind in "AF":
        step.update(operator=text[4], value=int(text[5:]))
    elif kind == "C":
        compared, _, value = text[5:].partition(">")
        step.update(compared=int(compared), value=int(value))
    elif kind in "xsuwl":
        step.update(target=int(text[1]))
    elif kind in "pt":
        step.update(group=tuple(int(member) for member in text[1:]))
    elif kind in "><S":
        step.update(target=None if text[1] == "*" else int(text[1]), tag=int(text[3]))
    elif kind not in "GfazcvbTLYyW":
        raise ValueError(f"there is no step {text}")
    return Step(**step)


def orders_kept(text):
    """Of two accumulates of one origin to one place, what MPI promises to do in their order."""
    key, tilde, _ = text.partition("~")
    return frozenset(key.split(",") if tilde else ORDERS) - {"none"}


def read_script(text):
    """The steps of each rank."""
    return [[read_step(step) for step in part.split()] for part in text.split("~")[-1].split("/")]

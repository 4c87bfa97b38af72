"""What a script of messages, collectives and locks in several threads of each rank may come to, by brute force.

Nothing here is from tourney: no calls are taken to commute, nothing is learned, and no thread has a turn.  The rules are those of MPI-4.0,
sections 3.5 (order of messages), 3.8 (probes), 6.14 (collectives of threads) and 11.6 (threads), and of POSIX for locks.  A state has the
place of each thread, what is on its way and posted, in the order in which it was, and who holds what.  What can happen next is that a thread makes its next
step, that a step in which it waits is over, or that a message and a receive meet.  All of it is tried in all orders.

The steps of a thread:

    sK.T SK.T    sends to rank K with tag T; S: synchronous
    iK.T         starts to send
    vK.T         receives from rank K with tag T, `*` for any, and is told what was sent
    jK.T w       starts to receive; waits for the oldest operation that was started, and is told what was received, or sent
    pK.T mK.T    probes, and is told source and tag; probes and takes, and is told what was sent
    bC gC        a barrier, a broadcast of rank 0 on communicator C, which is told
    T            a barrier of all threads of the rank
    lM uM tM     locks mutex M, and is told how many did before; unlocks it; tries to lock, and is told -1 if it is locked; else unlocks at once
    cM nM        waits for a token of condition M, takes it and is told how many did before or locked; brings a token and signals
    dM eM        waits for a semaphore, and posts
    RM WM UM     locks for reading, or for writing, and is told how many wrote before; unlocks
"""


class TooMany(Exception):
    """States."""


def replaced(values, index, value):
    return values[:index] + (value,) + values[index + 1:]


def fits(pattern, source, tag):
    return pattern[0] in ("*", str(source)) and pattern[1] in ("*", tag)


class State:
    """One state, as a tuple of these."""

    FIELDS = ("place",      # of each actor
              "within",     # what the step of each actor is waiting for, or None
              "mail",       # unmatched sends: (source, dest, tag, value, whose), in the order of their posts
              "posted",     # unmatched receives: (dest, pattern, whose), the same
              "done",       # operations that are complete: (whose, value)
              "told",       # to each actor
              "held",       # ((rank, kind, number), value): mutexes and counters of all kinds
              "part")       # of collectives: (communicator, turn of its rank, rank)

    def __init__(self, values):
        for field, value in zip(State.FIELDS, values):
            setattr(self, field, value)

    def values(self):
        return tuple(getattr(self, field) for field in State.FIELDS)

    def copy(self):
        return State(self.values())

    def get(self, rank, kind, number):
        return dict(self.held).get((rank, kind, number), 0)

    def put(self, rank, kind, number, value):
        held = dict(self.held)
        held[rank, kind, number] = value
        self.held = tuple(sorted(item for item in held.items() if item[1] != 0))


class Meaning:
    """Outcomes, and whether there is a deadlock.  `slack`: a standard send is "never", "always" or "maybe" complete before it is received."""

    def __init__(self, script, slack, most=60000):
        self.ranks = script.count("/") + 1
        self.actors = [(rank, thread) for rank, part in enumerate(script.split("/")) for thread in range(part.count(";") + 1)]
        self.steps = [steps.split() for part in script.split("/") for steps in part.split(";")]
        self.slack, self.outcomes, self.deadlock = slack, set(), False
        n, seen = len(self.actors), set()
        todo = [((0,) * n, (None,) * n, (), (), frozenset(), ((),) * n, (), frozenset())]
        while todo:
            values = todo.pop()
            if values in seen:
                continue
            seen.add(values)
            if len(seen) > most:
                raise TooMany
            following = [state.values() for state in self.following(State(values))]
            todo += following
            if not following:
                self.end(State(values))
        self.states = len(seen)

    def end(self, state):
        if any(place < len(steps) for place, steps in zip(state.place, self.steps)):
            self.deadlock = True
            return
        line = []
        for rank in range(self.ranks):
            told = [" ".join(map(str, state.told[i])) for i, (whose, _) in enumerate(self.actors) if whose == rank]
            line.append(";".join(told + [""] * (3 - len(told))))
        self.outcomes.add("/".join(line))

    # ---- moves

    def goes_on(self, state, actor, *told):
        """The step is over."""
        state.place = replaced(state.place, actor, state.place[actor] + 1)
        state.within = replaced(state.within, actor, None)
        state.told = replaced(state.told, actor, state.told[actor] + told)
        return state

    @staticmethod
    def waits(state, actor, what):
        state.within = replaced(state.within, actor, what)
        return state

    def following(self, state):
        yield from self.meetings(state)
        for actor, place in enumerate(state.place):
            if place < len(self.steps[actor]):
                step = self.steps[actor][place]
                if state.within[actor] is None:
                    yield from self.begin(state, actor, step)
                else:
                    yield from self.finish(state, actor, state.within[actor])

    def meetings(self, state):
        """A message and a receive, if no message of the same source that was sent before fits, and no receive posted before."""
        for m, (source, dest, tag, value, sender) in enumerate(state.mail):
            for r, (where, pattern, receiver) in enumerate(state.posted):
                if where == dest and fits(pattern, source, tag) and self.may_meet(state, m, r):
                    after = state.copy()
                    after.mail = state.mail[:m] + state.mail[m + 1:]
                    after.posted = state.posted[:r] + state.posted[r + 1:]
                    after.done = state.done | {(receiver, value), (sender, value)}
                    yield after

    @staticmethod
    def is_first(state, m, pattern):
        source, dest, tag = state.mail[m][:3]
        return fits(pattern, source, tag) and \
            not any(mail[:2] == (source, dest) and fits(pattern, source, mail[2]) for mail in state.mail[:m])

    def may_meet(self, state, m, r):
        source, dest, tag = state.mail[m][:3]
        return self.is_first(state, m, state.posted[r][1]) and \
            not any(posted[0] == dest and fits(posted[1], source, tag) for posted in state.posted[:r])

    def visible(self, state, rank, pattern):
        """Messages that a probe may see: nobody has posted a receive for them."""
        for m, (source, dest, tag, _, _) in enumerate(state.mail):
            if dest == rank and self.is_first(state, m, pattern) and \
                    not any(posted[0] == rank and fits(posted[1], source, tag) for posted in state.posted):
                yield m

    # ---- steps

    def begin(self, state, actor, step):
        rank, thread = self.actors[actor]
        number = (actor, state.place[actor])
        after, kind = state.copy(), step[0]
        if kind in "sSi":
            value = 100 * rank + 10 * thread + state.place[actor]
            after.mail = state.mail + ((rank, int(step[1]), step[3], value, number),)
            yield from self.sent(after, actor, kind, number)
        elif kind in "vj":
            after.posted = state.posted + ((rank, (step[1], step[3]), number),)
            yield self.goes_on(after, actor) if kind == "j" else self.waits(after, actor, ("done", number, False))
        elif kind == "w":
            for slack in self.slacks():
                yield self.waits(after.copy(), actor, ("done", self.oldest(actor, state.place[actor]), slack))
        elif kind in "pm":
            yield self.waits(after, actor, ("probe", step))
        elif kind in "bg":
            turn = sum(other[:2] == step[:2] or other[1:] == step[1:] and other[0] in "bg" for other in self.steps[actor][:state.place[actor]])
            after.part = state.part | {(step[1], turn, rank)}
            for slack in (True, False) if self.slack == "maybe" else (True,):  # of messages alone it is said that they are not buffered
                yield self.waits(after.copy(), actor, ("part", step, turn, slack))
        elif kind == "T":
            after.put(rank, "T", "0", state.get(rank, "T", "0") + 1)
            turn = self.steps[actor][:state.place[actor]].count("T") + 1
            yield self.waits(after, actor, ("threads", turn))
        else:
            yield from self.locking(after, actor, kind, step[1:])

    def oldest(self, actor, place):
        """The operation that the wait at this place is for."""
        started = [i for i, step in enumerate(self.steps[actor]) if step[0] in "ij"]
        return actor, started[sum(step == "w" for step in self.steps[actor][:place])]

    def slacks(self):
        """Whether what need not wait for others does not: the library decides when it begins."""
        return {"always": (True,), "never": (False,), "maybe": (True, False)}[self.slack]

    def sent(self, state, actor, kind, number):
        if kind == "i":
            yield self.goes_on(state, actor)
            return
        for slack in self.slacks() if kind == "s" else (False,):
            yield self.goes_on(state.copy(), actor) if slack else self.waits(state.copy(), actor, ("sent", number, False))

    def finish(self, state, actor, what):
        rank = self.actors[actor][0]
        after = state.copy()
        if what[0] in ("done", "sent"):
            is_send = self.steps[what[1][0]][what[1][1]][0] == "i"
            found = [value for whose, value in state.done if whose == what[1]]
            if found:
                yield self.goes_on(after, actor, *(found if what[0] == "done" else []))
            elif is_send and what[2]:
                mine = 100 * rank + 10 * self.actors[actor][1] + what[1][1]
                yield self.goes_on(after, actor, mine)
        elif what[0] == "probe":
            yield from self.probed(state, actor, what[1])
        elif what[0] == "part":
            yield from self.met(after, actor, *what[1:])
        elif what[0] == "threads":
            size = sum(other == rank for other, _ in self.actors)
            if state.get(rank, "T", "0") >= size * what[1]:
                yield self.goes_on(after, actor)
        elif what[0] == "holds":
            yield from self.with_condition(after, actor, what[1], what[2])
        elif what[0] == "sleeps":
            if state.get(rank, "tokens", what[2]):
                yield from self.locking(after, actor, what[1], what[2])
        else:
            after.put(rank, "mutex", what[1], 0)
            yield self.goes_on(after, actor, *what[2])

    def with_condition(self, state, actor, kind, number):
        """The mutex of the condition is held, for a moment at least."""
        rank = self.actors[actor][0]
        count, tokens = state.get(rank, "count", number), state.get(rank, "tokens", number)
        if kind == "n":
            state.put(rank, "tokens", number, tokens + 1)
            yield self.waits(state, actor, ("leaves", number, ()))
        elif tokens:
            state.put(rank, "tokens", number, tokens - 1)
            state.put(rank, "count", number, count + 1)
            yield self.waits(state, actor, ("leaves", number, (count,)))
        else:
            state.put(rank, "mutex", number, 0)
            yield self.waits(state, actor, ("sleeps", kind, number))

    def probed(self, state, actor, step):
        rank = self.actors[actor][0]
        for m in self.visible(state, rank, (step[1], step[3])):
            source, _, tag, value, sender = state.mail[m]
            after = state.copy()
            if step[0] == "m":
                after.mail = state.mail[:m] + state.mail[m + 1:]
                after.done = state.done | {(sender, value)}
                yield self.goes_on(after, actor, value)
            else:
                yield self.goes_on(after, actor, 10 * source + int(tag))

    def met(self, state, actor, step, turn, slack):
        """Who gets something waits for who has it; that the root waits for nobody is slack."""
        rank = self.actors[actor][0]
        there = {who for comm, number, who in state.part if (comm, number) == (step[1], turn)}
        everybody = len(there) == self.ranks
        if step[0] == "b":
            if everybody:
                yield self.goes_on(state, actor)
            return
        root = next(i for i, steps in enumerate(self.steps) if self.actors[i][0] == 0 and any(s[0] in "bg" and s[1] == step[1] for s in steps))
        place = [i for i, s in enumerate(self.steps[root]) if s[0] in "bg" and s[1] == step[1]][turn]
        if everybody or (0 in there and (rank != 0 or slack)):
            yield self.goes_on(state, actor, 10 * self.actors[root][1] + place)

    def locking(self, state, actor, kind, number):
        """A step with a lock; one that has to wait is begun when it can be done: that it has asked is seen by nobody."""
        rank = self.actors[actor][0]
        count = state.get(rank, "count", number)
        owner = state.get(rank, "mutex", number)
        readers, writer = state.get(rank, "readers", number), state.get(rank, "writer", number)
        if kind == "u":
            state.put(rank, "mutex", number, 0)
            yield self.goes_on(state, actor)
        elif kind == "t" and owner:
            yield self.goes_on(state, actor, -1)
        elif kind in "lt" and not owner:
            state.put(rank, "count", number, count + 1)
            state.put(rank, "mutex", number, actor + 1)
            yield self.goes_on(state, actor, count) if kind == "l" else self.waits(state, actor, ("leaves", number, (count,)))
        elif kind in "nc":
            if not owner:
                state.put(rank, "mutex", number, actor + 1)
                yield self.waits(state, actor, ("holds", kind, number))
        elif kind == "e" or (kind == "d" and state.get(rank, "semaphore", number)):
            state.put(rank, "semaphore", number, state.get(rank, "semaphore", number) + (1 if kind == "e" else -1))
            yield self.goes_on(state, actor)
        elif kind in "RW":
            yield from self.rwlocking(state, actor, kind, number, readers, writer)
        elif kind == "U":
            state.put(rank, "writer" if writer else "readers", number, 0 if writer else readers - 1)
            yield self.goes_on(state, actor)

    def rwlocking(self, state, actor, kind, number, readers, writer):
        rank = self.actors[actor][0]
        written = state.get(rank, "written", number)
        if kind == "R" and not writer:
            state.put(rank, "readers", number, readers + 1)
            yield self.goes_on(state, actor, written)
        elif kind == "W" and not writer and not readers:
            state.put(rank, "writer", number, 1)
            state.put(rank, "written", number, written + 1)
            yield self.goes_on(state, actor, written)

"""What a script may come to, by MPI-4.0, chapter 12, and by brute force.

Nothing here is from tourney: there are no keepers and no messages to windows.  A state has the places of the ranks, the numbers in the windows,
and of every access whether it was called, has happened at its target, or is complete.  What can happen next is one of

- a rank goes on with its next call, or returns from it;
- a lock that was asked for is granted (12.5.3: when that is, nobody says);
- an access that was called happens at its target, at any moment from when its epoch has begun there (12.5) until the call that
  completes it there returns.  Accumulates of one origin to one place happen in their order, so far as accumulate_ordering
  does not give that up (12.7.2), all else in any.

A request of an access may be said to be complete when the access has happened, if it has a result, else at any time (12.3.5); and must be, once a
call has completed the access at its origin.

All of it is tried in all orders.  Two accesses to one number are a race (12.7) if in some state both have begun at their target and
neither is complete, and they are not both reads, or both atomic with operators that go together (12.2.1, accumulate_ops).

`slack` says what calls do that may block or not: if there is none, sends wait for receives, MPI_Win_lock for the lock,
MPI_Win_start for MPI_Win_post; if there is, none of these waits, except for a lock of one's own window; ANY is either, for each call anew, and a
fence that ends no epoch may wait for all.  `in_order` makes accumulates of one
origin to one target happen in their order also if they are to different places, which MPI does not promise, but tourney plays.
"""
import collections

from script import ACCESSES, ATOMIC, CELLS, READS, orders_kept, read_script


class TooMany(Exception):
    """States."""


def conflict(a, b):
    """Whether two accesses to one number may not be under way at one time (12.7)."""
    if a.kind == "G" and b.kind == "G":
        return False
    if a.kind in "PG" or b.kind in "PG":
        return True
    operators = {step.operator for step in (a, b)} - {"?", None}
    return len(operators) > 1


def happen(step, value):
    """The number after an access, of the accumulate family or a put."""
    if step.kind == "P" or step.operator == "=":
        return step.value
    if step.kind == "C":
        return step.value if value == step.compared else value
    if step.operator == "+":
        return value + step.value
    if step.operator == "m":
        return max(value, step.value)
    return value


def only_reads(step):
    """Nothing of it is left at the target once the result is there."""
    return step.kind == "G" or (step.kind == "F" and step.operator == "?")


def effects(step):
    """Of an accumulate, as accumulate_ordering has it: it reads if it has a result, and writes unless it only reads."""
    return ("r" if step.kind in READS else "") + ("" if only_reads(step) else "w")


def are_ordered(first, second, kept):
    """Two accumulates of one origin to one place (12.7.2): each is atomic (12.7.1), so one order of what they do is enough."""
    return any(f"{later}a{earlier}" in kept for earlier in effects(first) for later in effects(second))


CALLED, DONE, COMPLETE = 1, 2, 3
OPEN, CERTAIN, OVER = 1, 2, 3
ANY = None


class Access:
    """One access of the script, and the epoch that it belongs to."""

    def __init__(self, number, origin, place, step, epoch, turn):
        self.number, self.origin, self.place, self.step = number, origin, place, step
        self.epoch, self.turn = epoch, turn  # "fence", "start" or "lock"; which fence, or start for that target, counted from 1
        self.earlier = []                    # accumulates of the same origin to the same number, before it

    def begun(self, state, meaning):
        """Whether its epoch has begun at the target."""
        if self.epoch == "lock":
            return state.locks[self.origin * meaning.ranks + self.step.target] in ("X", "S")
        key = ("p", self.origin) if self.epoch == "start" else "f"
        return meaning.count(state, self.step.target, key) >= self.turn


# places: of each rank, twice the number of its step, and one more within the call; numbers: in the windows; accesses: of each, 0 or one of
# the three above; results: (rank, place, value); locks: of each origin at each target, "" none, "x" or "s" asked for, "X" or "S" granted;
# mail: (source, destination, tag) as sent; requests: of each access, 0 or one of the three above.
State = collections.namedtuple("State", "places numbers accesses results locks mail requests")


def put_at(values, index, value):
    return values[:index] + (value,) + values[index + 1:]


class Meaning:
    """All outcomes of a script, whether it can deadlock, and its races, as pairs of (rank, number of the step)."""

    def __init__(self, text, slack, in_order=False, most=100000):
        self.script, self.slack, self.in_order, self.most = read_script(text), slack, in_order, most
        self.kept = orders_kept(text)
        self.ranks = len(self.script)
        self.accesses = []
        self.at = {}  # (rank, number of the step) -> access
        for rank in range(self.ranks):
            self.read_epochs(rank)
        self.counts = [self.count_calls(rank) for rank in range(self.ranks)]
        self.outcomes, self.races, self.deadlocks = set(), set(), set()
        self.search()

    # ---- what the script says by itself ----

    def read_epochs(self, rank):
        fences, starts, started, locked = 0, {}, (), set()
        for place, step in enumerate(self.script[rank]):
            if step.kind == "f":
                fences += 1
            elif step.kind == "t":
                started = step.group
                for target in started:
                    starts[target] = starts.get(target, 0) + 1
            elif step.kind == "c":
                started = ()
            elif step.kind in "xs":
                locked.add(step.target)
            elif step.kind == "a":
                locked = set(range(self.ranks))
            elif step.kind == "u":
                locked.discard(step.target)
            elif step.kind == "z":
                locked = set()
            elif step.kind in ACCESSES:
                epoch = "start" if step.target in started else "lock" if step.target in locked else "fence"
                turn = {"start": starts.get(step.target), "lock": 0, "fence": fences}[epoch]
                self.add_access(Access(len(self.accesses), rank, place, step, epoch, turn))

    def add_access(self, access):
        """Accumulates of one origin to one place are ordered, unless that is given up (12.7.2)."""
        for other in self.accesses:
            if (access.step.kind in ATOMIC and other.step.kind in ATOMIC
                    and (other.origin, other.step.target) == (access.origin, access.step.target)
                    and (are_ordered(other.step, access.step, self.kept) if other.step.cell == access.step.cell else self.in_order)):
                access.earlier.append(other.number)
        self.accesses.append(access)
        self.at[access.origin, access.place] = access

    def has_unordered(self):
        """Whether an origin has accumulates to several places of one target."""
        places = {(access.origin, access.step.target, access.step.cell) for access in self.accesses if access.step.kind in ATOMIC}
        return len({place[:2] for place in places}) < len(places)

    def count_calls(self, rank):
        """For each place, the calls so far: fences, barriers, and for each rank the posts and completes."""
        now, counts, started = {}, [], ()
        for step in self.script[rank]:
            counts.append(dict(now))
            keys = [step.kind] if step.kind in "fb" else []
            if step.kind == "p":
                keys = [("p", other) for other in step.group]
            elif step.kind == "t":
                started = step.group
            elif step.kind == "c":
                keys = [("c", other) for other in started]
            for key in keys:
                now[key] = now.get(key, 0) + 1
            counts.append(dict(now))
        return [*counts, now]

    def count(self, state, rank, key):
        return self.counts[rank][state.places[rank]].get(key, 0)

    # ---- what can happen in a state ----

    def next_states(self, state):
        for rank, place in enumerate(state.places):
            if place < 2 * len(self.script[rank]):
                step = self.script[rank][place // 2]
                yield from getattr(self, "step_" + NAMES[step.kind])(state, rank, step)
        for access in self.accesses:
            if (state.accesses[access.number] == CALLED and access.begun(state, self)
                    and all(state.accesses[number] >= DONE for number in access.earlier)):
                yield self.let_happen(state, access)
        for index, lock in enumerate(state.locks):
            if lock in ("x", "s") and self.is_free(state, index % self.ranks, lock):
                yield state._replace(locks=put_at(state.locks, index, lock.upper()))

    def let_happen(self, state, access):
        index = access.step.target * CELLS + access.step.cell
        value = state.numbers[index]
        state = state._replace(accesses=put_at(state.accesses, access.number, DONE),
                               numbers=put_at(state.numbers, index, happen(access.step, value)))
        if access.step.kind in READS:
            state = state._replace(results=state.results | {(access.origin, access.place, value)})
        return state

    def go(self, state, rank, complete=()):
        """The rank has returned from its call, and these accesses are complete."""
        accesses = state.accesses
        for access in complete:
            accesses = put_at(accesses, access.number, COMPLETE)
        return state._replace(places=put_at(state.places, rank, state.places[rank] // 2 * 2 + 2), accesses=accesses)

    @staticmethod
    def enter(state, rank):
        return state._replace(places=put_at(state.places, rank, state.places[rank] + 1))

    def enter_or_go(self, state, rank):
        """The call waits, or it does not, or may do either."""
        if self.slack is not False:
            yield self.go(state, rank)
        if not self.slack:
            yield self.enter(state, rank)

    @staticmethod
    def is_within(state, rank):
        return state.places[rank] % 2 == 1

    def under_way(self, state, **which):
        """Accesses that were called and are not complete."""
        return [access for access in self.accesses if 0 < state.accesses[access.number] < COMPLETE
                and all(getattr(access, key, None) == value or getattr(access.step, key, None) == value
                        for key, value in which.items())]

    @staticmethod
    def all_done(state, accesses):
        return all(state.accesses[access.number] == DONE for access in accesses)

    # ---- accesses (12.3), their requests (12.3.5), locks and flushes (12.5.3, 12.5.4) ----

    def step_access(self, state, rank, step):
        access = self.at[rank, state.places[rank] // 2]
        if step.requested:
            state = state._replace(requests=put_at(state.requests, access.number, OPEN))
        yield self.go(state._replace(accesses=put_at(state.accesses, access.number, CALLED)), rank)

    def open_requests(self, state, rank):
        return [access for access in self.accesses if access.origin == rank and state.requests[access.number] in (OPEN, CERTAIN)]

    @staticmethod
    def may_be_over(state, access):
        return access.step.kind not in READS or state.accesses[access.number] >= DONE

    def end_requests(self, state, rank, ended, result=None):
        """What was read is here, so that what only reads is over."""
        for access in ended:
            state = state._replace(requests=put_at(state.requests, access.number, OVER))
        if result is not None:
            state = state._replace(results=state.results | {(rank, state.places[rank] // 2, result)})
        return self.go(state, rank, [access for access in ended if only_reads(access.step)])

    def make_certain(self, state, rank, target=None):
        """Accesses to a target, or to all, are complete at their origin."""
        for access in self.open_requests(state, rank):
            if target in (None, access.step.target):
                state = state._replace(requests=put_at(state.requests, access.number, CERTAIN))
        return state

    def step_test(self, state, rank, step):
        """Until it says yes, or once."""
        opened = self.open_requests(state, rank)[:1]
        loops = step.kind == "L"
        if not opened:
            yield self.end_requests(state, rank, [], None if loops else -1)
        elif self.may_be_over(state, opened[0]):
            yield self.end_requests(state, rank, opened, None if loops else 1)
        if opened and not loops and state.requests[opened[0].number] == OPEN:
            yield self.end_requests(state, rank, [], 0)

    def step_any(self, state, rank, step):
        opened = self.open_requests(state, rank)
        if not opened:
            yield self.end_requests(state, rank, [], -1)
        for access in opened:
            if self.may_be_over(state, access):
                yield self.end_requests(state, rank, [access], access.place)
        if opened and step.kind == "y" and all(state.requests[access.number] == OPEN for access in opened):
            yield self.end_requests(state, rank, [], -2)

    def step_wait_all(self, state, rank, _):
        opened = self.open_requests(state, rank)
        if all(self.may_be_over(state, access) for access in opened):
            yield self.end_requests(state, rank, opened)

    def is_free(self, state, target, lock):
        held = {state.locks[origin * self.ranks + target] for origin in range(self.ranks)}
        return "X" not in held and (lock == "s" or "S" not in held)

    def ask(self, state, rank, target, lock):
        return state._replace(locks=put_at(state.locks, rank * self.ranks + target, lock))

    def has(self, state, rank, target):
        return state.locks[rank * self.ranks + target] in ("X", "S")

    def step_lock(self, state, rank, step):
        if not self.is_within(state, rank):
            state = self.ask(state, rank, step.target, step.kind)
            yield from [self.enter(state, rank)] if step.target == rank else self.enter_or_go(state, rank)
        elif self.has(state, rank, step.target):
            yield self.go(state, rank)

    def step_lock_all(self, state, rank, _):
        if not self.is_within(state, rank):
            for target in range(self.ranks):
                state = self.ask(state, rank, target, "s")
            yield self.enter(state, rank)
        elif all(self.has(state, rank, target) for target in ([rank] if self.slack is not False else range(self.ranks))):
            yield self.go(state, rank)

    def step_unlock(self, state, rank, step):
        """Nobody says that the lock must ever have been granted if there was nothing to do."""
        done = self.under_way(state, origin=rank, target=step.target)
        if self.all_done(state, done):
            state = self.make_certain(state, rank, step.target)
            yield self.go(self.ask(state, rank, step.target, ""), rank, done)

    def step_unlock_all(self, state, rank, _):
        done = self.under_way(state, origin=rank)
        if self.all_done(state, done):
            for target in range(self.ranks):
                state = self.ask(state, rank, target, "")
            yield self.go(self.make_certain(state, rank), rank, done)

    def step_flush(self, state, rank, step):
        done = self.under_way(state, origin=rank, target=step.target)
        if self.all_done(state, done):
            yield self.go(self.make_certain(state, rank, step.target), rank, done)

    def step_flush_local(self, state, rank, step):
        """What was read is here, so that what only reads is over (12.7, rule 1); what was sent may be anywhere."""
        reads = [access for access in self.under_way(state, origin=rank, target=step.target) if access.step.kind in READS]
        if self.all_done(state, reads):
            yield self.go(self.make_certain(state, rank, step.target), rank, [access for access in reads if only_reads(access.step)])

    # ---- fences (12.5.1) ----

    def step_fence(self, state, rank, step):
        turn = self.count(state, rank, "f")
        fences = [other.text for other in self.script[rank][:state.places[rank] // 2] if other.kind == "f"]
        ends_none = "p" in step.text or not fences or "s" in fences[-1]
        if not self.is_within(state, rank):
            if ends_none:
                yield self.go(state, rank)
            if not ends_none or self.slack is ANY:
                yield self.enter(state, rank)
            return
        done = self.under_way(state, epoch="fence", turn=turn - 1)
        if all(self.count(state, other, "f") >= turn for other in range(self.ranks)) and self.all_done(state, done):
            yield self.go(state, rank, done)

    # ---- post, start, complete, wait (12.5.2) ----

    def step_post(self, state, rank, _):
        yield self.go(state, rank)

    def step_start(self, state, rank, step):
        place = state.places[rank] // 2
        turns = {target: sum(1 for other in self.script[rank][:place + 1] if other.kind == "t" and target in other.group)
                 for target in step.group}
        if not self.is_within(state, rank):
            yield from self.enter_or_go(state, rank)
        elif all(self.count(state, target, ("p", rank)) >= turn for target, turn in turns.items()):
            yield self.go(state, rank)

    def step_complete(self, state, rank, _):
        """What was read is here; what was sent is complete at the target when that has waited for it."""
        if not self.is_within(state, rank):
            yield self.enter(state, rank)
            return
        reads = [access for access in self.under_way(state, origin=rank, epoch="start") if access.step.kind in READS]
        if self.all_done(state, reads):
            yield self.go(state, rank, [access for access in reads if only_reads(access.step)])

    def step_wait(self, state, rank, _):
        group = [step.group for step in self.script[rank][:state.places[rank] // 2] if step.kind == "p"][-1]
        turns = {origin: self.count(state, rank, ("p", origin)) for origin in group}
        done = [access for access in self.under_way(state, target=rank, epoch="start")
                if access.origin in turns and access.turn <= turns[access.origin]]
        if all(self.count(state, origin, ("c", rank)) >= turn for origin, turn in turns.items()) and self.all_done(state, done):
            yield self.go(state, rank, done)

    # ---- messages and barriers ----

    def step_send(self, state, rank, step):
        """What is not buffered waits within its call, for step_receive."""
        if self.is_within(state, rank):
            return
        if self.slack is not False and step.kind == ">":
            yield self.go(state._replace(mail=(*state.mail, (rank, step.target, step.tag))), rank)
        if not self.slack or step.kind == "S":
            yield self.enter(state, rank)

    def step_receive(self, state, rank, step):
        """A message that was sent, or one whose sender waits for this receive; of one sender, the first."""
        for source in [step.target] if step.target is not None else range(self.ranks):
            taken = state
            if (source, rank, step.tag) in state.mail:
                index = state.mail.index((source, rank, step.tag))
                taken = state._replace(mail=state.mail[:index] + state.mail[index + 1:])
            elif self.sends_now(state, source, rank, step.tag):
                taken = self.go(state, source)
            else:
                continue
            if step.target is None:
                taken = taken._replace(results=taken.results | {(rank, state.places[rank] // 2, source)})
            yield self.go(taken, rank)

    def sends_now(self, state, source, rank, tag):
        place = state.places[source]
        if place >= 2 * len(self.script[source]) or source == rank:
            return False
        step = self.script[source][place // 2]
        return step.kind in ">S" and self.is_within(state, source) and (step.target, step.tag) == (rank, tag)

    def step_barrier(self, state, rank, _):
        if not self.is_within(state, rank):
            yield self.enter(state, rank)
        elif all(self.count(state, other, "b") >= self.count(state, rank, "b") for other in range(self.ranks)):
            yield self.go(state, rank)

    # ---- all of them ----

    def look_for_races(self, state):
        live = [access for access in self.under_way(state) if access.begun(state, self)]
        for i, a in enumerate(live):
            for b in live[:i]:
                ordered = (a.origin == b.origin and a.step.kind in ATOMIC and b.step.kind in ATOMIC
                           and are_ordered(*(each.step for each in sorted((a, b), key=lambda each: each.number)), self.kept))
                if (a.step.target, a.step.cell) == (b.step.target, b.step.cell) and not ordered and conflict(a.step, b.step):
                    self.races.add(((b.origin, b.place), (a.origin, a.place)))

    def outcome(self, state):
        """As program.c writes it."""
        text = ""
        for rank in range(self.ranks):
            read = [str(value) for _, _, value in sorted(result for result in state.results if result[0] == rank)]
            numbers = state.numbers[rank * CELLS:(rank + 1) * CELLS]
            text += " ".join([*read, f"[{' '.join(map(str, numbers))}]"]) + "|"
        return text

    def search(self):
        first = State((0,) * self.ranks, (0,) * self.ranks * CELLS, (0,) * len(self.accesses), frozenset(),
                      ("",) * self.ranks * self.ranks, (), (0,) * len(self.accesses))
        known, todo = {first}, [first]
        end = tuple(2 * len(steps) for steps in self.script)
        while todo:
            state = todo.pop()
            self.look_for_races(state)
            following = list(self.next_states(state))
            if state.places == end and not self.under_way(state):
                self.outcomes.add(self.outcome(state))
            elif not following:
                self.deadlocks.add(state.places)
            for other in following:
                if other not in known:
                    known.add(other)
                    todo.append(other)
            if len(known) > self.most:
                raise TooMany
        self.states = len(known)


NAMES = {"P": "access", "G": "access", "A": "access", "F": "access", "C": "access", "x": "lock", "s": "lock", "u": "unlock",
         "a": "lock_all", "z": "unlock_all", "w": "flush", "l": "flush_local", "f": "fence", "p": "post", "t": "start",
         "c": "complete", "v": "wait", ">": "send", "S": "send", "<": "receive", "b": "barrier", "T": "test", "L": "test", "Y": "any",
         "y": "any", "W": "wait_all"}

"""What a script of shared file pointers, partitioned communication, ports and messages may come to, by MPI-4.0, chapters 4, 11 and 14, and by brute force.

Nothing here is from tourney: there are no keepers, and parts are no messages.  A state has the places of the ranks, where the pointer is, which
partitioned sends and receives have started and which parts are ready, and what is on its way.  What can happen next is that a rank makes its
next step, or, if that waits, that it goes on.  All of it is tried in all orders.

The steps of a rank:

    rN iN     reads N bytes by the shared pointer, blocking or not: it is told where
    oN        reads N bytes in the order of ranks, with all others
    q         asks where the pointer is
    zN cN     sets it, with all others: to N, or by N
    sK v      sends to rank K; receives from any source, and is told from whom
    b         a barrier
    PK.N RK.N starts a partitioned send to rank K, or a receive from it, in N parts
    yK.I      part I of the one to K is ready
    aK.I      asks whether part I of the one from K has come: yes if it can have; no, unless a yes has told already that all that it is made of has come (P4)
    WK        waits for it
    A CK      accepts somebody at its own port, and is told whom; connects to the port of rank K.  Both wait for each other
"""
ELEMENTS = 4
TOGETHER = "ozcb"


class TooMany(Exception):
    """States."""


def replaced(values, index, value):
    return values[:index] + (value,) + values[index + 1:]


class Meaning:
    """Outcomes, and whether there is a deadlock."""

    def __init__(self, script, slack, most=200000):
        self.steps = [part.split() for part in script.split("/")]
        self.ranks, self.slack, self.most = len(self.steps), slack, most
        self.outcomes, self.deadlock, seen = set(), False, set()
        first = ((0,) * self.ranks, (False,) * self.ranks, 0, frozenset(), (), ((),) * self.ranks)
        todo = [first]
        while todo:
            state = todo.pop()
            if state in seen:
                continue
            seen.add(state)
            if len(seen) > self.most:
                raise TooMany
            following = list(self.following(state))
            todo += following
            if not following:
                self.end(state)

    def end(self, state):
        places, _, _, _, _, told = state
        if all(place == len(steps) for place, steps in zip(places, self.steps)):
            self.outcomes.add("/".join(" ".join(map(str, values)) for values in told))
        else:
            self.deadlock = True

    def following(self, state):
        """State: places; whether each rank is within a call that it has begun; pointer; set of started and ready; mail; told.

        Of partitioned: ("S", source, dest, parts), ("R", source, dest, parts), ("y", source, dest, part), ("got", source, dest, part)."""
        places, within, pointer, parts, mail, told = state
        for rank in range(self.ranks):
            if places[rank] == len(self.steps[rank]):
                continue
            step = self.steps[rank][places[rank]]
            if step[0] in TOGETHER:
                if not within[rank]:
                    yield places, replaced(within, rank, True), pointer, parts, mail, told
            else:
                yield from self.alone(state, rank, step)
        if all(within[rank] and self.steps[rank][places[rank]][0] in TOGETHER for rank in range(self.ranks)):
            yield from self.together(state)

    def together(self, state):
        """All ranks are in a collective, by the drafts the same one."""
        places, _, pointer, parts, mail, told = state
        steps = [self.steps[rank][places[rank]] for rank in range(self.ranks)]
        kind = steps[0][0]
        if kind == "o":
            for rank, step in enumerate(steps):
                told = replaced(told, rank, told[rank] + (pointer,))
                pointer += int(step[1])
        elif kind in "zc":
            pointer = int(steps[0][1]) + (pointer if kind == "c" else 0)
        yield tuple(place + 1 for place in places), (False,) * self.ranks, pointer, parts, mail, told

    def alone(self, state, rank, step):
        places, within, pointer, parts, mail, told = state
        on = replaced(places, rank, places[rank] + 1)
        kind = step[0]

        def tells(value):
            return replaced(told, rank, told[rank] + (value,))

        if kind in "ri":
            yield on, within, pointer + int(step[1]), parts, mail, tells(pointer)
        elif kind == "q":
            yield on, within, pointer, parts, mail, tells(pointer)
        elif kind == "s":
            if not within[rank]:
                sent = mail + ((rank, int(step[1])),)
                yield (on, within, pointer, parts, sent, told) if self.slack else \
                    (places, replaced(within, rank, True), pointer, parts, sent, told)
        elif kind == "v":
            for source in {source for source, dest in mail if dest == rank}:
                at = mail.index((source, rank))
                freed, returned = within, on
                if not self.slack:  # its sender goes on
                    freed, returned = replaced(within, source, False), replaced(on, source, places[source] + 1)
                yield returned, freed, pointer, parts, mail[:at] + mail[at + 1:], tells(source)
        elif kind == "A":
            for source in range(self.ranks):
                if self.is_at(source, places, f"C{rank}"):
                    yield replaced(on, source, places[source] + 1), within, pointer, parts, mail, tells(source)
        elif kind != "C":
            yield from self.of_parts(state, rank, kind, int(step[1]), int(step[3:] or 0), on, tells)

    def is_at(self, rank, places, step):
        return places[rank] < len(self.steps[rank]) and self.steps[rank][places[rank]] == step

    def of_parts(self, state, rank, kind, other, number, on, tells):
        _, within, pointer, parts, mail, told = state
        if kind in "PR":
            pair = (rank, other) if kind == "P" else (other, rank)
            yield on, within, pointer, parts | {("S" if kind == "P" else "R", *pair, number)}, mail, told
        elif kind == "y":
            yield on, within, pointer, parts | {("y", rank, other, number)}, mail, told
        elif kind == "a":
            made_of = {("got", other, rank, part) for part in self.made_of(parts, other, rank, number)}
            if not made_of or not made_of <= parts:
                yield on, within, pointer, parts, mail, tells(0)
            if self.has_come(parts, other, rank, number):
                yield on, within, pointer, parts | made_of, mail, tells(1)
        elif self.is_over(parts, rank, other):
            yield on, within, pointer, parts, mail, told

    @staticmethod
    def count(parts, kind, source, dest):
        """In how many parts this side has divided it; 0: it has not started."""
        return next((part[3] for part in parts if part[:3] == (kind, source, dest)), 0)

    def made_of(self, parts, source, dest, number):
        """The parts of the sender that have elements of this part of the receiver; none, if one of them has not started."""
        sent, received = self.count(parts, "S", source, dest), self.count(parts, "R", source, dest)
        size = ELEMENTS // received if sent and received else 0
        return {element * sent // ELEMENTS for element in range(number * size, number * size + size)}

    def has_come(self, parts, source, dest, number):
        made_of = self.made_of(parts, source, dest, number)
        return bool(made_of) and all(("y", source, dest, part) in parts for part in made_of)

    def is_over(self, parts, rank, other):
        """A wait: of a receive, for all its parts; of a send, for its own parts and, without slack, for the start of the receive."""
        received = self.count(parts, "R", other, rank)
        if received:
            return all(self.has_come(parts, other, rank, number) for number in range(received))
        sent = self.count(parts, "S", rank, other)
        ready = all(("y", rank, other, number) in parts for number in range(sent))
        return ready and (self.slack or bool(self.count(parts, "R", rank, other)))

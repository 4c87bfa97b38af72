"""Random scripts (script.py): of two or three ranks, in one to three phases with barriers between.

A phase has one way of synchronising and one discipline of accesses.  Most disciplines have no races, so that the outcomes count.
"""
import random

from script import CELLS, ORDERS


class Draft:
    """One script in the making."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.ranks = self.random.choice((2, 2, 3))
        self.parts = [[] for _ in range(self.ranks)]
        self.value = 0
        self.hot = self.random.randrange(self.ranks)  # the target of most accesses
        self.left = self.random.randint(3, 6 if self.ranks == 2 else 5)  # accesses

    def text(self):
        for phase in range(self.random.choice((1, 1, 1, 2, 2, 3))):
            if phase and self.left == 0:
                break
            if phase:
                self.everybody("b")
            self.discipline = self.random.choice(("atomic", "atomic", "atomic", "own", "alone", "any"))
            self.operators = [self.random.choice("++m=") for _ in range(CELLS)]
            self.random.choice((self.fences, self.groups, self.locks, self.locks, self.lock_alls))()
        ordering = self.ordering()
        if self.chance(40):
            self.requests()
        return ordering + "/".join(" ".join(part) for part in self.parts)

    def ordering(self):
        """Which order of accumulates the window keeps: of every fourth script, not all; it comes last, so that other scripts stay what they were."""
        if not self.chance(25):
            return ""
        kept = [order for order in ORDERS if self.chance(25)]
        return f"{','.join(kept) or 'none'}~"

    # ---- requests: they come last, too ----

    def requests(self):
        """Some accesses under locks have requests, which are asked for later, and waited for in the end."""
        for rank, part in enumerate(self.parts):
            chosen = [place for place in self.locked_places(rank) if self.chance(70)][:3]
            for place in chosen:
                part[place] += "r"
            for place in sorted((self.random.randint(place + 1, len(part)) for place in chosen), reverse=True):
                part.insert(place, self.random.choice("TTTLYyW"))
            if chosen:
                part.append("W")

    def locked_places(self, rank):
        """Of the accesses that a rank makes while it has a lock of their target."""
        locked = set()
        for place, step in enumerate(self.parts[rank]):
            if step[0] in "xsa":
                locked |= {int(step[1])} if step[0] in "xs" else set(range(self.ranks))
            elif step[0] in "uz":
                locked -= {int(step[1])} if step[0] == "u" else set(range(self.ranks))
            elif step[0] in "PGAF" and int(step[1]) in locked:
                yield place

    def everybody(self, step):
        for part in self.parts:
            part.append(step)

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def target(self, targets):
        return self.hot if self.hot in targets and self.chance(70) else self.random.choice(targets)

    # ---- accesses ----

    def access(self, rank, target, exclusive=False):
        """One by this rank, if there are any left."""
        if self.left == 0:
            return []
        self.left -= 1
        self.value += 1
        cell = 0 if self.chance(60) else self.random.randrange(CELLS)
        if self.discipline == "atomic" or (self.discipline == "any" and self.chance(50)):
            return [self.atomic(target, cell)]
        if self.discipline == "own":
            cell = rank % CELLS  # a number has one origin, of two ranks
        if self.discipline == "alone" and not exclusive:
            return [f"G{target}.{cell}"]
        return [f"P{target}.{cell}={self.value}" if self.chance(50) else f"G{target}.{cell}"]

    def atomic(self, target, cell):
        operator = self.operators[cell]
        if self.discipline == "any" and self.chance(30):
            operator = self.random.choice("+m=")
        kind = self.random.choice("AAFFFNNC")
        if kind == "C":
            return f"C{target}.{cell}:{self.random.choice((0, 0, self.value - 1))}>{self.value}"
        if kind == "N":
            return f"F{target}.{cell}?0"
        return f"{kind}{target}.{cell}{operator}{self.value}"

    def some(self, rank, targets, exclusive=False):
        steps = []
        for _ in range(self.random.choice((0, 1, 1, 1, 2))):
            steps += self.access(rank, self.target(targets), exclusive)
        return steps

    # ---- phases ----

    def fences(self):
        self.everybody(self.random.choice(("f", "fp")))
        for epoch in range(self.random.choice((1, 1, 2))):
            for rank, part in enumerate(self.parts):
                part += self.some(rank, range(self.ranks))
            if epoch == 0 and self.chance(20):
                self.message()
            self.everybody("f" if epoch == 0 and self.chance(30) else "fs")
            if self.parts[0][-1] == "fs":
                return
        self.everybody("fs")

    def groups(self):
        """Each origin starts an epoch at a target or two, in some order with its own exposure."""
        origins = [rank for rank in range(self.ranks) if self.chance(70)] or [0]
        of = {rank: self.random.sample([other for other in range(self.ranks) if other != rank],
                                       self.random.randint(1, self.ranks - 1)) for rank in origins}
        for rank, part in enumerate(self.parts):
            posts = [origin for origin in origins if rank in of[origin]]
            before, after = ([f"p{''.join(map(str, posts))}"], ["v"]) if posts else ([], [])
            if rank in of:
                group = sorted(of[rank])
                within = [f"t{''.join(map(str, group))}", *self.some(rank, group), "c"]
                before, after = (before + within, after) if self.chance(85) else (within, before + after)
            part += before + after
        if self.chance(25):
            self.message()

    def locks(self):
        for rank, part in enumerate(self.parts):
            for _ in range(self.random.choice((0, 1, 1, 1, 2))):
                self.lock_epoch(rank, part)
        if self.chance(50):
            self.message()

    def lock_epoch(self, rank, part):
        targets = self.random.sample(range(self.ranks), 2) if self.chance(15) else [self.target(range(self.ranks))]
        exclusive = self.discipline == "alone" and self.chance(80) or self.chance(30)
        part += [f"{'x' if exclusive else 's'}{target}" for target in targets]
        part += self.some(rank, targets, exclusive)
        if self.chance(25):
            part.append(f"{'w' if self.chance(75) else 'l'}{targets[0]}")
            part += self.some(rank, targets, exclusive)
        part += [f"u{target}" for target in targets]

    def lock_alls(self):
        for rank, part in enumerate(self.parts):
            part.append("a")
            part += self.some(rank, range(self.ranks))
            if self.chance(40):
                target = self.target(range(self.ranks))
                part.append(f"{'w' if self.chance(80) else 'l'}{target}")
                part += self.some(rank, range(self.ranks))
            part.append("z")
        if self.chance(50):
            self.message()

    def message(self):
        """A message between two ranks, anywhere since the last barrier; or two, and who receives them asks for any."""
        senders = self.random.sample(range(self.ranks), 2 if self.ranks == 3 and self.chance(30) else 1)
        to = self.random.choice([rank for rank in range(self.ranks) if rank not in senders])
        for rank in senders:
            self.insert(rank, f"{self.random.choice('>>S')}{to}.1")
        for rank in senders:
            self.insert(to, f"<{'*' if len(senders) == 2 else rank}.1")

    def insert(self, rank, step):
        part = self.parts[rank]
        first = max((i + 1 for i, other in enumerate(part) if other == "b"), default=0)
        part.insert(self.random.randint(first, len(part)), step)

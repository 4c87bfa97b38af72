#!/usr/bin/python3
"""Random small programs with windows: what any buffering finds against what zero and infinite buffering find.

Whatever can happen with no slack or with all can happen with any: so a search over any slack must have as many runs as one with infinite slack,
that end in the same ways; it must find a deadlock where zero slack has one; and it must leave nothing out.
usage: random_mixtures.py BUILD_DIR [SEED [COUNT]]
"""
import os
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from lib.building import compiled
from lib.running import plainly
from lib.suite import tell

ENDS = ("runs", "clean", "deadlock", "livelock", "crash", "error", "mismatch", "diverged")


def locked(dice, ranks):
    """A lock of somebody else's window, perhaps with accesses."""
    target = dice.choice(ranks)
    inside = [f"{step}{target}" for step in dice.choice(("", "P", "A", "PF", "F"))]
    return [f"{dice.choice('LLS')}{target}", *inside, f"U{target}"]


def insert(dice, words, steps):
    """Puts steps into the word in their order, at places where no epoch of the same kind is open."""
    at = 0
    for step in steps:
        at = dice.randint(at, len(words))
        words.insert(at, step)
        at += 1


def add_message(dice, words, ranks):
    sender, receiver = dice.sample(ranks, 2)
    insert(dice, words[sender], [f"s{receiver}"])
    insert(dice, words[receiver], [dice.choice((f"r{sender}", f"r{sender}", "w"))])


def add_lock(dice, words, ranks):
    rank = dice.choice(ranks)
    steps = locked(dice, [other for other in ranks if other != rank])
    if not any(step[0] in "LS" and step[1] == steps[0][1] for step in words[rank]):
        insert(dice, words[rank], steps)


def add_epoch(dice, words, ranks):
    origin, target = dice.sample(ranks, 2)
    if not any(step[0] in "to" for step in words[origin] + words[target]):
        insert(dice, words[origin], [f"t{target}", f"p{target}", "c"][:: dice.choice((1, 2))])
        insert(dice, words[target], [f"o{origin}", "W"])


def program(seed):
    dice = random.Random(seed)
    ranks = list(range(dice.choice((2, 2, 3))))
    words = [[] for _ in ranks]
    for _ in range(dice.randint(2, 5)):
        dice.choice((add_message, add_lock, add_lock, add_epoch))(dice, words, ranks)
    if dice.random() < 0.3:
        for word in words:
            insert(dice, word, ["b"])
    return ["".join(word) or "" for word in words]


def counts(build, binary, words, buffering):
    done = plainly([f"{build}/test/explore/runs", "--merge", "1", str(len(words)), buffering, binary, *words])
    numbers = done.out.split()
    return dict(zip(numbers[::2], numbers[1::2])) if done.code == 0 and numbers else {"said": done.said()}


def judge(build, binary, seed):
    words = program(seed)
    zero, infinite, every = (counts(build, binary, words, slack) for slack in ("zero", "infinite", "any"))
    text = " ".join(word or "''" for word in words)
    if "said" in zero or "said" in infinite or "said" in every:
        return f"{text}: {zero} {infinite} {every}"
    if every["left"] != "0":
        return f"{text}: something was left out ({every['left']})"
    for word in ENDS:
        if every[word] != infinite[word]:
            return f"{text}: {word} {every[word]} under any buffering, {infinite[word]} under infinite"
    stuck = int(zero["deadlock"]) + int(zero["livelock"])
    if stuck and not int(every["deadlock"]) + int(every["livelock"]) + int(every["cuts"]):
        return f"{text}: stuck with zero buffering, but not with any"
    seen["stuck"] += bool(stuck)
    seen["cut"] += every["cuts"] != "0"
    seen["cut only"] += every["cuts"] != "0" and not stuck and infinite["deadlock"] == "0"
    return None


seen = {"stuck": 0, "cut": 0, "cut only": 0}


def main(build, seed=1, count=40):
    binary = compiled("mpich", "test/rma/mixture.c", os.path.abspath(f"{build}/test/rma/mixture.mpich"), "-g", "-O1")
    wrong = tell(lambda number: judge(build, binary, number), list(range(seed, seed + count)), lambda number: f"mixture {number}")
    print(f"{seen['stuck']} stuck with zero buffering, {seen['cut']} with some, {seen['cut only']} with some alone")
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))

"""Which messages each wildcard could have taken, too, by the definition of matches-before ([Vo 2011], section 3.3; C1 to C12 are its cases).

An independent judge of what ranks say in clock mode: all files of a job together are one graph of
events, and what cannot be reached from a receive could have been there before it.
"""

SYNCHRONOUS, BLOCKING = 2, 1


def order(ranks):
    """Successors: ('op', r, i) is operation i, ('met', r, i) its match, ('after', r, i) all that follows it."""
    after = {}
    taker = {(done.source, done.sender_op): (rank.rank, done.op)
             for rank in ranks for done in rank.done if done.sender_op is not None}

    def edge(earlier, later):
        after.setdefault(earlier, []).append(later)

    for rank in ranks:
        me = rank.rank
        for i, op in enumerate(rank.ops):
            edge(('after', me, i), ('after', me, i + 1))
            edge(('after', me, i), ('op', me, i + 1))
            if op.kind == 'recv':  # C1, C2, C4
                edge(('op', me, i), ('met', me, i))
                edge(('met', me, i), next_like(rank, i, 'tag', 'context'))
                if op.done:
                    edge(('met', me, i), ('after', me, op.done.by))
            elif op.kind == 'send':  # C3, C5, C10
                edge(('op', me, i), next_like(rank, i, 'tag', 'context', 'peer'))
                if (me, i) in taker:
                    met = ('met', *taker[me, i])
                    edge(('op', me, i), met)
                    if op.flags & SYNCHRONOUS and op.done:
                        edge(met, ('after', me, op.done.by))
            elif op.kind == 'coll':
                edge(('op', me, i), ('coll', op.context, op.tag))
                edge(('coll', op.context, op.tag), ('after', me, i))
    return after, taker


def next_like(rank, i, *fields):
    """The next operation of the same kind that agrees with this one; or nothing."""
    op = rank.ops[i]
    for j in range(i + 1, len(rank.ops)):
        other = rank.ops[j]
        if other.kind == op.kind and all(getattr(other, field) == getattr(op, field) for field in fields):
            return 'op', rank.rank, j
    return None


def reach(after, start):
    seen, left = set(), [start]
    while left:
        for later in after.get(left.pop(), ()):
            if later not in seen:
                seen.add(later)
                left.append(later)
    return seen


def late(ranks):
    """{(rank, number of the choice, source)} of receives that name their tag and no source."""
    after, taker = order(ranks)
    found = set()
    for rank in ranks:
        for choice in rank.choices.values():
            wildcard = rank.ops[choice.op]
            caused = reach(after, ('met', rank.rank, choice.op))
            for sender in ranks:
                if sender.rank != choice.value and can_be_first(rank, wildcard, choice.op, sender, taker, caused):
                    found.add((rank.rank, choice.number, sender.rank))
    return found


def can_be_first(rank, wildcard, index, sender, taker, caused):
    """Of what was left of a sender's messages, only the first counts (M2)."""
    for i, op in enumerate(sender.ops):
        fits = (op.kind == 'send' and op.peer == rank.rank and op.tag == wildcard.tag
                and op.context == wildcard.context)
        if fits and taker.get((sender.rank, i), (None, index + 1))[1] > index:
            return ('op', sender.rank, i) not in caused
    return False

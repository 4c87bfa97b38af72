"""Reads the file that a rank writes in clock mode (src/call/causal.h)."""

import struct
from types import SimpleNamespace

RECORDS = 4096
OP, KNOWS, DONE, CHOICE, LATE, DISPUTE, DIVERGED, UNSUPPORTED, MODULE, END, UNCERTAIN, LATER, REMARK = range(1, 14)
KINDS = ('none init finalize context context_name type send recv coll wait test probe iprobe cancel free room '
         'pcontrol abort error refused crash context_left complaint taken attached unstarted done access window').split()
CHOICES = ('source', 'index', 'set', 'yes', 'no')
STATES = ('running', 'blocked', 'polling', 'finalized')
RANK_NONE = -2


class Rank:
    """One file: `ops` by index, and what became of them."""

    def __init__(self, path):
        with open(path, 'rb') as file:
            data = file.read()
        self.version, self.clock_kind, self.rank, self.size, self.pid = struct.unpack_from('=IIiii', data, 8)
        self.job, = struct.unpack_from('=Q', data, 32)
        self.bytes, = struct.unpack_from('=Q', data, 120)
        (self.turn, state, self.now_call, self.now_op, self.now_place, self.polls,
         self.forced, self.round) = struct.unpack_from('=QIIQQQiI', data, 128)
        if data[:8] != b'tourney!' or self.version != 3:
            raise ValueError('%s: not a file of a rank' % path)
        self.state = STATES[state]
        self.ops, self.done, self.choices, self.late = [], [], {}, []
        self.disputes, self.diverged, self.unsupported, self.modules, self.end = [], [], [], [], None
        self.knows, self.uncertain, self.later, self.remarks = {}, False, [], 0
        at, end = RECORDS, RECORDS + self.bytes
        while at < end:
            size, kind = struct.unpack_from('=II', data, at)
            if size < 8 or at + size > end:
                raise ValueError('%s: damaged at byte %d' % (path, at))
            self.read(kind, data[at + 8:at + size])
            at += size

    def read(self, kind, body):
        if kind == OP:
            names = 'size kind call flags request peer tag context place bytes payload count type items signature'
            values = struct.unpack_from('=IHHIIiiQQQQqIIQ', body, 8)
            op = SimpleNamespace(**dict(zip(names.split(), values)), tail=body[88:])
            op.clock, = struct.unpack_from('=Q', body)
            op.kind = KINDS[op.kind]
            op.knows = dict(self.knows)
            op.done = None
            self.ops.append(op)
        elif kind == KNOWS:
            for i in range(struct.unpack_from('=I', body)[0]):
                rank, clock = struct.unpack_from('=iI', body, 8 + 8 * i)
                self.knows[rank] = clock
        elif kind == DONE:
            op, by, clock, flags, tag, source, _, length = struct.unpack_from('=QQQIiiIQ', body)
            done = SimpleNamespace(op=op, by=by, clock=clock, flags=flags, tag=tag, source=source, bytes=length,
                                   sender_op=None, sender_clock=None)
            if len(body) > 48:
                done.sender_op, done.sender_clock, done.sender_signature = struct.unpack_from('=QQQ', body, 48)
            self.ops[op].done = done
            self.done.append(done)
        elif kind == CHOICE:
            names = 'number op history clock polls kind flags value items'
            choice = SimpleNamespace(**dict(zip(names.split(), struct.unpack_from('=QQQQQIIiI', body))))
            choice.kind = CHOICES[choice.kind]
            choice.item = list(struct.unpack_from('=%di' % choice.items, body, 56))
            choice.late = [late.source for late in self.late if late.number == choice.number]
            self.choices[choice.number] = choice
        elif kind == LATE:
            names = 'number sender_op sender_clock sender_signature bytes source tag'
            late = SimpleNamespace(**dict(zip(names.split(), struct.unpack_from('=QQQQQii', body))))
            self.late.append(late)
            if late.number in self.choices:
                self.choices[late.number].late.append(late.source)
        elif kind == DISPUTE:
            self.disputes.append(struct.unpack_from('=QI', body))
        elif kind == DIVERGED:
            self.diverged.append(struct.unpack_from('=QQQQ', body))
        elif kind == UNSUPPORTED:
            self.unsupported.append(struct.unpack_from('=QI', body)[1])
        elif kind == MODULE:
            self.modules.append(body[24:].split(b'\0')[0].decode())
        elif kind == END:
            self.end = struct.unpack_from('=Ii', body)
        elif kind == UNCERTAIN:
            self.uncertain = True
        elif kind == LATER:
            self.later.append(struct.unpack_from('=QQ', body))
        elif kind == REMARK:
            self.remarks += 1
        else:
            raise ValueError('a record of kind %d' % kind)

    def calls_of(self, *kinds):
        """Operations of some kinds, in order."""
        return [op for op in self.ops if op.kind in kinds]

    def complaints(self):
        return [(op.tag, op.tail.split(b'\0')[0].decode()) for op in self.ops if op.kind == 'complaint']

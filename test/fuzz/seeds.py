#!/usr/bin/python3
"""Makes the inputs that fuzzing begins with, from what tourney itself writes.

    seeds.py BUILD_DIR [CORPUS]      into test/fuzz/corpus, if it is not said

Records are unpacked: a change in compressed bytes changes nothing but that.
"""
import ctypes
import glob
import os
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import causal  # noqa: E402
import clock  # noqa: E402
import run  # noqa: E402

SMALL = 12000  # bytes; what is longer takes too long
PROGRAMS = {'explore': ('bcast', 'by_sender', 'head_to_head', 'intercomm', 'issend', 'persistent', 'probe', 'sendrecv',
                        'slack_barrier', 'test_no', 'waitany', 'waitsome', 'freed_recv', 'overtake', 'cancel_race'),
            'check': ('abort', 'coll_root', 'comm_leak', 'lost_message', 'message_race', 'request_leak', 'truncation',
                      'type_derived')}
ON_A_REAL_JOB = ('bcast', 'by_sender', 'cancel_race', 'freed_recv', 'intercomm', 'persistent', 'probe', 'test_no', 'waitany',
                 'waitsome')
SCENARIOS = ('forejt-figure-3', 'palmer-probe-and-cancel-race', 'palmer-question-4', 'palmer-ready-and-cancel', 'poe-fence',
             'vakkalanka-figure-1a', 'vo-figure-2-14', 'vo-figure-5-1')
HEAD, BLOCK = struct.Struct('<8sIIII'), struct.Struct('<IIII')
TEXTS = {
    'policy': ['deadlock=off\n', '*leak=note\n# ours\nrequest-leak call=MPI_Isend place=ring.c:4* function=main\n\n'
               'message-race\tplace=*/solver.c:12\r\n', 'deadlock=loud\nno-such-thing\n', 'x\ndeadlock call=\n'],
    'decisions': ['tourney-decisions 1\n0 0 source 0 2 -\n0 1 index 3 1 1f00\n0 2 set 0 0,2,5 -\n1 0 yes 2 - -\n1 1 no 40 - ab\n'
                  '2 free 7 - - -\nend\n', 'tourney-decisions 1\nend\n', 'tourney-decisions 1\n0 0 set 0 -1,0 -\nend\n',
                  'tourney-decisions 1\n0 0 set 0 5,1 -\nend\n', 'tourney-decisions 1\n0 0 source 0 99999999999 -\nend\n'],
    'each': ['# sizes\n1 2 3\n\n"a b" \'c\\\' d\\ e\n', 'one', '', '"open\n', "x\\\n'y\n"],
}


def unpacked(record):
    """The record with its blocks as they were before they were compressed."""
    zstd = ctypes.CDLL('libzstd.so.1')
    zstd.ZSTD_decompress.restype = ctypes.c_size_t
    length = HEAD.unpack_from(record)[3]
    at = HEAD.size + length
    parts = [record[:at]]
    while at < len(record):
        number, stored, raw, total = BLOCK.unpack_from(record, at)
        content = record[at + BLOCK.size:at + BLOCK.size + stored]
        at += BLOCK.size + stored
        if stored != raw:
            room = ctypes.create_string_buffer(raw)
            if zstd.ZSTD_decompress(room, ctypes.c_size_t(raw), content, ctypes.c_size_t(stored)) != raw:
                sys.exit('a block cannot be unpacked')
            content = room.raw
        parts.append(BLOCK.pack(number, raw, raw, total) + content)
    return b''.join(parts)


def stack():
    """What a rank that is asked for stacks puts before an operation."""
    return struct.pack('<IHH', 96, 0xffff, 0) + bytes(60) + struct.pack('<I', 2) + bytes(8) + struct.pack('<QQ', 0x401136, 0x401152)


class Piece(ctypes.Structure):
    """ZSTD_inBuffer and ZSTD_outBuffer."""
    _fields_ = [('bytes', ctypes.c_void_p), ('size', ctypes.c_size_t), ('at', ctypes.c_size_t)]


def unpacked_journal(journal):
    """The head of a journal of one session, and the records of its blocks."""
    zstd = ctypes.CDLL('libzstd.so.1')
    zstd.ZSTD_createDStream.restype = ctypes.c_void_p
    zstd.ZSTD_decompressStream.argtypes = [ctypes.c_void_p, ctypes.POINTER(Piece), ctypes.POINTER(Piece)]
    stream = zstd.ZSTD_createDStream()
    at = 48 + struct.unpack_from('<Q', journal, 32)[0]
    parts = [journal[:at]]
    while at < len(journal):
        size, _, packed, holds = struct.unpack_from('<QQQQ', journal, at)
        room, content = ctypes.create_string_buffer(holds), ctypes.create_string_buffer(journal[at + 40:at + 40 + packed])
        taken = Piece(ctypes.addressof(content), packed, 0)
        given = Piece(ctypes.addressof(room), holds, 0)
        zstd.ZSTD_decompressStream(stream, ctypes.byref(given), ctypes.byref(taken))
        if given.at != holds:
            sys.exit('a block of a journal cannot be unpacked')
        parts.append(room.raw)
        at += size
    return b''.join(parts)


def rings(journal, before=b''):
    """What three ranks put into their rings, as far as the journal tells; payloads are zeros."""
    world = struct.unpack_from('<Q', journal, 32)[0]
    journal = unpacked_journal(journal)
    at, ring = 48 + world, [b'', b'', b'']
    while at < len(journal):
        size, rank, _, _, _, contents, count = struct.unpack_from('<QiIIIQI', journal, at)
        op = at + 72 + 8 * contents
        for _ in range(count):
            length, kind = struct.unpack_from('<IH', journal, op)
            record = bytearray(journal[op:op + length])
            op += length
            payload = struct.unpack_from('<Q', record, 40)[0] if kind in (6, 8) else 0
            record[48:56] = bytes(8)
            record += bytes(-(-payload // 8) * 8)
            record[0:4] = struct.pack('<I', len(record))
            ring[rank] += before + record
        at += size
    return struct.pack('<II', len(ring[0]), len(ring[1])) + b''.join(ring)


def told(path):
    """What a rank of a real job wrote: the head without names of machines, then the records without libraries."""
    with open(path, 'rb') as file:
        data = file.read()
    end = causal.RECORDS + struct.unpack_from('<Q', data, 120)[0]
    at, records = causal.RECORDS, []
    ended = False
    while at < end:
        size, kind = struct.unpack_from('<II', data, at)
        ended = ended or kind == causal.END
        if kind != causal.MODULE:
            records.append(data[at:at + size])
        elif b'fuzz-seeds' in data[at:at + size]:
            records.append(struct.pack('<II', 40, kind) + data[at + 8:at + 32] + b'program\0')
        at += size
    return data[:24] + struct.pack('<iIQ', 0, ended, 0) + bytes(64) + data[104:192] + b''.join(records)


def frames(files):
    """As a helper sends the first of the files, in two parts, with what it says before and after."""
    file = files[0][:2000]
    half = len(file) // 2
    said = [(0, struct.pack('<I33s3xQ', 1, b'0' * 32, 1)), (3, struct.pack('<Q', 0) + file[:half]),
            (3, struct.pack('<Q', half) + file[half:]), (2, bytes(64))]
    return b''.join(struct.pack('<II', kind, len(rest)) + rest for kind, rest in said)


def decided(ranks):
    lines = [line for rank in ranks for line in clock.as_decisions(rank, len(rank.choices))]
    return '\n'.join(['tourney-decisions 1', *lines, 'end', '']).encode()


def in_parts(parts):
    return struct.pack('<%dI' % (len(parts) - 1), *map(len, parts[:-1])) + b''.join(parts)


class Corpus:
    def __init__(self, folder):
        self.folder = folder

    def add(self, target, name, content):
        if len(content) > SMALL:
            return
        os.makedirs(os.path.join(self.folder, target), exist_ok=True)
        with open(os.path.join(self.folder, target, name), 'wb') as file:
            file.write(content)

    def add_file(self, target, name, path, change=bytes):
        if os.path.exists(path):
            with open(path, 'rb') as file:
                self.add(target, name, change(file.read()))


def ranks_of(source):
    with open(source) as file:
        for line in file:
            words = line.replace('=', ' ').split()
            if '-n' in words:
                return words[words.index('-n') + 1]
    return '3'


def add_jobs(corpus, build, name, folder):
    """Two jobs of three ranks on a real MPI."""
    files, ranks = [], []
    for job in ('1', '2'):
        where = os.path.join(folder, 'job-' + job)
        os.mkdir(where)
        subprocess.run(['timeout', '20', *run.MPIEXEC['mpich'], *clock.preload(build, 'mpich'), '-n', '3', './' + name],
                       env={**os.environ, **run.MPIEXEC_ENV['mpich'], 'TOURNEY_CLOCK': where}, cwd=folder, check=False,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        paths = [os.path.join(where, 'rank-%d.causal' % rank) for rank in range(3)]
        files += map(told, paths)
        ranks = [causal.Rank(path) for path in paths]
    corpus.add('tales', name, in_parts(files))
    corpus.add('talk', name, frames(files))
    corpus.add('decisions', name, decided(ranks))


def add_program(corpus, build, source, folder):
    name = os.path.basename(source)[:-2]
    program, tourney = os.path.join(folder, name), os.path.join(folder, 'tourney')
    os.symlink(os.path.join(build, 'tourney'), tourney)
    shutil.copy(source, folder)
    subprocess.run(['mpicc.mpich', '-g', '-w', '-o', program, os.path.basename(source)], check=True, cwd=folder)
    ranks, quiet = ranks_of(source), {'stdout': subprocess.DEVNULL, 'stderr': subprocess.DEVNULL, 'cwd': folder}
    subprocess.run([tourney, 'run', '-n', ranks, '-o', 'record', program], timeout=300, **quiet)
    corpus.add_file('trace', name, os.path.join(folder, 'record'), unpacked)
    corpus.add_file('predict', name, os.path.join(folder, 'record'), unpacked)
    subprocess.run([tourney, '-n', ranks, '--time', '20', program], timeout=300, **quiet)
    corpus.add_file('result', name, os.path.join(folder, 'tourney.out/result.json'))
    corpus.add_file('run', name, os.path.join(folder, 'tourney.out/run-1.json'))
    corpus.add_file('tree', name, os.path.join(folder, 'tourney.out/tree.json'))
    shutil.rmtree(os.path.join(folder, 'tourney.out'), ignore_errors=True)
    subprocess.run([tourney, '-n', '3', '--max-runs', '1', program], timeout=300, **quiet)
    corpus.add_file('journal', name, os.path.join(folder, 'tourney.out/journal'), unpacked_journal)
    corpus.add_file('wire', name, os.path.join(folder, 'tourney.out/journal'), rings)
    if name == 'probe':
        corpus.add_file('journal', 'packed', os.path.join(folder, 'tourney.out/journal'), lambda journal: b'\1' + journal)
        corpus.add_file('wire', 'stacks', os.path.join(folder, 'tourney.out/journal'), lambda journal: rings(journal, stack()))
    shutil.rmtree(os.path.join(folder, 'tourney.out'), ignore_errors=True)
    if name in ON_A_REAL_JOB:
        add_jobs(corpus, build, name, folder)


def main(build, folder='test/fuzz/corpus'):
    corpus = Corpus(folder)
    for group, names in PROGRAMS.items():
        for name in names:
            with tempfile.TemporaryDirectory(prefix='fuzz-seeds-') as scratch:
                add_program(corpus, os.path.abspath(build), os.path.abspath('test/%s/%s.c' % (group, name)), scratch)
    for name in SCENARIOS:
        corpus.add_file('scenario', name + '.scn', 'examples/scenarios/%s.scn' % name)
    for target, texts in TEXTS.items():
        for i, text in enumerate(texts):
            corpus.add(target, 'text-%d' % i, text.encode())
    for target in sorted(glob.glob(os.path.join(folder, '*'))):
        print('%-10s %d' % (os.path.basename(target), len(os.listdir(target))))


if __name__ == '__main__':
    main(*sys.argv[1:])

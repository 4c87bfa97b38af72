"""What a search by jobs costs tourney itself: memory, and processor time, for long runs."""

import os
import subprocess
import tempfile
import time

from measure import TOURNEY, Failed

LOOK = 0.01  # seconds between looks at memory
FIELDS = {'RssAnon': 'private', 'RssFile': 'file'}


class Own:
    """Of one search: `private` and `file`, MB at most, and `seconds` of processor time; ranks are not part of it. What
    lies in files the system can take away when it needs the memory."""

    def __init__(self, ranks, command):
        self.private = self.file = 0.0
        with tempfile.TemporaryDirectory(prefix='tourney-bench.') as directory:
            search = subprocess.Popen([TOURNEY, 'dist', '--quiet', '-o', os.path.join(directory, 'out'), '-n', str(ranks), *command],
                                      stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while os.waitid(os.P_PID, search.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
                self.look(search.pid)
                time.sleep(LOOK)
            self.seconds = processor_time(search.pid)
            if search.wait() != 0:
                raise Failed(f'tourney dist ends with {search.returncode}')

    def look(self, pid):
        with open(f'/proc/{pid}/status') as status:
            for line in status:
                name, _, value = line.partition(':')
                if name in FIELDS:
                    which = FIELDS[name]
                    setattr(self, which, max(getattr(self, which), int(value.split()[0]) / 1024))


def processor_time(pid):
    """Of a process that has ended and was not waited for."""
    with open(f'/proc/{pid}/stat') as stat:
        fields = stat.read().rsplit(')', 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')

#!/usr/bin/python3
"""Runs test/dist.py under srun, on a cluster of this one machine that is set up for it and taken down again.

Needs Debian's slurm-wlm and munge, and to be root.
usage: slurm.py BUILD_DIR
"""
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

CONFIG = """
ClusterName=tourney
SlurmctldHost={host}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={scratch}/munge.socket
CryptoType=crypto/munge
SlurmctldPort={ctld}
SlurmdPort={slurmd}
StateSaveLocation={scratch}/state
SlurmdSpoolDir={scratch}/spool
SlurmctldPidFile={scratch}/slurmctld.pid
SlurmdPidFile={scratch}/slurmd.pid
SlurmctldLogFile={scratch}/slurmctld.log
SlurmdLogFile={scratch}/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
SlurmdParameters=config_overrides
MpiDefault=pmi2
NodeName={host} CPUs=16 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=YES
"""


def free_port():
    with socket.socket() as s:
        s.bind(("", 0))
        return s.getsockname()[1]


class Cluster:
    def __init__(self):
        self.scratch = tempfile.mkdtemp(prefix="tourney-slurm-")
        os.chmod(self.scratch, 0o755)
        self.daemons = []
        self.host = socket.gethostname().split(".")[0]
        for name in "state", "spool":
            os.mkdir(f"{self.scratch}/{name}")
        with open(f"{self.scratch}/slurm.conf", "w") as conf:
            conf.write(CONFIG.format(host=self.host, scratch=self.scratch, ctld=free_port(), slurmd=free_port()))
        with open(f"{self.scratch}/cgroup.conf", "w") as conf:
            conf.write("CgroupPlugin=cgroup/v1\n")
        with open(f"{self.scratch}/munge.key", "wb") as key:
            key.write(os.urandom(1024))
        os.chmod(f"{self.scratch}/munge.key", 0o600)
        self.environment = dict(os.environ, SLURM_CONF=f"{self.scratch}/slurm.conf")

    def start(self):
        s = self.scratch
        self.daemon("munged", "-F", "-f", f"--key-file={s}/munge.key", f"--socket={s}/munge.socket",
                    f"--pid-file={s}/munged.pid", f"--log-file={s}/munged.log", f"--seed-file={s}/munged.seed")
        self.wait_for(lambda: os.path.exists(f"{s}/munge.socket"), "munged")
        self.daemon("slurmctld", "-D", "-f", f"{s}/slurm.conf")
        self.daemon("slurmd", "-D", "-f", f"{s}/slurm.conf", "-N", self.host)
        self.wait_for(self.is_idle, "slurmd")

    def daemon(self, *words):
        log = open(f"{self.scratch}/{words[0]}.out", "w")
        self.daemons.append(subprocess.Popen(words, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log))

    def is_idle(self):
        info = subprocess.run(["sinfo", "-h", "-o", "%T"], env=self.environment, capture_output=True, text=True)
        return info.stdout.strip() == "idle"

    def wait_for(self, done, what):
        for _ in range(300):
            if done():
                return
            time.sleep(0.2)
        for name in sorted(os.listdir(self.scratch)):
            if name.endswith((".out", ".log")):
                print(name, open(f"{self.scratch}/{name}").read()[-2000:])
        sys.exit(f"{what} does not come up")

    def stop(self):
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in self.daemons:
            try:
                daemon.wait(20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        shutil.rmtree(self.scratch)


def main(build):
    if os.geteuid() != 0:
        sys.exit("slurm.py has to be root to set up a cluster")
    cluster = Cluster()
    try:
        cluster.start()
        launcher = "srun --mpi=pmi2 --overcommit --overlap"
        return subprocess.run([sys.executable, "test/dist.py", build, "--launcher", launcher],
                              env=cluster.environment).returncode
    finally:
        cluster.stop()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

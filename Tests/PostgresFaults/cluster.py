"""Temporary PostgreSQL servers for tests.

A server runs as an unprivileged user and keeps its data and its socket in a new directory. The server is stopped and the
directory is removed when the `with` block of the cluster ends. If this process is killed, the kernel stops the server.
"""

import contextlib
import ctypes
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse

# The time limit for the start and the end of a server. A busy machine needs some seconds.
LIMIT = 60


def binaries():
    """Returns the directory of the server programs. Debian does not put it on the PATH."""
    found = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    path = str(found[-1]) if found else shutil.which("initdb")
    if path is None:
        sys.exit("PostgreSQL is not installed; install the package postgresql")
    return pathlib.Path(os.path.realpath(path)).parent


def owner():
    """Returns the user that runs the servers. PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    sys.exit("there is no user that can run a server; create the user postgres")


def end_with_parent():
    """Makes the kernel end this process quickly when its parent ends."""
    if sys.platform == "linux":
        # PR_SET_PDEATHSIG of linux/prctl.h.
        ctypes.CDLL(None).prctl(1, signal.SIGQUIT)


def raise_exit_on_signals():
    """Makes the usual signals end this process by an exception, so that `with` blocks stop their servers."""
    def end(number, _):
        sys.exit(128 + number)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end)


class Cluster:
    """A server with its data directory.

    The port is part of the name of the socket. A server listens on a network address only if one is stated.
    """

    def __init__(self, settings=None, *, source=None, address=None, namespace=None, port=5432):
        """Creates the data directory.

        :param settings: Settings of the server, by name.
        :param source: A running cluster to copy as its standby, or None for an empty database.
        :param address: A network address to listen on.
        :param namespace: The network namespace of the address. Only root can enter one.
        """
        self.binaries, self.user, self.port, self.address = binaries(), owner(), port, address
        self.settings, self.namespace, self.process = dict(settings or {}), namespace, None
        # The path of a socket has at most 107 bytes. The directory must be accessible for the server's user, so it is
        # not created in TMPDIR.
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
        try:
            if self.user:
                os.chown(self.directory, self.user.pw_uid, self.user.pw_gid)
            self.data, self.log = self.directory / "data", self.directory / "log"
            if source is None:
                self._create()
            else:
                self._copy(source)
        except BaseException:
            shutil.rmtree(self.directory, ignore_errors=True)
            raise

    def _create(self):
        self._run("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        if self.address:
            with open(self.data / "pg_hba.conf", "a", encoding="ascii") as file:
                file.write("host all all samenet trust\n")

    def _copy(self, source):
        # -R writes the settings of a standby.
        self._run("pg_basebackup", "-D", self.data, "-h", source.directory, "-p", str(source.port), "-U", "postgres",
                  "-c", "fast", "-X", "stream", "-R", "--no-sync")

    def _identity(self):
        if self.user is None:
            return {}
        return {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []}

    def _run(self, program, *arguments):
        done = subprocess.run(
            [self.binaries / program, *arguments], cwd=self.directory, capture_output=True, text=True, timeout=LIMIT,
            **self._identity())
        if done.returncode != 0:
            raise RuntimeError(f"{program} failed: {done.stderr}")
        return done.stdout

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        try:
            self.stop(signal.SIGQUIT)
        finally:
            shutil.rmtree(self.directory, ignore_errors=True)

    def start(self):
        """Starts the server and waits until it accepts connections."""
        settings = {
            "listen_addresses": self.address or "", "port": self.port, "unix_socket_directories": self.directory,
            "max_connections": 500, "shared_buffers": "32MB", "max_wal_size": "256MB", **self.settings,
        }
        command = [self.binaries / "postgres", "-D", self.data]
        for name, value in settings.items():
            command += ["-c", f"{name}={value}"]
        identity = self._identity()
        if self.namespace:
            # Both programs replace themselves with the next one, so the process is the server.
            command = ["ip", "netns", "exec", self.namespace, "setpriv", f"--reuid={self.user.pw_uid}",
                       f"--regid={self.user.pw_gid}", "--clear-groups", "--pdeathsig=QUIT", *command]
            identity = {}
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                command, cwd=self.directory, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
                preexec_fn=end_with_parent, **identity)
        self.wait_until_ready()

    def wait_until_ready(self):
        """Waits until the server accepts connections, after a start or after it has ended all sessions."""
        end = time.monotonic() + LIMIT
        while not self.is_ready():
            if self.process.poll() is not None:
                raise RuntimeError(f"the server has ended: {self.log_end()}")
            if time.monotonic() > end:
                raise RuntimeError(f"the server does not accept connections: {self.log_end()}")
            time.sleep(0.02)

    def is_ready(self):
        return subprocess.run(
            [self.binaries / "pg_isready", "-q", "-h", self.directory, "-p", str(self.port)], check=False,
            timeout=LIMIT).returncode == 0

    def stop(self, number=signal.SIGINT):
        """Stops the server: SIGINT is the mode `fast` of pg_ctl, SIGQUIT the mode `immediate`. SIGKILL ends only the
        postmaster; its children notice that within some moments."""
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.send_signal(number)
            try:
                self.process.wait(LIMIT)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
        self.process = None

    def restart(self, number):
        self.stop(number)
        self.start()

    def promote(self):
        """Makes a standby the primary, and waits until it accepts writes."""
        self._run("pg_ctl", "promote", "-D", self.data, "-w", "-t", str(LIMIT))

    def query(self, sql):
        """Runs SQL as the superuser and returns the rows as lists of texts."""
        done = subprocess.run(
            ["psql", "-XAtq", "-F", "\t", "-h", self.directory, "-p", str(self.port), "-U", "postgres", "-d", "postgres",
             "-v", "ON_ERROR_STOP=1", "-c", sql],
            check=True, capture_output=True, text=True, timeout=LIMIT)
        return [line.split("\t") for line in done.stdout.splitlines()]

    @property
    def host(self):
        """The host as a URI names it."""
        return self.address or urllib.parse.quote(str(self.directory), safe="")

    def uri(self, **parameters):
        return uri([self], **parameters)

    def log_end(self):
        return self.log.read_text(errors="replace")[-2000:] if self.log.exists() else ""


def uri(clusters, **parameters):
    """Returns the URI of several servers, of which a client uses one that suits the parameters."""
    hosts = ",".join(f"{cluster.host}:{cluster.port}" for cluster in clusters)
    text = f"postgres://postgres@{hosts}/postgres"
    return text + ("?" + urllib.parse.urlencode(parameters) if parameters else "")

"""Programs that save while their server fails, and the check of what they reported."""

import collections
import re
import subprocess
import threading
import time

# The codes of errors which state that the outcome of a save is unknown.
UNKNOWN = {"outcomeUnknown"}
# The time limits in seconds: for the end of a program, and for a single save or read.
END_LIMIT = 120
CALL_LIMIT = 45

Outcome = collections.namedtuple("Outcome", "word step time code message")


class Writer:
    """A process of `store-torture outcomes`."""

    def __init__(self, program, uri, number, prefix=()):
        self.number, self.outcomes, self.unexpected, self.error = number, [], [], ""
        self.is_done, self.was_killed = False, False
        # The moment of the start of the newest step that was saved.
        self.newest_save = 0.0
        self.process = subprocess.Popen(
            [*prefix, program, "--store", "postgres", "outcomes", uri, str(number)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.threads = [threading.Thread(target=run, daemon=True) for run in (self._read, self._read_error)]
        for thread in self.threads:
            thread.start()

    def _read(self):
        for line in self.process.stdout:
            words = line.split(maxsplit=5)
            if words[0] in ("saved", "read", "failed", "unread"):
                code = words[4] if len(words) > 4 else ""
                message = words[5].strip() if len(words) > 5 else ""
                self.outcomes.append(Outcome(words[0], f"{words[1]} {words[2]}", int(words[3]), code, message))
                if words[0] == "saved":
                    self.newest_save = time.monotonic() - int(words[3]) / 1000
            elif words[0] == "done":
                self.is_done = True
            elif words[0] != "opening":
                self.unexpected.append(line.strip())

    def _read_error(self):
        self.error = self.process.stderr.read()

    def has_saved(self):
        return self.newest_save > 0

    def kill(self):
        self.was_killed = True
        self.process.kill()
        self._join()

    def end(self):
        """Lets the process end, and waits for that."""
        try:
            self.process.stdin.close()
            self.process.wait(END_LIMIT)
        except subprocess.TimeoutExpired:
            self.unexpected.append(f"the program did not end within {END_LIMIT} s")
            self.process.kill()
        self._join()

    def _join(self):
        self.process.wait()
        for thread in self.threads:
            thread.join()


class Writers:
    """Several writers of one store, and the check of all their reports."""

    def __init__(self, program, uri, *, prefix=()):
        """
        :param uri: The URI of the store.
        :param prefix: A command that runs the programs, e.g. in another network namespace.
        """
        self.program, self.uri, self.prefix = program, uri, list(prefix)
        self.running, self.ended, self.findings, self.recoveries = [], [], [], []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for writer in self.running:
            writer.kill()

    def start(self, count):
        for _ in range(count):
            number = len(self.running) + len(self.ended)
            self.running.append(Writer(self.program, self.uri, number, self.prefix))

    def wait_for_saves(self, since=0.0, limit=END_LIMIT):
        """Waits until each writer has saved a step that it began after a moment. Records how long that took."""
        begin = time.monotonic()
        for writer in self.running:
            while writer.newest_save <= since:
                if time.monotonic() > begin + limit:
                    self.findings.append(f"a program did not save again within {limit} s: {writer.outcomes[-3:]}")
                    return
                if writer.process.poll() is not None:
                    self.findings.append(f"a program ended: {writer.unexpected} {writer.error[-500:]}")
                    return
                time.sleep(0.002)
        if since:
            self.recoveries.append(time.monotonic() - since)

    def kill_one(self, writer):
        self.running.remove(writer)
        writer.kill()
        self.ended.append(writer)

    def end(self):
        for writer in self.running:
            writer.end()
            if not writer.is_done:
                self.findings.append(f"a program ended early: {writer.unexpected} {writer.error[-500:]}")
            self.ended.append(writer)
        self.running = []

    def outcomes(self, word):
        return [outcome for writer in self.ended for outcome in writer.outcomes if outcome.word == word]

    def check(self):
        """Compares the reports with the records, and returns a sentence for each violation."""
        findings = list(self.findings)
        for writer in self.ended:
            findings += [f"unexpected output: {line}" for line in writer.unexpected]
        done = subprocess.run(
            [*self.prefix, self.program, "--store", "postgres", "list", self.uri], capture_output=True, text=True,
            timeout=END_LIMIT, check=False)
        if done.returncode != 0:
            return [*findings, f"the records cannot be listed: {done.stdout[-500:]} {done.stderr[-500:]}"]
        lines = [line.split(maxsplit=1) for line in done.stdout.splitlines()]
        left, right = ({rest for word, rest in lines if word == name} for name in ("left", "right"))
        saved = {outcome.step for outcome in self.outcomes("saved")}
        failed = {outcome.step: outcome for outcome in self.outcomes("failed")}
        unknown = {step for step, outcome in failed.items() if outcome.code in UNKNOWN}
        findings += [f"step {step} is stored in part" for step in sorted(left ^ right)]
        findings += [f"step {step} was acknowledged and is lost" for step in sorted(saved - left)]
        findings += [f"step {step} is stored, although it failed: {failed[step].code} {failed[step].message}"
                     for step in sorted(left & failed.keys() - unknown)]
        reported = saved | failed.keys()
        # A program that was killed has reported nothing about its last steps.
        killed = {str(writer.number) for writer in self.ended if writer.was_killed}
        last = collections.Counter(step.split()[0] for step in left - reported if step.split("-")[0] in killed)
        findings += [f"task {task} has {count} steps that it did not report" for task, count in last.items() if count > 1]
        findings += [f"step {step} is stored but was never reported" for step in sorted(left - reported)
                     if step.split("-")[0] not in killed]
        count = sum(1 for step in left if int(step.split()[1]) % 4 == 0)
        stored = next((int(rest) for word, rest in lines if word == "steps"), 0)
        if count != stored:
            findings.append(f"the counter is {stored}, but {count} steps that increment it are stored")
        for outcome in self.outcomes("read"):
            possible = {"2"} if outcome.step in saved else {"0", "2"} if outcome.step in unknown else {"0"}
            if outcome.code not in possible:
                findings.append(f"a read found {outcome.code} records of step {outcome.step}, not {possible}")
        for writer in self.ended:
            findings += [f"a call took {outcome.time} ms: {outcome}" for outcome in writer.outcomes
                         if outcome.time > CALL_LIMIT * 1000]
        # An error must not mention a password. The remedy of the store names PGPASSFILE, but these servers need none.
        for outcome in self.outcomes("failed") + self.outcomes("unread"):
            if re.search(r"password|PGPASS", outcome.message):
                findings.append(f"an error contains a secret: {outcome.message}")
        return findings

    def summary(self):
        """Returns the counts of all outcomes as a text."""
        failed = collections.Counter(outcome.code for outcome in self.outcomes("failed"))
        unread = collections.Counter(outcome.code for outcome in self.outcomes("unread"))
        unknown = sum(failed[code] for code in UNKNOWN)
        def longest(*words):
            return max((outcome.time for word in words for outcome in self.outcomes(word)), default=0)
        def codes(counter):
            return ", ".join(f"{count} {code}" for code, count in counter.most_common()) or "none"
        text = (
            f"{len(self.outcomes('saved'))} saves acknowledged, {failed.total()} failed ({codes(failed)}), "
            f"{unknown} unknown; {len(self.outcomes('read'))} reads, {unread.total()} failed ({codes(unread)}); "
            f"longest save {longest('saved', 'failed')} ms, longest read {longest('read', 'unread')} ms")
        if self.recoveries:
            text += f"; saved again after {max(self.recoveries):.1f} s at most"
        return text

    def messages(self):
        """Returns each kind of error message once."""
        found = {}
        for outcome in self.outcomes("failed") + self.outcomes("unread"):
            found.setdefault((outcome.word, outcome.code, re.sub(r"\d+", "N", outcome.message)), outcome.message)
        return [f"{word} {code}: {text}" for (word, code, _), text in found.items()]

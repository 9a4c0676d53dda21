"""The real server as a process."""

import os
import re
import signal
import subprocess
import tempfile


class Cradle:
    """A server with its own folder, which can be killed and restarted."""

    def __init__(self, *flags):
        self.folder = tempfile.TemporaryDirectory(prefix="cradle-python-")
        self.flags = flags
        self.run("127.0.0.1:0")

    def run(self, listen):
        program = [os.environ["CRADLE"], "serve", "--listen", listen, "--log", "error"]
        program += ["--data", self.folder.name, *self.flags]
        self.process = subprocess.Popen(program, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        found = re.search(r"http://(\S+)", line)
        assert found, f"the server did not start: {line}"
        self.address = found[1]

    def end(self, sent=signal.SIGTERM):
        self.process.send_signal(sent)
        self.process.wait(timeout=30)
        self.process.stdout.close()

    def restart(self):
        """Starts it again at the same address with the same data."""
        self.run(self.address)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.end(signal.SIGKILL)
        self.folder.cleanup()

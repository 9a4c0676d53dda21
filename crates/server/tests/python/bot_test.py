"""Runs the bot of docs/server.md, word by word, against a server that is restarted in between."""

import http.client
import itertools
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from cradle import Cradle

PAGE = os.path.join(os.path.dirname(__file__), "..", "..", "..", "..", "docs", "server.md")
TOKENS = ["0a" * 16, "0b" * 16]


def bot():
    """The text of the bot."""
    with open(PAGE, encoding="utf-8") as page:
        [text] = [part.split("```")[0] for part in page.read().split("```python\n")[1:]]
    return text


class Bot(unittest.TestCase):
    def setUp(self):
        # So few requests that the bot must wait before its second one.
        limits = ["--limit", "requests_per_second=1", "--limit", "requests_at_once=1"]
        self.cradle = self.enterContext(Cradle(*limits))
        self.addresses = itertools.cycle(f"127.0.0.{number}" for number in range(2, 250))

    def ask(self, path, body=None):
        """A request of the opponent, who has other addresses and therefore other limits."""
        source = (next(self.addresses), 0)
        connection = http.client.HTTPConnection(self.cradle.address, source_address=source)
        headers = {"Authorization": "Bearer " + TOKENS[0], "Content-Type": "application/json"}
        connection.request("GET" if body is None else "POST", path, body and json.dumps(body), headers)
        response = connection.getresponse()
        text = response.read()
        connection.close()
        self.assertLess(response.status, 300, text)
        return json.loads(text)

    def play(self, table, ply, move):
        """Plays a move, and waits for the bot's."""
        action = {"id": f"test:{ply}", "action": "play", "round": 1, "ply": ply, "move": move}
        self.ask(f"/api/tables/{table}/actions", action)
        return self.view_at(table, ply + 2)

    def view_at(self, table, ply):
        end = time.monotonic() + 60
        while (view := self.ask(f"/api/tables/{table}")["view"])["ply"] < ply and "scores" not in view:
            self.assertLess(time.monotonic(), end, "the bot does not move")
            time.sleep(0.2)
        return view

    def test_the_bot_plays_on_after_restarts_and_ends_with_the_round(self):
        # The token of the header holds the seat.
        table = self.ask("/api/tables", {"game": "tic-tac-toe", "name": "Ada"})["id"]
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "bot.py")
            with open(program, "w", encoding="utf-8") as file:
                file.write(bot())
            given = [sys.executable, program, f"http://{self.cradle.address}", table, TOKENS[1]]
            self.cradle.end()
            running = subprocess.Popen(given)
            self.addCleanup(running.kill)
            time.sleep(1)
            self.cradle.restart()
            self.round(table)
            self.assertEqual(running.wait(timeout=60), 0, "the bot ends cleanly")
        entries = self.ask(f"/api/tables/{table}/log")["entries"]
        played = [entry for entry in entries if entry["kind"] == "played"]
        self.assertEqual([entry["ply"] for entry in played], list(range(len(played))))
        self.assertEqual([entry["seat"] for entry in played], [ply % 2 for ply in range(len(played))])
        self.assertEqual((entries[-1]["kind"], entries[-1]["seat"]), ("left", 1))

    def round(self, table):
        """Plays a round; the server is stopped and killed in between."""
        while len([seat for seat in self.ask(f"/api/tables/{table}")["view"]["seats"] if "name" in seat]) < 2:
            time.sleep(0.2)
        view = self.view_at(table, 0)
        ends = {2: signal.SIGTERM, 4: signal.SIGKILL}
        while "scores" not in view:
            ply = view["ply"]
            if ply in ends:
                self.cradle.end(ends[ply])
                time.sleep(1)
                self.cradle.restart()
            view = self.play(table, ply, view["legal_moves"][0])


if __name__ == "__main__":
    unittest.main()

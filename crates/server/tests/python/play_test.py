"""Plays whole games with the generated client only: typed models, no JSON by hand."""

import json
import unittest

from cradle import Cradle
from cradle_client import AuthenticatedClient, Client
from cradle_client.api.tables import act, create_table, explain_move, find_table, list_games
from cradle_client.api.tables import pair, read_log, stream_entries, take_seat, view_table
from cradle_client.models import Accepted, ActionForfeit, ActionForfeitAction, ActionNextRound
from cradle_client.models import ActionNextRoundAction, ActionPlay, ActionPlayAction, ClockPerMove
from cradle_client.models import CreateTable, Entries, EntryPlayed, JoinSeat, PairRequest, Problem


class Player:
    """A person at a table."""

    def __init__(self, test, name, table, token):
        self.client = AuthenticatedClient(base_url=test.base, token=token)
        test.addCleanup(self.client.get_httpx_client().close)
        self.name, self.table, self.count = name, table, 0

    def id(self):
        self.count += 1
        return f"{self.name}:{self.count}"

    def view(self):
        return view_table.sync(self.table, client=self.client).view

    def play(self, move, ply, round_=1):
        body = ActionPlay(id=self.id(), action=ActionPlayAction.PLAY, round_=round_, ply=ply, move=move)
        return act.sync_detailed(self.table, client=self.client, body=body)

    def updates(self, known=0):
        """The stream, with the generated request and the generated model of a line."""
        request = stream_entries._get_kwargs(self.table, from_=known, with_="view")
        with self.client.get_httpx_client().stream(**request) as response:
            assert response.status_code == 200, response.status_code
            for line in filter(None, response.iter_lines()):
                yield Entries.from_dict(json.loads(line))


class Games(unittest.TestCase):
    def setUp(self):
        self.cradle = self.enterContext(Cradle())
        self.base = f"http://{self.cradle.address}"
        self.client = Client(base_url=self.base)
        self.addCleanup(self.client.get_httpx_client().close)

    def test_two_people_play_a_whole_game(self):
        wanted = CreateTable(game="tic-tac-toe", name="Ada", clock=ClockPerMove(per_move=60_000))
        created = create_table.sync(client=self.client, body=wanted)
        taken = take_seat.sync(created.id, client=self.client, body=JoinSeat(name="Bob"))
        ada = Player(self, "ada", created.id, created.token)
        bob = Player(self, "bob", created.id, taken.token)
        updates = ada.updates()
        self.assertEqual(next(updates).view.turn, [0])
        for ply, move in enumerate(["a1", "a2", "b1", "b2"]):
            player = [ada, bob][ply % 2]
            self.assertIn(move, player.view().legal_moves)
            self.assertIsInstance(player.play(move, ply).parsed, Accepted)
            update = next(updates)
            self.assertIsInstance(update.entries[0], EntryPlayed)
            self.assertEqual((update.entries[0].move, update.view.ply), (move, ply + 1))
        self.refused(ada, bob)
        self.assertEqual(ada.play("c1", 4).status_code, 200)
        self.assertEqual(next(updates).view.scores, [1, -1])
        body = ActionForfeit(id=bob.id(), action=ActionForfeitAction.FORFEIT, round_=1, ply=5)
        act.sync(bob.table, client=bob.client, body=body)
        self.assertEqual(next(updates).view.round_, 2)
        log = read_log.sync(created.id, client=self.client, from_=3)
        self.assertEqual([entry.kind for entry in log.entries], ["played"] * 5 + ["forfeited"])

    def refused(self, ada, bob):
        """A refusal is a problem with typed reasons, and changes nothing."""
        answer = bob.play("a1", 4)
        self.assertEqual(answer.status_code, 409)
        self.assertIsInstance(answer.parsed, Problem)
        reasons = answer.parsed.refusal.reasons
        self.assertEqual([reason.code for reason in reasons], ["not_your_turn", "already_taken"])
        self.assertEqual(reasons[1].because[0].thread, "SquareTaken(a1)")
        unreadable = create_table.sync_detailed(
            client=self.client, body=CreateTable(game="tic-tac-toe", name=" "))
        self.assertEqual((unreadable.status_code, unreadable.parsed.code), (422, "bad_request"))
        self.assertEqual(ada.view().ply, 4)

    def test_one_person_plays_against_the_computer(self):
        games = {game.name: game for game in list_games.sync(client=self.client).games}
        self.assertIn("bthreads", games["tic-tac-toe"].computers[1])
        wanted = CreateTable(game="tic-tac-toe", computers=[None, "bthreads"], name="Ada")
        created = create_table.sync(client=self.client, body=wanted)
        ada = Player(self, "ada", created.id, created.token)
        for update in ada.updates():
            view = update.view
            if view.legal_moves:
                self.assertEqual(ada.play(view.legal_moves[0], view.ply).status_code, 200)
            elif view.scores:
                break
        entries = read_log.sync(ada.table, client=ada.client).entries
        computers = [entry for entry in entries if entry.kind == "played" and entry.seat == 1]
        version = computers[0].version
        analysis = explain_move.sync(ada.table, client=self.client, version=version)
        self.assertEqual(analysis.explanation, computers[0].explanation)
        body = ActionNextRound(
            id=ada.id(), action=ActionNextRoundAction.NEXT_ROUND, round_=1, ply=view.ply)
        self.assertIsInstance(act.sync(ada.table, client=ada.client, body=body), Accepted)
        self.assertEqual(ada.view().round_, 2)

    def test_a_code_and_strangers(self):
        created = create_table.sync(client=self.client, body=CreateTable(game="pig"))
        found = find_table.sync(created.code, client=self.client)
        self.assertEqual((found.id, found.free_seats), (created.id, 2))
        missing = find_table.sync_detailed("moon", client=self.client)
        self.assertEqual((missing.status_code, missing.parsed.code), (404, "not_found"))
        waiting = pair.sync(client=self.client, body=PairRequest(game="pig", name="Eve"))
        self.assertEqual(waiting.seat, 0)


if __name__ == "__main__":
    unittest.main()

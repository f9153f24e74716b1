"""Disputes, and moves that are put right."""

from dataclasses import replace

from companion.core.clocks import SECOND
from companion.core.correction import Change
from companion.core.match import Match
from companion.core.record import move_plain
from companion.core.replies import CorrectionReply, EvidenceData, preview_reply, table_of
from companion.core.requests import Correct
from companion.core.rules import Move
from companion.display.question import Question
from companion.display.view import View, seen
from companion.games.three import rules as three
from companion.games.threepia import rules as threepia
from companion.games.tres import rules as tres
from companion.games.triple3 import rules as triple3
from companion.watch.messages import DisputedPlay, DisputeReply
from tools.gallery.played_matches import (
    GRID,
    LONG_NAMES,
    NAMES,
    NO_TRIPLE,
    claimed_match,
    dealing,
    marked,
    new_match,
    played_match,
    stopped,
    tres_match,
    triple3_match,
    triplexity_match,
)


def dispute_views(blank: View) -> dict[str, View]:
    match = triple3_match(NAMES[:3], 9, illegal_plays="keep")
    match.make(triple3.Stop("Ben", at=match.now + SECOND))
    early = triple3_match(NAMES[:3], 0)
    early.make(triple3.Stop("", at=early.now + SECOND))
    table = replace(blank, screen="table", seen=seen(match))
    play = match.line[-2].ruling.events[0]
    assert isinstance(play, triple3.PlayedLegally | triple3.PlayedIllegally)
    seen_by = EvidenceData(play.cell, play.card, None, None, 0, 0, [], "Ben", 0, [])
    about = (play.cell, play.card, play.covered)
    watched = DisputedPlay(len(match.line) - 1, "legal", *about, play.sentence, [], "", [], seen_by, [])
    kept = replace(watched, pictures=["verdict.jpg", "moment.jpg"])
    called = replace(watched, number=0, verdict="called", sentence=NO_TRIPLE, likely=list(GRID[:6]))
    lay = triple3.Lay("Ben", play.cell, play.card)
    change = Change(9, lay, (play.sentence,), (), NO_TRIPLE, "dropped")
    again = replace(change, now=(play.sentence,), dropped="", kind="changed")
    nothing = CorrectionReply(9, lay, None, (), {}, {}, None, None, table_of(match))
    return {
        "dispute": table,
        "dispute-empty": replace(table, seen=seen(early)),
        "dispute-play": replace(table, marks=marked(play=0)),
        "dispute-older": replace(table, marks=marked(play=3)),
        "dispute-other": replace(table, marks=marked(play=0, other=True, colour="purple")),
        "dispute-changed": replace(table, marks=marked(correction=replace(nothing, changes=(change, again)))),
        "dispute-nothing": replace(table, marks=marked(correction=nothing)),
        "dispute-watched": replace(table, marks=marked(dispute=DisputeReply(0, [kept, called], ""))),
        "dispute-called": replace(table, marks=marked(dispute=DisputeReply(0, [called, watched], ""), play=0)),
        "dispute-claim": replace(table, seen=seen(claimed_match(NAMES[:3]))),
        "dispute-claim-long": replace(table, seen=seen(claimed_match(LONG_NAMES[:2], "")), marks=marked(play=0)),
        "dispute-later": replace(table, screen="dispute", seen=seen(triple3_match(NAMES[:2], 9)), depth=1),
        "dispute-long": replace(table, seen=stopped(LONG_NAMES[:4]), marks=marked(play=0)),
    }


def question_views(blank: View) -> dict[str, View]:
    """Corrections of all kinds, before they are made."""
    dogs = [dog.name for dog in three.DOGS]
    match = new_match("three", NAMES[:3])
    match.make(three.Begin(NAMES[0]))
    for number in range(10):
        match.make(three.Play(NAMES[number % 3], dogs[number % 3], at=(number + 1) * SECOND))
    for move in (three.Strike(NAMES[1]), three.Call(NAMES[1], NAMES[0], dogs[0]), three.Check(NAMES[0], 4)):
        match.make(replace(move, at=match.now + SECOND))
    for number in range(3):
        match.make(three.Play(NAMES[(number + 1) % 3], dogs[5], at=match.now + SECOND))
    over = played_match("triplexity", NAMES[:2], 200)
    falls, long = played_match("tres", NAMES[:3], 40), played_match("tres", LONG_NAMES, 60)
    deck = new_match("threepia", NAMES[:6], way="points", target=9, deck=100)
    deck.make(threepia.Deal(""))
    deck.make(threepia.Begin(NAMES[0], at=SECOND))
    while deck.outcome is None:
        deck.make(threepia.Lay(deck.state.turn, points=deck.now % 3, at=deck.now + SECOND + 1))
    return {
        "question": _asked(blank, match, 2, three.Play(NAMES[0], dogs[1])),
        "question-dropped": _asked(blank, falls, 9, None),
        "question-dropped-2": replace(_asked(blank, falls, 9, None), marks=marked(first=3)),
        "question-winner": _asked(blank, over, len(over.line), None),
        "question-points": _asked(blank, deck, 4, None),
        "question-asks": _asked(blank, deck, 4, threepia.Lay(NAMES[1], points=9)),
        "question-long": _asked(blank, long, 12, None),
        "moves": _moves(blank, match),
        "moves-check": _moves(blank, match, 14),
        "moves-card": _moves(blank, match, 17),
        "moves-points": _moves(blank, deck, 5),
        "moves-place": _moves(blank, triplexity_match(NAMES[:2], "lcrrcl", ("lr",)), 7),
        "moves-really": _really(blank, tres_match(NAMES[:3], *dealing(NAMES[:3]), tres.Draw("Ben")), 3),
        "moves-really-card": _really(blank, played_match("threepia", NAMES[:2], 5), 3),
        "moves-empty": _moves(blank, new_match("three", NAMES[:3])),
        "moves-long": _moves(blank, long, 52),
    }


def _moves(blank: View, match: Match, number: int = 0) -> View:
    marks = marked(move=number) if number else marked()
    return replace(blank, screen="moves", seen=seen(match), depth=2, marks=marks)


def _really(blank: View, match: Match, number: int) -> View:
    """Somebody says what that move was instead."""
    return replace(_moves(blank, match, number), marks=marked(move=number, really=True))


def _asked(blank: View, match: Match, number: int, move: Move | None) -> View:
    """Before that is put right."""
    reply = preview_reply(match, match.preview(number, move))
    question = Question(Correct(number, move and move_plain(move), preview=True), reply, is_paused=True)
    return replace(blank, screen="question", seen=seen(match), depth=2, question=question)

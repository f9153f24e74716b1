"""Results, history, statistics, and what the devices say."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

from companion.core.clocks import SECOND
from companion.core.entry import Abandoned, Entry, Made
from companion.core.match import Match
from companion.core.rules import Move
from companion.core.sentence import Sentence
from companion.display.shelf import Opened, Refused, Shelf, ShelvedMatch
from companion.display.view import Past, Seen, View, seen
from companion.doctor.health import AILING, LOOKING, MISSING, WORKS, Finding
from companion.games import NAMES as NAMED
from companion.games import game as game_named
from companion.games.three import rules as three
from companion.games.threepia import rules as threepia
from companion.reports.marks import marks
from companion.reports.statistics import Tally
from tools.gallery.played_matches import (
    COUNT_DIFFERS,
    LONG_NAMES,
    NAMES,
    marked,
    new_match,
    not_your_turn,
    pasts,
    played_match,
    runs,
    three_match,
    threepia_match,
    tied_strike,
    triple3_match,
)


def result_views(blank: View) -> dict[str, View]:
    over = replace(blank, screen="result", past=pasts()["again"])
    every = 10**9
    given_up = threepia_match(NAMES[:2], 5)
    given_up.take(Abandoned(given_up.now + SECOND, ""))
    trial = played_match("threepia", NAMES[:1], every, way="time-trial", deck=20)
    return {
        "result-points": replace(over, seen=seen(played_match("threepia", NAMES[:3], every))),
        "result-six-long": replace(over, seen=seen(played_match("threepia", LONG_NAMES[:6], every, way="rounds"))),
        "result-tie": replace(over, seen=_tied(LONG_NAMES[2:5])),
        "result-trial": replace(over, seen=seen(trial), past=Past(trials=runs(range(3, 7), on_word=False, deck=20))),
        "result-triplexity": replace(over, seen=seen(played_match("triplexity", NAMES[:2], every))),
        "result-mistake": replace(
            over, seen=seen(played_match("triplexity", LONG_NAMES[2:4], every)), marks=marked(mistake=True)
        ),
        "result-rounds-long": replace(
            over, seen=seen(played_match("triplexity", LONG_NAMES[:2], every, play="advanced", rounds=5))
        ),
        "result-abandoned": replace(over, seen=seen(given_up)),
    }


def _tied(names: tuple[str, ...]) -> Seen:
    match = new_match("threepia", names, way="rounds", rounds=2)
    match.make(threepia.Deal(""))
    match.make(threepia.Begin(names[0]))
    for turn in range(2 * len(names)):
        match.make(threepia.Lay(match.state.turn, points=2, at=turn * 5 * SECOND))
    return seen(match)


NO_SOUND = "There is no sound: ALSA: Couldn't open audio device: No such file or directory."


def looking_back_views(blank: View) -> dict[str, View]:
    history = replace(blank, screen="history", depth=1)
    three_of = three_match(
        NAMES[:3], 9, tied_strike(NAMES[1:3], (0,)), three.Call("Ben", "Anna", "Ember"), three.Check("Anna")
    )
    plays = replace(_again(triple3_match(NAMES[:2], 30)), screen="replay", marks=marked(step=12))
    refused = replace(_opened(three_of), refused=(Refused(10, "Anna", COUNT_DIFFERS), Refused(10, "Ben", _NO_CALL)))
    replay = replace(_again(three_of), screen="replay", marks=marked(step=10), shelf=Shelf(_TODAY, opened=refused))
    over = played_match("triplexity", NAMES[:2], 10**9)
    long = played_match("threepia", LONG_NAMES[:6], 10**9, way="rounds")
    trial = played_match("threepia", NAMES[:1], 10**9, way="time-trial", deck=20)
    counts = Shelf(_TODAY, tallies=_tallies(NAMES), counted=412, to_count=412)
    longest = tuple((name, 10**9 * 71) for name in NAMES[:4])
    best: dict[str, Any] = {"trials": (*runs(range(2, 8)), *runs(range(3), rotate=False)), "longest_rounds": longest}
    many = replace(counts, tallies=_tallies(LONG_NAMES), counted=1800, to_count=5000, **best)
    statistics, player = (replace(blank, screen=screen, depth=2) for screen in ("statistics", "player"))
    doctor = replace(blank, screen="doctor", depth=1)
    return {
        "history": replace(history, shelf=_history(NAMES, 4)),
        "history-empty": history,
        "history-many-long": replace(history, shelf=_history(LONG_NAMES, 5000)),
        "match-triplexity": _again(over),
        "match-trial": _again(trial),
        "match-running": _again(triple3_match(NAMES[:3], 9)),
        "match-long": _again(long),
        "match-unreadable": replace(history, screen="match", about="picture", shelf=Shelf(trouble=_UNREADABLE)),
        "replay-begins": replace(_again(three_of), screen="replay"),
        "replay-refused": replay,
        "replay-put-right": _put_right(three_of, 2, three.Play("Anna", "Sky")),
        "replay-fallen": _put_right(three_of, 11, None),
        "replay-triple3": plays,
        "replay-triplexity": replace(_again(over), screen="replay", marks=marked(step=len(over.line))),
        "replay-long": replace(_again(long), screen="replay", marks=marked(step=len(long.line))),
        "statistics": replace(statistics, shelf=counts),
        "statistics-empty": statistics,
        "statistics-many-long": replace(statistics, shelf=many),
        "player": replace(player, about="Anna", shelf=replace(counts, trials=runs(range(8)))),
        "player-one": replace(player, about="Anna", shelf=replace(counts, tallies=counts.tallies[:1])),
        "player-long": replace(player, about=LONG_NAMES[0], shelf=many),
        "doctor": replace(doctor, shelf=Shelf(findings=_FINDINGS)),
        "doctor-looking": replace(doctor, shelf=Shelf(findings=_LOOKING, is_looking=True)),
        "doctor-missing": replace(doctor, shelf=Shelf(findings=_NOTHING_THERE)),
        "doctor-ailing": replace(doctor, shelf=Shelf(findings=_AILING), ailing=("buttons", "configuration")),
        "doctor-publishing": replace(doctor, shelf=Shelf(findings=(*_FINDINGS, _NO_BROKER))),
    }


_TODAY = date(2026, 5, 17)


_NO_CALL = not_your_turn("Ben", "play", "Clara")


_UNREADABLE = Sentence(
    "Match {match} cannot be played again by the rules of this companion: {error}",
    match="picture",
    error=Sentence("It is {player}'s turn.", player="Ben"),
)


_FINDINGS = (
    Finding("screen", WORKS, Sentence("{width} × {height} points.", width=800, height=480)),
    Finding(
        "journal",
        WORKS,
        Sentence("The journal takes {kept} MB; {megabytes} MB of the disk are free.", kept=3, megabytes=12450),
    ),
    Finding(
        "buttons",
        WORKS,
        Sentence("Buttons that are wired: {count}.", count=8),
        "To try each of them: companion doctor buttons",
    ),
    Finding(
        "camera",
        AILING,
        Sentence("The camera sees the table, and {readable} of its 9 cells can be read.", readable=7),
        "Light the table from another side too.",
    ),
    Finding("reader", WORKS, Sentence("It reads {right} of {tried} cards in its own pictures.", right=18, tried=18)),
    Finding("sound", WORKS, "There is a device for the sound."),
)


_AILING = (
    *_FINDINGS[:2],
    Finding(
        "buttons",
        MISSING,
        "The pins of the buttons are gone.",
        "Everything can be touched on the screen until they are back.",
        Sentence("{name} is gone.", name="gpiochip0"),
    ),
    *_FINDINGS[3:],
    Finding(
        "configuration",
        AILING,
        "There are mistakes in table.toml, and the rest of it holds.",
        "",
        "/etc/companion/table.toml, line 7: size: '12x' is not a size such as 1280x720, at least 480x320, or "
        "'whole'; until then it is as usual.",
    ),
)


_NO_BROKER = Finding(
    "publishing",
    AILING,
    "The certificate of the broker is not to be trusted: look at ca and host of [publish].",
    Sentence("Rulings that wait to be published: {waiting}.", waiting=12),
)


_LOOKING = (*_FINDINGS[:2], *(Finding(device, LOOKING) for device in ("buttons", "camera", "reader", "sound")))


_NOTHING_THERE = (
    Finding(
        "screen",
        AILING,
        Sentence("{width} × {height} points.", width=320, height=240),
        "A screen of 800 × 480 or more can be read and touched well.",
    ),
    Finding("journal", MISSING, "Matches are not kept: there is no journal.", "Name a file for it with --journal."),
    Finding(
        "buttons",
        MISSING,
        "No buttons are wired to this table.",
        "Everything can be touched on the screen; docs/wiring.md tells how buttons are added.",
    ),
    Finding(
        "camera",
        MISSING,
        "No camera can be opened.",
        "",
        "picamera2 is not there for this Python: on a Raspberry Pi `sudo apt install python3-picamera2` and a "
        "virtual environment made with --system-site-packages; elsewhere take a webcam, as in /dev/video0.",
    ),
    Finding(
        "reader",
        MISSING,
        "A package that it needs is missing.",
        Sentence("The package {name} is not installed or does not load.", name="cv2"),
    ),
    Finding(
        "sound", MISSING, "There is no device for the sound.", "Plug a loudspeaker in; everything is on the screen too."
    ),
)


def _opened(match: Match) -> Opened:
    names, outcome = match.setup.names, match.outcome
    began = datetime(2026, 5, 16, 20, 15, tzinfo=UTC)
    winners = outcome.winners if outcome else ()
    status = "over" if outcome else "running"
    return Opened(ShelvedMatch("picture", match.setup.game, began, status, names, (), winners), seen(match))


def _again(match: Match) -> View:
    shelf = Shelf(_TODAY, opened=_opened(match), trials=runs(range(8)))
    return View((800, 480), screen="match", about="picture", shelf=shelf, depth=2)


def _put_right(match: Match, number: int, move: Move | None) -> View:
    """The move after which most has changed, once this one is put right."""
    entries: list[Entry] = [Made(done.move) for done in match.line]
    again = Match.folded(match.setup, entries, lambda entry, _: entries.append(entry))
    again.correct(number, move)
    places = tuple(marks(again.setup, entries).places)
    shown = max(range(len(places)), key=lambda step: bool(places[step].was) + 2 * bool(places[step].fallen))
    shelf = Shelf(_TODAY, opened=replace(_opened(again), places=places))
    return View((800, 480), screen="replay", about="picture", marks=marked(step=shown), shelf=shelf, depth=2)


def _history(names: tuple[str, ...], count: int) -> Shelf:
    """Matches of one day after another, of all games; the first is still running and the third was given up."""
    found = []
    for number in range(min(count, 24)):
        game = [*NAMED][number % len(NAMED)]
        who = names[: game_named(game).players[1]][: 8 if count > 24 else 3]
        began = datetime(2026, 5, 17, 20, 15, tzinfo=UTC) - timedelta(hours=19 * number)
        status = ("running", "over", "abandoned")[number] if number < 3 else "over"
        over = status == "over"
        scores = tuple(5 * seat + number for seat in range(len(who))) if over else ()
        found.append(ShelvedMatch(f"code{number}", game, began, status, who, scores, who[-1:] if over else ()))
    return Shelf(_TODAY, count, 0, tuple(found))


def _tallies(names: tuple[str, ...]) -> tuple[Tally, ...]:
    """Of everybody in every game, so that all that can be counted is there."""
    more: dict[str, dict[str, Any]] = {
        "three": {"strikes": 31, "closest": 2_104_000, "calls": 40, "right": 33},
        "triple3": {"rounds": 25, "longest_round": 184 * SECOND, "illegal": 12},
        "tres": {"calls": 3, "right": 3},
    }
    return tuple(
        Tally(game, name, 80 - 7 * seat, 36 - 4 * seat, 11 + seat, 2 * seat + 3, **more.get(game, {}))
        for game in NAMED
        for seat, name in enumerate(names)
    )

"""A guided first round: a match of its own beside whatever else is played, of which nothing is kept.

It has an app and a room of its own, with no journal, no publisher and no camera. So nothing of it can come into the
history, the statistics, the best times or another match, and a match that waits stays as it was left.
"""

from collections.abc import Callable, Iterator
from typing import Any

from companion.core.match import COLOURS, Match, Player
from companion.core.names import EXAMPLES, look_alike
from companion.core.replies import Reply
from companion.core.requests import Abandon, Message, MoveMessage, Rematch, Request
from companion.core.rules import Move, Turn
from companion.core.seats import BotSeats
from companion.core.session import Session
from companion.display.app import App
from companion.display.fingers import touches
from companion.display.layout import Size, columns, packed, rows
from companion.display.past import next_name
from companion.display.scene import Art, ChangeTo, Go, GoOn, Intent, Leave, Practise, Say, Scene, Start
from companion.display.screens.elements import Page
from companion.display.view import Draft, View
from companion.games import game as game_named
from companion.inputs.presses import Presses
from companion.seat.table import PlainTable, Seated
from companion.words import labels
from simulator.drawn.drawn_table import Room
from simulator.drawn.guides import Lead, guide
from simulator.drawn.items import Banner, LeaveRound
from simulator.drawn.sitters import Sitting
from simulator.drawn.spread import Minds, Spread

# Screens that belong to the round; for any other it is left.
STAYS = ("table", "result", "menu", "rules", "settings", "moves", "question", "dispute")
NOT_HERE = (Abandon, Rematch)  # what would make another round of it


class _Session(Session):
    """Lets through what the round asks for and what the referee refuses."""

    def __init__(self, session: Session, clock: Callable[[], int], lead: Lead) -> None:
        super().__init__(session.referee, clock)
        self._lead = lead

    def replies(self, message: Message) -> Iterator[Reply]:
        if not isinstance(message, MoveMessage) or self._lead.lets(message.move):
            yield from super().replies(message)


class PracticeApp(App):
    """The display while a round is led. `leads_to` is what somebody wants who leaves it."""

    def __init__(self, size: Size, room: "PracticeRoom", **more: Any) -> None:
        super().__init__(size, table_for=room.seat, **more)
        self._room = room
        self.is_ended = False
        self.leads_to: Intent | None = None

    def begin(self, game: str, names: tuple[str, ...], stamp: int) -> None:
        players = tuple(Player(name, colour) for name, colour in zip(names, COLOURS, strict=False))
        house = game_named(game).house(**guide(game).rules)
        super().take(ChangeTo(Draft(game, players, house), Start()), stamp)

    def take(self, intent: Intent, stamp: int) -> None:
        match intent:
            case Go(screen) if screen not in STAYS:
                self.end(intent)
            case Say(message) if isinstance(message, NOT_HERE):
                self.end(None)
            case Practise():
                self.end(intent)
            case Start() | GoOn() | Leave() | LeaveRound():
                self.end(None)
            case _:
                super().take(intent, stamp)
                if self.view.screen not in STAYS:
                    self.end(None)

    def end(self, leads_to: Intent | None) -> None:
        self.is_ended, self.leads_to = True, leads_to

    @property
    def is_shown(self) -> bool:
        """The round has been shown to its end, and nobody looks at something else."""
        return self._room.is_done and self.view.screen in ("table", "result")

    @property
    def scene(self) -> Scene:
        return over(self.view, self._room.ending) if self.is_shown else super().scene


class PracticeRoom(Room):
    """The drawn table while a round is led: one person, one bot, and the cards in their order."""

    def __init__(self, size: Size, clock: Callable[[], int]) -> None:
        super().__init__(size, clock, seed=0, mistakes=0)
        self.lead: Lead | None = None
        self._pointed: tuple[Scene, Scene] | None = None

    @property
    def bot_seats(self) -> BotSeats:
        """Who sits there follows from the round."""
        return BotSeats()

    def seat_with(self, session: Session, presses: Presses) -> Seated:
        match = session.referee.match
        self.lead = Lead(guide(match.setup.game), match)
        self.sitting = Sitting(match.setup.names, frozenset({self.lead.me}))
        return PlainTable(_Session(session, self._clock, self.lead), presses)

    def spread_for(self, match: Match, seed: int) -> Spread:
        return guide(match.setup.game).spread(match, seed)

    def bot_move(self, _minds: Minds, _now: int) -> Move | Request | None:
        return self.lead.bot_move() if self.lead else None

    @property
    def is_done(self) -> bool:
        return self.lead is not None and self.lead.is_done

    @property
    def ending(self) -> str:
        return self.lead.guide.ending if self.lead else ""

    @property
    def banner(self) -> Banner | None:
        lead = self.lead
        if lead is None or self.spread is None:
            return None
        told, is_refused = self._told(lead)
        return Banner(told, is_refused, self._asks(lead), *lead.far, self._lit(lead))

    def _told(self, lead: Lead) -> tuple[str, bool]:
        view, words = self.app.view, self.app.words
        if view.notice is not None and view.notice.kind in ("foul", "error"):
            return view.notice.sentence, True
        if lead.is_held:
            return words.say("The rules allow that too. In this round something else comes first."), True
        told = [words.sentence(event) for event in view.match.events if event.text and not isinstance(event, Turn)]
        return "".join(told[-1:]), False

    def _asks(self, lead: Lead) -> str:
        words = self.app.words
        if lead.is_done:
            return words.say(lead.guide.ending)
        if lead.match.paused is not None:
            return words.say(labels.PAUSED)
        if lead.is_astray:
            return words.say("This has become another round. Undo takes that back.")
        if lead.step is None or not lead.step.asks:
            return words.say("{player} plays …", player=lead.other)
        return lead.step.asked(words, lead.other)

    def _lit(self, lead: Lead) -> tuple[Intent, ...]:
        """Nothing while the cards have not yet followed what has just happened."""
        if lead.asked is None or self.spread is None or self.spread.moves != lead.at:
            return ()
        return self.spread.places(lead.asked)

    def pointed(self, scene: Scene) -> Scene:
        """The display with a ring around what is to be touched on it."""
        if self._pointed is None or self._pointed[0] is not scene:
            self._pointed = scene, self._ringed(scene)
        return self._pointed[1]

    def _ringed(self, scene: Scene) -> Scene:
        lead = self.lead
        if lead is None or lead.asked is None or self._lit(lead) or self.app.view.screen != "table":
            return scene
        path = touches(self.app.view, lead.asked)
        return scene.with_focus(path[0]) if path else scene

    def leave(self) -> None:
        app = self.app
        assert isinstance(app, PracticeApp)
        app.end(None)


def names_for(view: View) -> tuple[str, str]:
    """Whoever would sit first, and a bot."""
    known = (*view.draft.names, *view.past.names, next_name(view.words, ()))
    other = next(name for name in EXAMPLES if not look_alike(name, known[:1]))
    return known[0], other


def over(view: View, ending: str) -> Scene:
    """The round has been shown: what else there is to know, and what comes next."""
    page, m, seen = Page(view), view.m, view.match
    words, game = page.words, seen.setup.game
    body = view.screen_box.inset(2 * m.edge)
    picture, about = columns(body, 0.8, 1.0, gap=2 * m.gap) if m.wide else rows(body, 0.5, 1.0, gap=m.gap)
    page.add(Art(picture.shaped(1, 1), game))
    title, more, acts = rows(about, m.of(16), 1.0, m.of(15) * 2 + m.gap, gap=m.gap)
    page.text(title, words.say("{title}: that was a first round.", title=seen.game.title), m.large, "warn", lines=2)
    page.text(more, words.say(ending), m.body, lines=8)
    wanted = (
        (words.say(labels.START), Go("players", game), "main", "play", "return"),
        (words.say("Once more"), Practise(game), "plain", "redo", "o"),
        (words.say(labels.RULES_IN_SHORT), Go("rules", game), "plain", "bulb", "?"),
        (words.say("Leave"), LeaveRound(), "plain", "back", "x"),
    )
    for (label, intent, look, symbol, key), cell in zip(wanted, packed(acts, 4, 2, m.of(15), m.gap), strict=True):
        page.button(cell, label, intent, look=look, symbol=symbol, key=key)
    return page.done(escape=LeaveRound())

"""What a touch does: to the screens, to what is chosen for the next match, and to the match."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from companion.core.card_ways import Senses, as_it_can_be, is_seen
from companion.core.clocks import Clock
from companion.core.errors import CompanionError
from companion.core.match import set_up
from companion.core.referee import Referee
from companion.core.replies import ErrorReply
from companion.core.requests import Correct, MoveMessage, Pause, Undo
from companion.core.rules import Move
from companion.core.sentence import N_
from companion.display.asking import Asking
from companion.display.conversation import Conversation
from companion.display.display_state import DisplayState
from companion.display.library import Library
from companion.display.navigation import ROOT, ScreenPlace
from companion.display.past import draft_for, past, with_trials
from companion.display.question import SCREEN as QUESTION
from companion.display.remembered import Remembered
from companion.display.scene import (
    Back,
    ChangeTo,
    DecideFace,
    Dismiss,
    ForgetPictures,
    Go,
    GoOn,
    Intent,
    Leave,
    Mark,
    Practise,
    Refresh,
    Run,
    Say,
    ShowAnew,
    Start,
)
from companion.display.surroundings import Surroundings
from companion.display.view import Draft, Prefs
from companion.teaching.table_deck import deck_at_table
from companion.watch.messages import Really
from companion.words import Words

CLOSED = N_("The window was closed.")
LEFT = N_("You left the table.")
INTERRUPTED = N_("The match was interrupted.")
FORGOTTEN = N_("All pictures are gone.")
STAYS = N_("The table stays open: it is switched off at the wall.")


class Touches:
    """Takes one intent after the other."""

    def __init__(
        self,
        state: DisplayState,
        conversation: Conversation,
        asking: Asking,
        library: Library,
        around: Surroundings,
        remember: Remembered | None,
    ) -> None:
        self.remember = remember
        self._state = state
        self._conversation = conversation
        self._asking = asking
        self._library = library
        self._around = around
        self._takes: dict[type[Intent], Callable[[Any, int], None]] = {
            Say: self._said,
            Go: self._go,
            Back: self._back,
            Mark: self._mark,
            ChangeTo: self._change,
            Start: self._start,
            GoOn: self._go_on,
            Practise: self._practise,
            Dismiss: self._dismiss,
            Refresh: self._refresh,
            ForgetPictures: self._forget_pictures,
            Run: self._run,
            DecideFace: self._decide,
            ShowAnew: self._show_anew,
            Leave: self._leave,
        }

    def take(self, intent: Intent, stamp: int) -> None:
        """Do what a touch means. `stamp` is when it happened, by the monotonic clock."""
        self._conversation.touched = stamp
        if not isinstance(intent, Mark):  # whoever chooses something is still at what the notice is about
            self._state.notices.settle(self._state.clock())
        try:
            self._takes[type(intent)](intent, stamp)
        except CompanionError as error:
            self._conversation.hear([ErrorReply(error)])
        self._conversation.say_the_rest()

    def close(self, stamp: int) -> None:
        """The window is closed: a match that runs is paused, so that its clocks stand as they stand now."""
        self.pause(CLOSED, stamp)
        self._library.stale()
        self._conversation.get_up()
        self._state.is_left = True

    def pause(self, why: str, stamp: int) -> None:
        """Stop the clocks of a match that runs, because nobody sees them any more."""
        if self._state.is_running and self._state.seen is not None and self._state.seen.paused is None:
            self._conversation.send(Pause(why), stamp, stamp)
            self._conversation.hear_the_window(stamp)

    def tell_of_settings(self, sentence: str) -> None:
        if sentence:
            self._state.tell_of("notice", sentence)

    def _said(self, intent: Say, stamp: int) -> None:
        if isinstance(intent.message, Undo):
            for _ in range(self._back_to_a_person() - 1):
                self._conversation.send(intent.message, stamp, stamp)
        message = MoveMessage(intent.message, stamp, "") if isinstance(intent.message, Move) else intent.message
        if isinstance(message, Correct | Really) and message.preview:
            message = self._asking.begin(message)
        self._conversation.send(message, stamp, stamp)

    def _back_to_a_person(self) -> int:
        """How many undos go back to what a person did last, a move or a correction. Bots would do again at once what
        they did since."""
        bots = self._around.bots()
        if not bots or self._conversation.match is None:
            return 1
        acts = enumerate(self._conversation.match.history.undone_next(), 1)
        persons = (number for number, move in acts if move is None or not (move.by_referee or move.player in bots))
        return next(persons, 1)

    def _go(self, intent: Go, stamp: int) -> None:
        self._library.stale()
        if intent.screen == ROOT:
            self.pause(LEFT, stamp)
            self._state.forget_foul()
        place = ScreenPlace(intent.screen, intent.about)
        self._state.places.go(place)
        if intent.screen == "players" and intent.about:
            senses = Senses(draws=self._around.draws)
            self._state.draft = draft_for(
                intent.about, self._state.past, self._state.words, senses, self._around.bot_seats
            )
        if intent.screen == ROOT:
            self._look_back()
        self._state.redraw()

    def _back(self, _intent: Back, _stamp: int) -> None:
        self._library.stale()
        if self._state.places.top.screen == QUESTION:
            self._asking.leave()
        else:
            self._state.places.back()
        if not self._state.places.depth:
            self._look_back()
        self._state.redraw()

    def _mark(self, intent: Mark, _stamp: int) -> None:
        self._state.places.mark(intent)
        self._state.redraw()

    def _change(self, intent: ChangeTo, stamp: int) -> None:
        if isinstance(intent.to, Draft):
            self._state.draft = intent.to
        else:
            self._keep(intent.to)
        self._state.redraw()
        if intent.then is not None:
            self._takes[type(intent.then)](intent.then, stamp)

    def _keep(self, prefs: Prefs) -> None:
        self._state.prefs = prefs
        self._state.words = Words(prefs.language)
        self.tell_of_settings(self.remember.keep(prefs) if self.remember else "")

    def _start(self, _intent: Start, stamp: int) -> None:
        if self._around.is_journal_lent:
            raise CompanionError(self._around.unkept)
        draft = self._state.draft
        colours = tuple(player.colour for player in draft.players)
        bots = tuple(player.bot for player in draft.players) if draft.game in self._around.bot_seats.games else None
        senses = Senses(sees=self._around.camera is not None, draws=self._around.draws)
        house = as_it_can_be(draft.playing, draft.house, senses)
        deck, why = self._deck_for(draft.game) if is_seen(draft.game, house) else ("", "")
        setup = set_up(draft.playing, draft.names, house, colours=colours, bots=bots, deck=deck)
        self.sit_down(Referee.begin(setup, stamp, self._around.journal))
        if why:
            self._state.tell_of("notice", why)

    def _deck_for(self, game: str) -> tuple[str, str]:
        """The name of the taught deck that is to be read; or why it cannot be. What is gone is chosen no more."""
        word = self._state.prefs.decks.get(game, "")
        if not word or self._around.camera is None:
            return "", ""
        try:
            return deck_at_table(word, word, game).name, ""
        except CompanionError as error:
            self._keep(self._state.prefs.with_deck(game, ""))
            return "", error.sentence

    def _go_on(self, intent: GoOn, stamp: int) -> None:
        if self._around.journal is None:
            return
        referee = Referee.go_on(self._around.journal, None, intent.code)
        self.sit_down(referee)
        # A touch may be older than what it leads to, on a slow machine by seconds; no clock runs unseen.
        now = max(stamp, self._state.clock())
        referee.table_time(now)
        if not referee.match.stands:  # it was not left in order, and nobody knows yet whose clock will run
            self.pause(INTERRUPTED, now)

    def _practise(self, intent: Practise, stamp: int) -> None:
        if self._around.practise is not None:
            self._around.practise(intent.game, stamp)

    def _look_back(self) -> None:
        found = past(self._around.journal, self._around.bot_seats)
        self._state.past = replace(found, trials=self._state.past.trials)

    def sit_down(self, referee: Referee) -> None:
        self._conversation.get_up()
        self._state.past = with_trials(self._state.past, self._around.journal)
        self._asking.question = None
        self._conversation.sit_down(referee)

    def _run(self, intent: Run, stamp: int) -> None:
        clock = intent.clock or dict(self._state.places.top.marks).get(intent.key, Clock())
        if not intent.on:
            clock = clock.stop(stamp)
            clock = replace(clock, used=min(clock.used, clock.limit or clock.used))
        else:
            clock = replace(clock, used=0 if clock.left_at(stamp) == 0 else clock.used_at(stamp), since=stamp)
        self._mark(Mark(intent.key, clock), stamp)

    def _refresh(self, _intent: Refresh, _stamp: int) -> None:
        self._library.refresh()
        self._state.redraw()

    def _forget_pictures(self, _intent: ForgetPictures, _stamp: int) -> None:
        if self._around.camera is not None:
            self._around.camera.forget_pictures()
        if self._state.is_running:
            self._state.places.go(ScreenPlace("table"))  # where a dispute is told anew, without pictures
        self._state.tell_of("notice", FORGOTTEN)

    def _decide(self, intent: DecideFace, _stamp: int) -> None:
        if self._around.teaching is not None:
            self._around.teaching.decide(intent.number, intent.face)

    def _show_anew(self, intent: ShowAnew, _stamp: int) -> None:
        if self._around.teaching is not None:
            self._around.teaching.show_anew(intent.faces)

    def _dismiss(self, _intent: Dismiss, _stamp: int) -> None:
        self._state.tell(None)

    def _leave(self, intent: Leave, stamp: int) -> None:
        if self._around.stays:
            self._state.mention(STAYS)
        elif not intent.is_sure:
            self._mark(Mark("leave", value=True), stamp)
        else:
            self.close(stamp)

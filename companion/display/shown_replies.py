"""What the referee says, put on the screen."""

from collections.abc import Callable
from functools import partial
from typing import Any

from companion.core.replies import (
    AdviceReply,
    CorrectionReply,
    DoneReply,
    ErrorReply,
    FoulReply,
    MatchReply,
    NoticeReply,
    PreviewReply,
    Reply,
    RulingReply,
)
from companion.core.requests import Pause, Undo
from companion.core.sentence import N_
from companion.devices.camera import BY as CAMERA
from companion.display.asking import Asking
from companion.display.conversation import Conversation
from companion.display.display_state import DisplayState
from companion.display.navigation import CALLED_BACK
from companion.display.question import ANSWERED, ASKED
from companion.display.scene import Mark
from companion.display.view import Notice, Seen, seen
from companion.watch.messages import DisputeReply, LookRequest, PutRightReply, SeenReply


class ShownReplies:
    """Hears one reply after the other; what is shown afterwards is what they say."""

    def __init__(self, state: DisplayState, conversation: Conversation, asking: Asking) -> None:
        self._state = state
        self._conversation = conversation
        self._asking = asking
        self._changes = 0
        self._hears: dict[type[Reply], Callable[[Any], None]] = {
            MatchReply: self._heard_match,
            RulingReply: self._heard_ruling,
            FoulReply: self._heard_foul,
            ErrorReply: self._heard_error,
            NoticeReply: partial(self._heard_sentence, "notice"),
            DoneReply: self._heard_done,
            CorrectionReply: self._heard_correction,
            PreviewReply: asking.heard,
            DisputeReply: partial(self._shows_until_ruled, "dispute"),
            SeenReply: partial(self._heard_sentence, "notice"),
            PutRightReply: self._heard_put_right,
            AdviceReply: self._heard_advice,
        }

    def hear(self, reply: Reply) -> None:
        hear = self._hears.get(type(reply))
        if hear:
            hear(reply)

    def _look(self, *, stays: bool = False) -> None:
        """The match has changed: look at it anew, and show the screen that belongs to it. Whoever is elsewhere or
        chooses something stays there while only the camera has something to say, and the round goes on."""
        match = self._conversation.match
        assert match is not None
        before = self._state.seen
        self._changes += 1
        self._state.notices.settle(self._state.clock())
        self._state.refused_code = ""
        self._state.seen = seen(match, self._changes)
        self._state.advice = None
        screen = "result" if self._state.seen.is_over else "table"
        is_new = before is None or before.is_over or before.state.phase != self._state.seen.state.phase
        if self._state.seen.is_over and not (before and before.is_over):
            self._state.forget_foul()
        if not stays or (is_new and (screen == "result" or self._state.seen.state.phase in CALLED_BACK)):
            self._state.places.show(screen)
        elif is_new:
            self._state.places.clear_table()
        self._asking.ask_again()
        self._state.redraw()

    def _heard_match(self, reply: MatchReply) -> None:
        self._asking.question = None
        self._look(stays=_is_of_camera(reply))

    def _heard_ruling(self, reply: RulingReply | CorrectionReply) -> None:
        self._look(stays=_is_of_camera(reply))

    def _heard_correction(self, reply: CorrectionReply) -> None:
        is_answer = reply.re == ANSWERED
        if is_answer:
            self._asking.leave()
        self._heard_ruling(reply)
        if not _is_of_camera(reply):
            self._shows_until_ruled("correction", reply)
        if is_answer and self._state.seen is not None and self._state.seen.state.phase not in CALLED_BACK:
            self._state.tell(
                Notice("notice", self._state.words.say("Move {number} is put right.", number=reply.number))
            )

    def _shows_until_ruled(self, key: str, reply: DisputeReply | CorrectionReply) -> None:
        """Something that the table shows beside the match, until the next ruling."""
        if self._state.places.top.screen == "table":
            self._state.places.mark(Mark(key, reply))
            self._state.redraw()

    def _heard_done(self, reply: DoneReply) -> None:
        if _is_of_camera(reply) or reply.do == LookRequest.word:
            self._look(stays=True)
            return
        if reply.re == ASKED:
            self._asking.stands(is_paused=reply.do == Pause.word)
            self._look(stays=True)
            return
        self._look()
        if reply.do == Undo.word:
            self._state.tell(Notice("notice", self._taken_back(reply.what)))

    def _taken_back(self, what: str) -> str:
        taken = N_("The last move is taken back.") if what == "move" else N_("The correction is taken back.")
        sentence = self._state.words.say(taken)
        if self._state.seen is None or not (
            self._state.seen.state.deadline or self._is_something_ahead(self._state.seen)
        ):
            return sentence
        stand = self._state.words.say("The clocks stand until somebody goes on.")
        return f"{sentence} {stand}"

    def _is_something_ahead(self, seen: Seen) -> bool:
        """Something may be done that may not be done yet."""
        return any(moment > seen.now for moment in self._state.moments)

    def _heard_foul(self, reply: FoulReply) -> None:
        self._state.tell(Notice("foul", self._state.words.heard(reply.sentence), reply.player, reply.code))
        self._state.refused_code = reply.code
        self._asking.refused(reply)

    def _heard_put_right(self, _reply: PutRightReply) -> None:
        """The card that was called is off the table again."""
        said = self._state.notices.shown
        if said is not None and said.kind == "foul":
            self._state.tell(None)

    def _heard_error(self, reply: ErrorReply) -> None:
        self._heard_sentence("error", reply)
        self._asking.refused(reply)

    def _heard_sentence(self, kind: str, reply: ErrorReply | NoticeReply | SeenReply) -> None:
        self._state.tell_of(kind, reply.sentence)

    def _heard_advice(self, reply: AdviceReply) -> None:
        self._state.advice = reply
        self._state.redraw()


def _is_of_camera(reply: Reply) -> bool:
    """Nobody has touched or pressed anything for it."""
    return reply.by == CAMERA

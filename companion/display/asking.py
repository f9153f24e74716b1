"""A question that is asked before something is put right: its clocks, its screen, and its answer."""

from dataclasses import replace

from companion.core.referee import GONE_ON
from companion.core.replies import PreviewReply, Refusal
from companion.core.requests import Pause, Resume
from companion.core.sentence import N_
from companion.display.conversation import Conversation
from companion.display.display_state import DisplayState
from companion.display.navigation import CALLED_BACK
from companion.display.question import ANSWERED, ASKED, SCREEN, WISH, Question, is_quiet

ASKS = N_("Something is put right.")


class Asking:
    """What would fall away is asked before, and no clock runs meanwhile."""

    def __init__(self, state: DisplayState, conversation: Conversation) -> None:
        self.question: Question | None = None
        self._state = state
        self._conversation = conversation

    def begin(self, wish: WISH) -> WISH:
        """What is to be said first."""
        self.question = Question(wish, is_paused=self.question is not None and self.question.is_paused)
        return self.question.asked()

    def heard(self, reply: PreviewReply) -> None:
        question, seen, places = self.question, self._state.seen, self._state.places
        if question is None or seen is None or reply.re != ASKED:
            return
        if not question.is_about(reply):
            self.leave()
            self._state.tell_of("error", GONE_ON)
            return
        self.question = replace(question, preview=reply)
        if question.preview is None and is_quiet(reply):
            self._conversation.then(self.question.answer())
        elif not (seen.stands or seen.state.phase in CALLED_BACK):
            self._conversation.then(Pause(ASKS, id=ASKED))
        elif places.top.screen != SCREEN:
            places.open(SCREEN)
        self._state.redraw()

    def leave(self) -> None:
        question, self.question = self.question, None
        self._state.places.close(SCREEN)
        if question is not None and question.is_paused:
            self._conversation.then(Resume(id=ASKED))
        self._state.redraw()

    def refused(self, reply: Refusal) -> None:
        """What was asked cannot be; or it was not done, and is asked as it is now."""
        if reply.re == ASKED:
            self.leave()
        elif reply.re == ANSWERED and self.question is not None:
            self._conversation.then(self.question.asked())

    def stands(self, *, is_paused: bool) -> None:
        if self.question is not None:
            self.question = replace(self.question, is_paused=is_paused)

    def ask_again(self) -> None:
        """The match has changed: it may be another question now."""
        if self.question is not None and self.question.preview is not None:
            self._conversation.then(self.question.asked())

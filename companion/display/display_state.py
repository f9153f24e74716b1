"""What the display knows and shows now, without who changes it."""

from collections.abc import Callable

from companion.core.replies import AdviceReply
from companion.display.layout import Size
from companion.display.navigation import Places
from companion.display.notices import Notices
from companion.display.scene import Scene
from companion.display.view import Draft, Notice, Past, Prefs, Seen
from companion.words import Words


class DisplayState:
    """A `View` is made of it. Whoever changes something that is seen says `redraw`."""

    def __init__(self, size: Size, prefs: Prefs, past: Past, clock: Callable[[], int]) -> None:
        self.size = size
        self.prefs = prefs
        self.words = Words(prefs.language)
        self.past = past
        self.clock = clock
        self.draft = Draft()
        self.places = Places()
        self.notices = Notices()
        self.seen: Seen | None = None
        self.advice: AdviceReply | None = None
        self.refused_code = ""  # of the foul that was told last, until the next ruling
        self.passed = 0  # the newest of the moments that lie behind
        self.ailing: tuple[str, ...] = ()
        self.troubles: tuple[str, ...] = ()
        self.scene: Scene | None = None  # as it was drawn; None: to be drawn anew
        self.is_left = False

    def redraw(self) -> None:
        self.scene = None

    @property
    def is_running(self) -> bool:
        return self.seen is not None and not self.seen.is_over

    @property
    def moments(self) -> tuple[int, ...]:
        """When something may be done that could not be done before, although nobody has done anything."""
        found: tuple[int, ...] = getattr(self.seen.state, "moments", ()) if self.seen else ()
        return found

    # --- notices

    def tell(self, notice: Notice | None) -> None:
        self.notices.say(notice, self.clock())
        self.redraw()

    def tell_of(self, kind: str, sentence: str) -> None:
        """In the language of the table, what was said in English."""
        self.tell(Notice(kind, self.words.heard(sentence)))

    def mention(self, sentence: str) -> bool:
        """An English sentence about something beside the match; False if something else is being said just now."""
        if self.notices.shown is not None:
            return False
        self.tell_of("notice", sentence)
        return True

    def take_back(self, sentence: str) -> None:
        """What this says is not so any more."""
        said = self.notices.shown
        if said is not None and said.sentence == self.words.heard(sentence):
            self.tell(None)

    def forget_foul(self) -> None:
        """Nobody at the result, or at another game, has to know what was against the rules before."""
        said = self.notices.shown
        if said is not None and said.kind == "foul":
            self.tell(None)

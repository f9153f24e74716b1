"""What is said at the table, in seven languages: complete, with its blanks, of every event and foul of every game."""

import json
from collections.abc import Iterator
from dataclasses import MISSING, dataclass, fields, is_dataclass
from datetime import date
from pathlib import Path
from types import NoneType
from typing import Any, ClassVar, get_args, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.clocks import MILLISECOND, SECOND
from companion.core.codec import read_again
from companion.core.record import read_setup
from companion.core.referee import Referee
from companion.core.requests import read_message
from companion.core.rules import UNSEEN, Ahead, Event, Foul, Place, Turn
from companion.core.sentence import Sentence
from companion.core.session import Session
from companion.games import NAMES, game
from companion.games.three import rules as three
from companion.games.threepia import rules as threepia
from companion.games.threepia import words as threepia_words
from companion.games.threepia.words import FIELDS, WAYS
from companion.games.tres import rules as tres
from companion.games.tres import words as tres_words
from companion.games.triple3 import rules as triple3
from companion.games.triple3 import words as triple3_words
from companion.games.triplexity import rules as triplexity
from companion.words import LANGUAGES, Words, catalogue, known_language, labels, speaking
from companion.words.blanks import KINDS, blanks
from companion.words.catalogue import CatalogueError
from companion.words.game_words import words_of
from tests.replies import told as as_told
from tests.said import said_in, short_texts
from tools.translations import po_of, texts

GAMES = tuple(map(game, NAMES))
EVENTS = tuple({kind: None for playing in GAMES for kind in playing.events if kind.text})
MADE = catalogue.file_of("de").read_bytes()
OTHERS = tuple(language for language in LANGUAGES if language != "en")


# --- every event, in every language ----------------------------------------------------------------------------

PLAYERS = ("Anna", "Ben", "Inés", "Éva-Zoé", "阿明", "red", "Start", "nobody")
CARDS = (
    *triple3.DECK[::9],
    UNSEEN,
    "red-7",
    "pink-3",
    "skip",
    "joker",
    "Ember",
    "circle-red square-blue cross-green x-y",
)
PHRASES: dict[str, tuple[str, ...]] = {
    "reason": ("The round is over.", "Anna has laid the last card.", "4 chips."),
    "settled": ("nobody has the call, strike again", "Ben is next in the order of the seats"),
    "how": ("in one stack", "on top of all three places"),
    "line": tuple(name for name, _ in triple3.LINES),
    "place": (*triplexity.PLACES, "A", "the field"),
    "source": triplexity.PLACES,
    "target": triplexity.PLACES,
    "why": tuple(tres.REASONS),
    "triangles": (),
}
TEXT: dict[str, tuple[str, ...]] = {
    "name": PLAYERS,
    "card": CARDS,
    "value": triple3.VALUES,
    "time": ("85 µs", "2.104 ms", "1.250 s"),
}
BY_TYPE: dict[Any, st.SearchStrategy[Any]] = {
    int: st.integers(-3, 2000),
    bool: st.booleans(),
    NoneType: st.none(),
    Any: st.none(),
    Place: st.builds(Place, st.sampled_from(["bank", "box"]), st.sampled_from(["", *PLAYERS])),
    threepia.Stood: st.builds(
        threepia.Stood,
        st.sampled_from(["A1", "D4"]),
        st.sampled_from(["", "circle", "cross"]),
        st.sampled_from(["blue", "green"]),
    ),
    threepia.Run: st.builds(
        threepia.Run,
        st.sampled_from(["row", "column", "L"]),
        st.just(("A1", "A2", "B1")),
        st.just("shape"),
        st.sampled_from(["circle", "red"]),
        st.integers(1, 4),
    ),
}


def values(kind: Any, name: str) -> st.SearchStrategy[Any]:
    if kind is str:
        return st.sampled_from(PHRASES.get(name) or TEXT.get(KINDS.get(name, ""), PLAYERS))
    if kind in BY_TYPE:
        return BY_TYPE[kind]
    args = get_args(kind)
    if args and args[-1] is Ellipsis:
        return st.lists(values(args[0], name), min_size=name == "why", max_size=3).map(tuple)
    if NoneType in args:
        return st.one_of(*(values(arg, name) for arg in args))
    if args:
        return st.tuples(*(values(arg, name) for arg in args))
    assert is_dataclass(kind), kind
    return built(kind)


def built(kind: Any) -> st.SearchStrategy[Any]:
    hints = get_type_hints(kind)
    return st.builds(kind, **{field.name: values(hints[field.name], field.name) for field in fields(kind)})


def names_in(told: Event, template: str) -> Iterator[str]:
    """The players who are named in a sentence."""
    for name in blanks(template):
        value = getattr(told, name, None)
        if KINDS.get(name) == "name" and value:
            yield from value if isinstance(value, tuple) else (value,)


@pytest.mark.parametrize("kind", EVENTS, ids=lambda kind: f"{kind.__module__.rpartition('.')[2]}-{kind.word}")
@settings(max_examples=15)
@given(data=st.data())
def test_every_event_has_its_sentence(kind: type[Event], data: st.DataObject) -> None:
    told = data.draw(built(kind))
    for language in LANGUAGES:
        said = Words(language).sentence(told)
        assert not {"{", "}", "|"} & set(said), said
        assert said == said.strip()
        for name in names_in(told, told.template):
            assert name in said
        if language != "en":
            assert said != told.sentence or said == "Stop!"


@pytest.mark.parametrize("kind", EVENTS, ids=lambda kind: f"{kind.__module__.rpartition('.')[2]}-{kind.word}")
def test_every_text_in_a_blank_is_known_for_what_it_is(kind: type[Event]) -> None:
    hints = get_type_hints(kind)
    for name in blanks(kind.text):
        if name in hints and hints[name] not in (int, bool, tuple[int, ...]):
            assert name in KINDS, f"companion/words/blanks.py does not say what {{{name}}} of {kind.word} is"


ANYTHING = st.one_of(
    st.sampled_from([*PLAYERS, *CARDS, *triple3.VALUES, "", "Anna has finished."]),
    st.integers(0, 99),
    st.lists(st.sampled_from(CARDS), max_size=3).map(tuple),
)
DOGS = st.just((Sentence("{dog} ({hue})", dog="Ember", hue="red"), Sentence("{dog} ({hue})", dog="Rex", hue="pink")))


def test_every_foul_has_its_sentence() -> None:
    """With whatever stands in the blanks: a text, a number, a list, nothing."""
    said_in_games = sorted(text for text, where in texts(po_of("de")).items() if "companion/games/" in where[0])

    @settings(max_examples=4)
    @given(data=st.data())
    def has_its_sentence(text: str, data: st.DataObject) -> None:
        names = sorted(blanks(text) - {"player", "code", "text"})
        foul = Foul("code", "Anna", text, **{name: data.draw(DOGS if name == "dogs" else ANYTHING) for name in names})
        for language in LANGUAGES:
            said = Words(language).sentence(foul)
            assert not {"{", "|"} & set(said), said

    for text in said_in_games:
        has_its_sentence(text)


# --- how it is said --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "2 of Ember on Anna's pile: the cards go to Ben's bank."),
        ("de", "2 × Ember im Stapel von Anna: Die Karten kommen aufs Beutefeld von Ben."),
        ("fr", "2 × Ember dans le tas d’Anna\u00a0: les cartes vont sur le plateau-butin de Ben."),
        ("it", "2 × Ember nel mazzetto di Anna: le carte vanno sulla plancia-bottino di Ben."),
        ("es", "2 × Ember en el montón de Anna: las cartas van a la carta-botín de Ben."),
        ("pt", "2 × Ember no monte de Anna: as cartas vão para a prancha de espólio de Ben."),
        ("nl", "2 × Ember in de stapel van Anna: de kaarten gaan naar de buit van Ben."),
    ],
)
def test_words_of_the_rulebooks(language: str, said: str) -> None:
    event = three.Checked("Anna", "Ember", 2, right=False, to=Place("bank", "Ben"))
    assert Words(language).sentence(event) == said


@pytest.mark.parametrize(
    ("language", "cards"),
    [
        ("en", ["blue circle 2", "red 7", "Reverse", "a card", "green triangle, red cross"]),
        ("de", ["blauer Kreis 2", "rote 7", "Richtungswechsel", "eine Karte", "grünes Dreieck, rotes Kreuz"]),
        ("fr", ["cercle bleu 2", "7 rouge", "Inversion", "une carte", "triangle vert, croix rouge"]),
        ("it", ["cerchio blu 2", "7 rosso", "Inversione", "una carta", "triangolo verde, croce rossa"]),
        ("es", ["círculo azul 2", "7 rojo", "Reversa", "una carta", "triángulo verde, cruz roja"]),
        ("pt", ["círculo azul 2", "7 vermelho", "Inverte", "uma carta", "triângulo verde, cruz vermelha"]),
        ("nl", ["blauwe cirkel 2", "rode 7", "Omkeren", "een kaart", "groene driehoek, rood kruis"]),
    ],
)
def test_cards(language: str, cards: list[str]) -> None:
    words = Words(language)
    given_cards = ["blue-circle-2", "red-7", "reverse", UNSEEN, "triangle-green cross-red"]
    assert list(map(words.card, given_cards)) == cards
    assert words.card("Ember") == "Ember"
    assert words.card("pink-elephant-9") == "pink-elephant-9"


def test_every_card_of_every_deck_has_a_name() -> None:
    numbers = [card for card in tres.deck(tres.House()) if card]
    symbols = [f"{shape}-{colour}" for shape in threepia.SHAPES for colour in threepia.COLOURS]
    for language in OTHERS:
        said = [Words(language).card(card) for card in (*triple3.DECK, *numbers, *symbols)]
        assert len(set(said)) == len(said)
        assert not any("-" in name for name in said)


def test_numbers_and_their_words() -> None:
    points = threepia.LeftInHand("Anna", 1, -1, 4)
    assert Words("en").sentence(points) == "Anna has 1 card in hand: -1 points, which makes 4."
    assert Words("de").say(labels.CARDS_COUNT, count=1) == "1 Karte"
    assert Words("de").say(labels.CARDS_COUNT, count=0) == "0 Karten"
    assert Words("fr").say(labels.CARDS_COUNT, count=0) == "0 carte"
    assert Words("pt").say(labels.CARDS_COUNT, count=0) == "0 cartas"
    assert Words("de").number(1.5) == "1,5" != Words("en").number(1.5) == "1.5"


def test_times() -> None:
    assert Words("en").time(12 * SECOND + 300 * MILLISECOND) == "12.3 s"
    assert Words("fr").time(12 * SECOND + 300 * MILLISECOND) == "12,3 s"
    assert Words("nl").gap(2_104_000) == "2,104 ms"
    ahead = Ahead("Anna", "Ben", 2_104_000, 100_000, "2.104 ms", "100 µs")
    assert "2,104 ms" in Words("de").sentence(ahead)
    assert [Words(language).date(date(2026, 11, 8)) for language in ("de", "nl", "it")] == [
        "08.11.2026",
        "08-11-2026",
        "08/11/2026",
    ]


@pytest.mark.parametrize(
    ("language", "items", "said"),
    [
        ("en", ["Anna"], "Anna"),
        ("de", ["Anna", "Ben", "Eva"], "Anna, Ben und Eva"),
        ("it", ["Anna", "Elena"], "Anna ed Elena"),
        ("it", ["Anna", "Ben"], "Anna e Ben"),
        ("es", ["Anna", "Inés"], "Anna e Inés"),
        ("es", ["Anna", "Hiero"], "Anna y Hiero"),
        ("es", ["Anna", "Iago"], "Anna y Iago"),
        ("nl", [], ""),
    ],
)
def test_lists(language: str, items: list[str], said: str) -> None:
    assert Words(language).listed(items) == said


def test_either() -> None:
    assert Words("de").either(["blau", "2"]) == "blau oder 2"
    assert Words("es").either(["siete", "ocho"]) == "siete u ocho"


def test_names_are_left_alone() -> None:
    """Also those that are words, and those that look like blanks."""
    for name in ("red", "Start", "{player}", "nobody", "left", "?"):
        for language in LANGUAGES:
            words = Words(language)
            assert name in words.sentence(Turn(name))
            assert name in words.say(labels.WINNER, player=name)
            assert name in words.sentence(Foul("code", name, "{player} cannot {move}: the match is over.", move="call"))


def test_short_forms_before_vowels() -> None:
    french, italian = Words("fr"), Words("it")
    owed = [french.sentence(threepia.PointsOwed(name)) for name in ("Anna", "Ben", "Hélène", "Yves", "Yann", "Éva")]
    assert [said.partition("points ")[2] for said in owed] == [
        "d’Anna.",
        "de Ben.",
        "d’Hélène.",
        "d’Yves.",
        "de Yann.",
        "d’Éva.",
    ]
    assert [italian.sentence(Turn(name)) for name in ("Ben", "Anna")] == ["Tocca a Ben.", "Tocca ad Anna."]


def test_a_card_at_the_beginning_has_a_capital() -> None:
    taken = triple3.TakenBack("", 4, "blue-star-1")
    assert Words("de").sentence(taken) == "Blauer Stern 1 wird von Feld 4 zurückgenommen."
    assert Words("en").sentence(taken) == "Blue star 1 is taken back from cell 4."


def test_house_rules_have_names_meanings_and_choices() -> None:
    for language in OTHERS:
        words = Words(language)
        for playing in GAMES:
            assert set(words_of(playing.name).rules) == {field.name for field in fields(playing.house)}
            assert words.summary(playing) != " ".join(playing.summary.split())
            for field in fields(playing.house):
                assert words.rule(playing, field.name)
                assert words.meaning(playing, field.name) != field.metadata["help"]
                for choice in field.metadata["choices"]:
                    assert choice == "2x2" or words.choice(choice) != choice
    assert Words("de").choice(threepia.House().rotate) == "ja"
    assert Words("de").choice(threepia.SQUARE) == "Quadrat"
    assert Words("de").choice(("red", "blue")) == "rot, blau"


def test_ways_and_fields_are_all_there() -> None:
    from companion.games.threepia.fields import field, names  # noqa: PLC0415

    assert set(WAYS) == set(threepia.WAYS)
    assert set(FIELDS) == {field(name).name for name in names()}


def test_labels_are_short() -> None:
    for language in OTHERS:
        said = said_in(language)
        for label in short_texts():
            if isinstance(label, str) and not blanks(label) and label[-1] not in ".?":
                assert len(said[label]) <= max(14, len(label) + 10), (language, label, said[label])


ACTIONS = (
    *(labels.CANCEL, labels.UNDO, labels.REDO, triple3_words.TAKE_BACK, labels.END_MATCH, labels.PAUSE),
    *(labels.RESUME_MATCH, labels.GO_ON, labels.CLOSE, labels.DEAL, tres_words.PASS),
    *(
        labels.DOCTOR,
        labels.SETTINGS,
        labels.HISTORY,
        labels.REMATCH,
        threepia_words.FINISH,
        labels.PLAY_CARD,
        tres_words.DRAW_CARD,
    ),
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_does_different_things_has_different_names(language: str) -> None:
    words = Words(language)
    named = [words.say(label) for label in ACTIONS]
    assert {name for name in named if named.count(name) > 1} == set()


# --- languages come and go -------------------------------------------------------------------------------------


def test_language_changes_at_any_time() -> None:
    words = Words("de")
    assert words.say(labels.START) == "Start"
    words.language = "fr_CA.UTF-8"
    assert (words.language, words.say(labels.START)) == ("fr", "Commencer")


@pytest.mark.parametrize("wish", ["", "xx", "klingon", "../../etc/passwd", "C", "🐕"])
def test_unknown_language_is_english_and_says_so(wish: str) -> None:
    words = Words(wish)
    assert known_language(wish) == ""
    assert words.language == "en"
    assert words.trouble.endswith("known are en, de, fr, it, es, pt, nl.")
    assert words.say(labels.START) == "Start"


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        (b"nonsense", "Bad magic number"),
        (b"", "it is not as it was made"),
        (MADE[:10], "it is not as it was made"),
        (MADE[: len(MADE) // 2], "File is corrupt"),
        (MADE.replace("ü".encode(), b"\xff\xfe"), "it is not as it was made"),
        (None, "No such file or directory"),
    ],
    ids=range(6),
)
def test_broken_catalogue_is_english_and_says_so(
    broken: bytes | None, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, "LOCALE", tmp_path)
    speaking._catalogue.cache_clear()
    try:
        if broken is not None:
            catalogue.file_of("de").parent.mkdir(parents=True)
            catalogue.file_of("de").write_bytes(broken)
        words = Words("de")
        assert words.trouble == f"The texts of the language 'de' cannot be read: {why}."
        assert words.say("Start") == "Start"
        assert words.sentence(Turn("Anna")) == "It is Anna's turn."
        with pytest.raises(CatalogueError, match="'de'"):
            catalogue.opened("de")
    finally:
        speaking._catalogue.cache_clear()


@pytest.mark.parametrize("broken", ["{spieler} ist am Zug.", "{player", "{0} am Zug", "{player.name}"])
def test_broken_translation_is_said_in_english(broken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = Words("de")
    monkeypatch.setattr(words, "_translated", {Turn.text: broken}.__getitem__)
    assert words.sentence(Turn("Anna")) == "It is Anna's turn."


def test_missing_text_is_said_in_english() -> None:
    assert Words("de").say("Not in any catalogue, {name}.", name="Anna") == "Not in any catalogue, Anna."


# --- hearing ---------------------------------------------------------------------------------------------------


def test_a_sentence_is_said_from_its_text_and_its_facts() -> None:
    void = Sentence("{seat}'s strike is void: {gap} behind the strike that stands.", seat="Ben", gap="2.104 ms")
    assert void == "Ben's strike is void: 2.104 ms behind the strike that stands."
    assert Words("de").heard(void) == "Der Schlag von Ben zählt nicht: 2,104 ms nach dem Schlag, der gilt."


def test_a_fact_may_be_a_sentence() -> None:
    doubts = (
        Sentence("{one} or {other}", one="blue", other="purple"),
        Sentence("{one} or {other}", one="2", other="3"),
    )
    reason = Sentence("{spoilt}: {unlike}?", spoilt="it is blurred", unlike=doubts)
    said = Sentence("I cannot read cell {cell}: {reason}.", cell=3, reason=reason)
    assert said == "I cannot read cell 3: it is blurred: blue or purple, 2 or 3?."
    assert Words("de").heard(said) == "Ich kann Feld 3 nicht lesen: unscharf: blau oder lila und 2 oder 3?"
    assert Words("en").heard(said) == "I cannot read cell 3: it is blurred: blue or purple and 2 or 3?"


def test_what_fits_nowhere_is_nothing() -> None:
    text = "{card} on cell {cell} is illegal: it makes no new triple; the cell takes {accepts}."
    foul = Foul("no-new-triple", "Anna", text, card="red-circle-1", cell=4, accepts=())
    assert Words("de").sentence(foul).endswith("Auf das Feld passt: nichts.")
    assert "nothing" not in "".join(Words(language).sentence(foul) for language in OTHERS)


@pytest.mark.parametrize("sentence", ["There is no move to undo.", "The match is paused."])
def test_a_text_without_blanks_needs_no_more(sentence: str) -> None:
    """It is kept as it is, and is a key of the catalogues."""
    assert Words("nl").heard(sentence) != sentence


@given(sentence=st.text(max_size=80))
def test_what_was_kept_as_it_is_is_said_as_it_was_kept(sentence: str) -> None:
    for language in ("de", "fr"):
        assert Words(language).heard(f"Anna said: {sentence}") == f"Anna said: {sentence}"


@given(sentence=st.text(max_size=80))
def test_anything_can_be_heard(sentence: str) -> None:
    for language in ("de", "fr"):
        assert isinstance(Words(language).heard(sentence), str)


def test_errors_of_a_session_are_heard() -> None:
    session = session_of_three()
    [reply] = as_told(session.answer(read_message(session.referee.match.game, {"do": "undo", "at": 1})))
    assert Words("nl").heard(reply["sentence"]) == "Er is geen zet om terug te draaien."


def test_a_refused_move_is_said_from_its_json_as_well() -> None:
    session = session_of_three()
    playing = session.referee.match.game
    [reply] = as_told(session.answer(read_message(playing, {"move": "begin", "player": "the deck", "at": 1})))
    [told] = [json.loads(json.dumps(reply))]
    assert told["text"] == "{who} is not in this match; players are {players}."
    assert told["facts"] == {"who": "the deck", "players": ["Anna, Ben", "nobody"]}
    assert Words("de").heard(read_again(told["text"], told["facts"])) == Words("de").heard(reply["sentence"])
    assert "Anna, Ben und nobody" in Words("de").heard(reply["sentence"])


def session_of_three() -> Session:
    players = [{"name": "Anna, Ben", "colour": "red"}, {"name": "nobody", "colour": "blue"}]
    setup = {"id": "abc", "game": "three", "players": players, "house": {}, "rematch_of": ""}
    return Session(Referee.begin(read_setup(setup), 0), None)


@dataclass(frozen=True)
class Cheered(Event):
    """An event that no catalogue knows."""

    text: ClassVar[str] = "{player} cheers for {other}."
    player: str
    other: str


def test_unknown_event_is_told_in_english() -> None:
    assert Words("de").sentence(Cheered("Anna", "Ben")) == "Anna cheers for Ben."
    assert all(field.default is MISSING for field in fields(Turn))


def test_a_dog_that_nobody_has_shown_is_a_card() -> None:
    assert Words("en").sentence(three.Played("Anna", UNSEEN, 2)) == "Anna plays a card. Cards on the pile: 2."

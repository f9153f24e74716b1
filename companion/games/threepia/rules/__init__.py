"""Threepia: cover a card of the field with one of your own and score the rows that it makes.

The referee may know every symbol of the field, because somebody showed it the cards that were dealt; then it
checks each card that is laid and counts the points itself. Or it knows only whose turn it is, and takes the
players' word for their points, also later: points that are owed are entered in the order of the turns, and
points of later turns wait for them, so that it stays clear who was first.

What the sheet leaves open, settled here:
* A card is written as it is held; `turned` says by how many quarter turns clockwise it then lies.
* A triangle has a colour that matters only for the house rule triangle_fits; it never stands for a triangle.
* Triangles count for as many points as they can bring; they stand for nothing where they bring none.
* An L is three or four equal symbols of a block of two by two that holds a symbol just laid; the block has symbols
  of at least two cards, one within a card would score by itself.
* A row stood before if the symbols under the new card could be taken for the same value; one that has grown is new.
* An axis is a row and a column that score, a flush a line (or a block) that scores by shape and by colour; what a house
  gives for them it gives once for a card.
* Said points are those for rows and combinations; the 3 for an empty hand are added by the referee, who counts hands.
* A time that is up ends the turn as it is: no card is drawn. A move at the very stamp of the deadline is in time.
* The deck on the table is right, not the referee's count: anybody may say that it is used up, or how many cards there
  are. Where the count has ended the match too early that turn is undone, the cards are counted, and it is made again.
  If cards are found after the deck seemed to be used up, whoever has none in hand draws three of them.
* A deck that is used up is not shuffled again. A player without cards is passed over from then on, also in
  the rounds. Where a deck does not end the match, it ends when nobody has cards or time left, or, playing for
  points or by the stopwatch, when everybody in turn could lay nothing: most points win.
* Alone there are no points, also none for an empty hand. A time trial is won by its player, a relaxed game by nobody.
* A time trial goes on after the deck is used up, until the hand is, or until no card in it fits: the referee sees that
  where field and hand are shown, else the player says it. It counts among the best times unless the referee saw that
  a draw was not needed, and as one on the player's word unless the referee saw field and hand at every card.
"""

from companion.games.threepia.rules.cards import *
from companion.games.threepia.rules.corrections import *
from companion.games.threepia.rules.events import *
from companion.games.threepia.rules.field import *
from companion.games.threepia.rules.game import *
from companion.games.threepia.rules.hand import *
from companion.games.threepia.rules.house import *
from companion.games.threepia.rules.laid_field import *
from companion.games.threepia.rules.moves import *
from companion.games.threepia.rules.scoring import *
from companion.games.threepia.rules.state import *
from companion.games.threepia.rules.turns import *

"""Tres: run your cards out against the three on the table, and say so when you hold exactly three.

Table and discards always lie open. The referee may also know the hands, because somebody showed it each card,
or only how many cards are in them. It is sure of what it has seen and takes a player's word for the rest.

A card is COLOUR-NUMBER, or reverse, skip, plus3, joker. The house rule for the deck is four settings: colours,
number_copies, action_copies, jokers.

What the sheet leaves open and how it is settled here:

* Only action cards laid from the hand act when they are played: one on the table acted when it turned up.
* The three cards of the deal turn up one after the other, each acting on whoever has the turn at that moment.
* Whoever draws because of a +3 that turned up goes on with the turn; whoever lost the turn to a Reverse or a
  Skip has lost it even while the table is still being filled, and the next player fills up the rest.
* With two players a played Reverse only turns the direction; a Skip gives the same player another turn.
* An empty hand wins at once: what that play would have made others draw is not drawn any more.
* Everything that is due is drawn in the order in which it became due, before anything else, in the turn of the
  player who caused it. What one player owes is drawn in one go.
* "Tres" is in time from the beginning of the turn in which a hand becomes three, and holds until the hand is another;
  if the turn ends with another hand, it was for nothing. A silence can be caught until the next turn's first card is
  laid or drawn. Nobody is caught twice for one silence, and calling out somebody wrongly costs nothing.
* The discards are shuffled at the moment the draw pile is empty. Where even they are used up, what is still due
  is not drawn, the table is not filled, and only then a player who cannot or will not play passes. When everybody
  has passed in a row, the match is blocked: fewest cards in hand win, equal hands share.
* The cards drawn for dealer go back into the deck; whoever ties for highest draws again.

Where cards are only counted (house rule `cards`), the referee is told how many cards are laid, which of them is an
action card, and whether all three were of one colour. It does not know the table: that they fit is the players'
business. What goes without saying need not be said: what is due is drawn at once, whoever keeps has drawn, and the
table is filled; which action card turned up there is said until that turn's first card. Where it may matter who takes
a card first, because few are left or somebody who has to draw can still be caught, each step is said as usual.
"""

from companion.games.tres.rules.cards import *
from companion.games.tres.rules.corrections import *
from companion.games.tres.rules.events import *
from companion.games.tres.rules.game import *
from companion.games.tres.rules.house import *
from companion.games.tres.rules.moves import *
from companion.games.tres.rules.state import *

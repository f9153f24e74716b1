"""Made by `make calibrate`, not by hand."""

from companion.games.triple3.sight_odds import Odds, Sureness

ODDS = Odds()
SURENESS = Sureness()

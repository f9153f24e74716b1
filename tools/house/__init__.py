"""`make house`: the sizes, names, laws and costs that this project holds itself to, each with its bound."""

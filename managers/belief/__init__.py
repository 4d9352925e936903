"""How far the words of an oracle and of a critic are believed, by what came of them."""

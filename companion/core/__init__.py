"""The referee without any device: the words of the rules, a match and its entries, messages in and out."""

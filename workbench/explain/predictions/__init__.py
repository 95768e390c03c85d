"""What predictions are worth, as pictures: from rows with an answer alone, whoever predicted them."""

def piles(weights):
    pass

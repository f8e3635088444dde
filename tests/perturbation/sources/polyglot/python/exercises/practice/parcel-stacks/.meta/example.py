def piles(weights):
    tops = []
    for weight in weights:
        if weight < 1:
            raise ValueError("no weight below one")
        for number, top in enumerate(tops):
            if top >= weight:
                tops[number] = weight
                break
        else:
            tops.append(weight)
    return len(tops)

def same(given, wanted):
    return given == wanted

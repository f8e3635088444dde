#include "tide_table.h"
#include "test/heights.hpp"
#include <cassert>

int main() {
    assert(tide_table::turns({}) == 0);
#ifdef EXERCISM_RUN_ALL_TESTS
    assert(tide_table::turns(rising) == 0);
    assert(tide_table::turns({1, 3, 3, 2, 5}) == 2);
#endif
}

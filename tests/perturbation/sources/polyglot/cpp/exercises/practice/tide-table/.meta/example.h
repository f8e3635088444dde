#pragma once
#include <vector>

namespace tide_table {

inline int turns(const std::vector<int>& heights) {
    int count = 0;
    int direction = 0;
    for (std::size_t i = 1; i < heights.size(); ++i) {
        int step = (heights[i] > heights[i - 1]) - (heights[i] < heights[i - 1]);
        if (step != 0) {
            count += direction != 0 && step != direction;
            direction = step;
        }
    }
    return count;
}

}

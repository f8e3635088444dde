#pragma once
#include <vector>

const std::vector<int> rising{1, 2, 3};

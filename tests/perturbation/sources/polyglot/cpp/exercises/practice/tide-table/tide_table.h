#pragma once

namespace tide_table {

// write the function `turns` here

}

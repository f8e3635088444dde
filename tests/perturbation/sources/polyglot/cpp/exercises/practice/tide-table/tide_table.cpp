#include "tide_table.h"

namespace tide_table {

}

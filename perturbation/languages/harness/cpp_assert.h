// Stands before the system's assert.h: the same for a program, cases for its tests.
#ifdef AXIOM_CASES
#include <axiom_cases.hpp>
#else
#include_next <assert.h>
#endif

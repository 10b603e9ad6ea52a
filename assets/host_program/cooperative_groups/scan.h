// Scans of cooperative groups, which only device code calls.
#pragma once

#include "../cooperative_groups.h"

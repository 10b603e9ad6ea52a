// Tensor core fragments.
#pragma once

#include "../mma.h"

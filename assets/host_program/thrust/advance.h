// thrust::advance.
#pragma once

#include "distance.h"

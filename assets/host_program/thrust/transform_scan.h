// thrust::transform_inclusive_scan and transform_exclusive_scan.
#pragma once

#include "scan.h"

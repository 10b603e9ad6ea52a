// thrust::cuda::par.
#pragma once

#include "../../execution_policy.h"

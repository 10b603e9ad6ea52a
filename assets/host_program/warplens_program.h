// What the compiler includes before the host code of a .cu file: CUDA's words, its runtime and the C
// library's functions that CUDA's compiler knows without an include.
#pragma once

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "program/words.h"

#include "cuda_runtime.h"

// Tables of executors that work one lane at a time: nothing to gain from vector instructions.
#pragma once

#include "simt/functional/execute/executor_table.h"

namespace warplens::simt {

ExecutorRows divide_rows();
ExecutorRows rounding_rows();
ExecutorRows math_rows();
ExecutorRows half_rows();
ExecutorRows extremum_rows();

}  // namespace warplens::simt

// Tables of executors that work lane by lane, because vector instructions would not help.
#pragma once

#include "simt/functional/execute/executor_table.h"

namespace warplens::simt {

ExecutorRows divide_rows();
ExecutorRows rounding_rows();
ExecutorRows math_rows();
ExecutorRows half_rows();
ExecutorRows extremum_rows();

}  // namespace warplens::simt

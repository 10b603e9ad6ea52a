// Which rows a lane-wise instruction of machine code has: result, two predicate results, three sources, two
// predicates.
#pragma once

namespace warplens::simt {

enum LaneRow { lane_result, lane_p, lane_q, lane_a, lane_b, lane_c, lane_predicate, lane_predicate_2 };

}  // namespace warplens::simt

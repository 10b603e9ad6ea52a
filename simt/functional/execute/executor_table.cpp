#include "simt/functional/execute/executor_table.h"

#include <unordered_map>

#include "simt/functional/execute/lane_variant.h"
#include "simt/functional/execute/lanes/rows.h"
#include "simt/functional/execute/scalar_rows.h"

#ifdef WARPLENS_LANE_VARIANTS
#undef WARPLENS_LANES
#define WARPLENS_LANES lanes_avx2
#include "simt/functional/execute/lanes/variant_rows.h"
#undef WARPLENS_LANES
#define WARPLENS_LANES lanes_avx512
#include "simt/functional/execute/lanes/variant_rows.h"
#endif

namespace warplens::simt {

namespace {

using Table = std::unordered_map<std::string_view, const ExecutorRow*>;

void add(Table& table, ExecutorRows rows) {
    for (const ExecutorRow& row : rows) table.emplace(row.key, &row);
}

#define ADD_LANES(variant)                    \
    add(table, variant::integer_rows());      \
    add(table, variant::float_rows());        \
    add(table, variant::bitwise_rows());      \
    add(table, variant::compare_rows());      \
    add(table, variant::move_rows());         \
    add(table, variant::access_rows());       \
    add(table, variant::examination_rows());  \
    add(table, variant::machine_word_rows()); \
    add(table, variant::machine_sum_rows())

Table build() {
    Table table;
    add(table, divide_rows());
    add(table, rounding_rows());
    add(table, math_rows());
    add(table, half_rows());
    add(table, extremum_rows());
    switch (lane_variant()) {
#ifdef WARPLENS_LANE_VARIANTS
        case LaneVariant::avx512:
            ADD_LANES(lanes_avx512);
            break;
        case LaneVariant::avx2:
            ADD_LANES(lanes_avx2);
            break;
#endif
        default:
            ADD_LANES(lanes_baseline);
    }
    return table;
}

}  // namespace

const ExecutorRow* find_executor(std::string_view key) {
    static const Table table = build();
    auto found = table.find(key);
    return found == table.end() ? nullptr : found->second;
}

}  // namespace warplens::simt

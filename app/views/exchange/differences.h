// What differs between an exchange of two runs, lane by lane: who takes part, whom it receives from, its
// value.
#pragma once

#include <span>

#include "analysis/warps/collectives.h"
#include "app/views/exchange/exchange_values.h"

namespace warplens::app {

/// The lane takes part in one of the two only, or receives from another lane, in the band above the row (of
/// the first row: below it). A step that only one of the two has does not differ.
bool exchange_differs(std::span<const analysis::Collective> shown,
                      std::span<const analysis::Collective> other, std::size_t row, int lane);

/// The lane's value is another one in the other run. Unknown values do not differ.
bool exchange_value_differs(std::span<const ExchangeRow> values, std::span<const ExchangeRow> other,
                            std::size_t row, int lane);
/// Some known values are the same in both runs: of data that are all different, an outline around every cell
/// would say nothing.
bool some_exchange_value_stays(std::span<const ExchangeRow> values, std::span<const ExchangeRow> other);

}  // namespace warplens::app

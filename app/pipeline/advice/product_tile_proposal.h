// Product tile proposal: tiles in shared memory for a sum of products, `sum += a[row * n + k] * b[k * m +
// col]`, where every thread of a square block reads whole rows and columns from global memory: of a product
// of matrices, or of rows with rows, as of queries with keys.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/pipeline/advice/proposals.h"
#include "app/scene/scene.h"

namespace warplens::app {

/// `side`: threads of the block along x and along y. Empty: the kernel has no such loop, or does more.
std::vector<Edit> product_tile_edits(const std::string& source, std::string_view entry, std::uint64_t side);

/// For square blocks.
std::optional<Proposal> proposed_product_tiles(
    const std::shared_ptr<const instrumentation::KernelFile>& kernel,
    const std::map<std::string, std::string>& overrides, const Scene& now);

}  // namespace warplens::app

#include "app/pipeline/grid_times.h"

#include "app/pipeline/content_hash.h"
#include "app/pipeline/kernel_code.h"
#include "app/pipeline/pipeline.h"
#include "instrumentation/catalog/arguments.h"

namespace warplens::app {

namespace {

constexpr std::size_t most_grids = 1024;

std::string words_of(const Dim3& extents) {
    return fmt::format("{} {} {}\n", extents.x, extents.y, extents.z);
}

}  // namespace

std::string GridTimes::key_of(const LoadedLaunch& launch) {
    const instrumentation::PreparedLaunch& prepared = launch.prepared;
    if (!prepared.images.empty() || !launch.built) return {};
    std::vector<std::uint64_t> numbers;  // in place of addresses
    for (std::size_t i = 0; i < prepared.buffers.size(); ++i) numbers.push_back(i + 1);
    const auto arguments = instrumentation::lay_out_arguments(prepared, launch.program.parameters, numbers);
    if (!arguments) return {};
    std::string key = content_hash(launch.program.ptx) + content_hash(launch.program.entry) +
                      content_hash(launch.built->cubin) + content_hash(std::string(launch.gpu->name)) +
                      content_hash(arguments->data(), arguments->size()) +
                      fmt::format("{}\n", static_cast<int>(launch.level));
    for (const instrumentation::PreparedBuffer& buffer : prepared.buffers)
        key += content_hash(buffer.data.data(), buffer.data.size()) + (buffer.unwritten ? "u" : "");
    return content_hash(key);
}

Result<double> GridTimes::time_of(const std::string& key, const LaunchGeometry& geometry,
                                  const std::function<Result<double>()>& model) {
    const std::string grid = key + words_of(geometry.grid) + words_of(geometry.block) +
                             words_of(geometry.cluster) +
                             fmt::format("{} {}", geometry.dynamic_shared_bytes, geometry.cooperative);
    {
        const std::lock_guard lock(mutex_);
        if (const auto known = known_.find(grid); known != known_.end()) return known->second;
    }
    WARPLENS_TRY(const double us, model());
    const std::lock_guard lock(mutex_);
    if (known_.size() >= most_grids) known_.clear();
    return known_[grid] = us;
}

}  // namespace warplens::app

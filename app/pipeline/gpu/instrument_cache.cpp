#include "app/pipeline/gpu/instrument_cache.h"

#include <algorithm>

namespace warplens::app {

namespace instr = instrumentation;

namespace {

constexpr std::size_t most_forms = 256;
constexpr std::uint32_t short_shared = 64 * 1024;  // shared addresses up to here take 16 bits

void keep_which_are_one(Dim3& extents) {
    for (std::uint32_t* extent : {&extents.x, &extents.y, &extents.z}) *extent = std::min(*extent, 2u);
}

/// What the code is made for.
LaunchGeometry shape_of(const instr::KnownLaunch& known) {
    LaunchGeometry geometry = known.geometry;
    keep_which_are_one(geometry.grid);
    if (!known.exact_block) keep_which_are_one(geometry.block);
    geometry.dynamic_shared_bytes = 0;
    return geometry;
}

}  // namespace

Result<InstrumentCache::Form> InstrumentCache::get(const std::string& key, const ptx::Module& module,
                                                   const std::string& entry,
                                                   instr::InstrumentOptions options) {
    // Only whether it is short matters.
    options.shared_bytes = options.shared_bytes <= short_shared ? short_shared : 0xffffffffu;
    std::string form_key = fmt::format(
        "{}\n{}\n{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}", key, entry,
        static_cast<int>(options.mode), options.narrow, options.shared_bytes == short_shared,
        options.cold_in_place, options.max_registers, options.predict_whole, options.predict_bounds,
        options.log_words, options.log_bits, options.tally_bits, options.pass_bits, options.lane_units,
        options.value_words, options.replay, options.replay_loads, options.shown, options.leave_at_once);
    form_key += fmt::format(" {}", options.predict_parting);
    for (const BasicBlockId block : options.parting) form_key += fmt::format(" {}", block);
    if (options.launch) {
        instr::KnownLaunch& known = *options.launch;
        known.geometry = shape_of(known);
        form_key +=
            fmt::format(" {} {} {} {} {} {}", to_string(known.geometry.grid), to_string(known.geometry.block),
                        known.exact_block, known.selects_blocks, known.selects_sms, known.has_slabs);
    }
    {
        const std::lock_guard lock(mutex_);
        if (const auto found = forms_.find(form_key); found != forms_.end()) return found->second;
    }
    WARPLENS_TRY(auto made, instr::instrument(module, entry, options));
    auto form = std::make_shared<const instr::Instrumented>(std::move(made));
    const std::lock_guard lock(mutex_);
    if (forms_.size() >= most_forms) forms_.clear();
    return forms_.emplace(form_key, std::move(form)).first->second;
}

}  // namespace warplens::app

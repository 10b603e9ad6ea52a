#include "instrumentation/decode/warp_hash.h"

#include <utility>

namespace warplens::instrumentation {

HashTable::HashTable(const RecordingPlan& plan) : plan_(plan), taken_(plan.blocks.size()) {
    leaves_.assign(plan.blocks.size(), false);
    stays_.assign(plan.blocks.size() + 1, false);
    for (std::size_t b = 0; b < plan.blocks.size(); ++b)
        if (plan.blocks[b].lanes_leave) leaves_[b] = stays_[b + 1] = true;
    for (const AddressPlan& address : plan.addresses) {
        const bool kept = address.hashed && address.hashed_in < taken_.size();
        if (kept) taken_[address.hashed_in].push_back(keeps_);
        kept_.push_back(kept ? keeps_++ : no_index);
    }
}

void WarpHash::begin(const HashTable& table) {
    hashes_.fill(0);
    leaving_ = left_ = 0;
    kept_.resize(table.keeps_);
    for (auto& lanes : kept_) lanes.fill(0);
}

void WarpHash::visit(const HashTable& table, BasicBlockId block, LaneMask active) {
    if (block >= table.taken_.size()) return;
    if (table.stays_[block]) left_ |= std::exchange(leaving_, 0) & ~active.bits;
    if (table.leaves_[block]) leaving_ = active.bits;
    for (const std::uint32_t kept : table.taken_[block])
        for_each_lane(active, [&](int lane) {
            const auto i = static_cast<std::size_t>(lane);
            hashes_[i] = hash_step(hashes_[i], kept_[kept][i]);
        });
}

void WarpHash::access(const HashTable& table, std::uint32_t address, LaneMask executed,
                      const trace::Addresses& addresses) {
    const AddressPlan& plan = table.plan_.addresses[address];
    if (!plan.hashed) return;
    const std::uint32_t kept = table.kept_[address];
    for_each_lane(executed, [&](int lane) {
        const auto i = static_cast<std::size_t>(lane);
        const std::uint64_t base = hashed_base(plan, addresses[i]);
        if (kept != no_index) kept_[kept][i] = base;
        else hashes_[i] = hash_step(hashes_[i], base);
    });
}

std::uint32_t WarpHash::sum(LaneMask lanes) const {
    std::uint32_t sum = 0;
    for_each_lane({lanes.bits & ~left_}, [&](int lane) {
        sum += address_sum(hashes_[static_cast<std::size_t>(lane)], static_cast<std::uint32_t>(lane));
    });
    return sum;
}

}  // namespace warplens::instrumentation

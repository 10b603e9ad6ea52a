#include "analysis/memory/shared_requests.h"

namespace warplens::analysis {
namespace {

class BlockRequests : public trace::BlockObserver {
  public:
    void access(int, const trace::Access& access) override {
        if (access.space != Space::shared) return;
        SharedRequest request{access.site, access.operation, access.bytes_per_lane, access.mask, {}};
        for_each_lane(access.mask, [&](int lane) {
            const auto at = static_cast<std::size_t>(lane);
            request.offsets[at] = static_cast<std::uint32_t>((*access.addresses)[at]);
        });
        ++counts[request];
    }
    SharedRequests::Counts counts;
};

}  // namespace

std::size_t SharedRequestHash::operator()(const SharedRequest& request) const {
    std::uint64_t hash = request.site * std::uint64_t{0x9e3779b97f4a7c15} ^ request.mask.bits;
    for (const std::uint32_t offset : request.offsets)
        hash = (hash ^ offset) * std::uint64_t{0x100000001b3} + (hash >> 29);
    return hash ^ static_cast<std::size_t>(request.operation);
}

std::unique_ptr<trace::BlockObserver> SharedRequests::begin_block(std::uint64_t) {
    return std::make_unique<BlockRequests>();
}

void SharedRequests::finish(std::uint64_t, std::unique_ptr<trace::BlockObserver> observer) {
    for (const auto& [request, count] : static_cast<BlockRequests&>(*observer).counts) {
        if (const auto found = counts_.find(request); found != counts_.end()) found->second += count;
        else if (counts_.size() < most_kept) counts_.emplace(request, count);
        else left_out_ += count;
    }
}

}  // namespace warplens::analysis

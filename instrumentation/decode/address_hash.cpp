#include "instrumentation/decode/address_hash.h"

#include <algorithm>
#include <cstring>

namespace warplens::instrumentation {

class AddressHash::Block final : public trace::BlockObserver {
  public:
    Block(const AddressHash& owner, int warps) : owner_(owner), hashes_(static_cast<std::size_t>(warps)) {
        for (WarpHash& hash : hashes_) hash.begin(owner.table_);
    }

    void visit(int warp, BasicBlockId block, LaneMask active) override {
        hashes_[static_cast<std::size_t>(warp)].visit(owner_.table_, block, active);
    }

    void access(int warp, const trace::Access& access) override {
        const SiteHash& site = owner_.sites_[access.site];
        if (site.copies && access.space == Space::global) {
            // The device hashes the shared address first; the engine reports it second.
            source_ = *access.addresses;
            return;
        }
        take(warp, site, site.first, access, access.space, *access.addresses);
        if (site.copies) take(warp, site, site.second, access, Space::global, source_);
    }

    std::uint32_t sum(int warp) const {
        return hashes_[static_cast<std::size_t>(warp)].sum(owner_.geometry_.warp_lanes(warp));
    }

  private:
    void take(int warp, const SiteHash& site, std::uint32_t planned, const trace::Access& access, Space space,
              trace::Addresses addresses) {
        if (planned == no_index) return;
        for_each_lane(access.mask, [&](int lane) {
            std::uint64_t& address = addresses[static_cast<std::size_t>(lane)];
            address = owner_.on_device(site, space, address);
        });
        hashes_[static_cast<std::size_t>(warp)].access(owner_.table_, planned, access.mask, addresses);
    }

    const AddressHash& owner_;
    std::vector<WarpHash> hashes_;
    trace::Addresses source_{};
};

AddressHash::AddressHash(const RecordingPlan& plan, const Program& program, const LaunchGeometry& geometry,
                         const ReadBack& read)
    : geometry_(geometry), table_(plan), warps_(geometry.warps_per_block()), sites_(program.sites.size()) {
    for (std::uint32_t i = 0; i < plan.addresses.size(); ++i) {
        const AddressPlan& address = plan.addresses[i];
        if (address.site >= sites_.size() || !address.hashed) continue;
        SiteHash& site = sites_[address.site];
        (address.which == 0 ? site.first : site.second) = i;
        site.generic = program.sites[address.site].space == Space::none;
        site.copies = program.sites[address.site].opcode.starts_with("cp.async");
    }
    SpaceHead head;
    if (read.bytes.size() < head_bytes(plan.symbols.size())) return;
    std::memcpy(&head, read.bytes.data(), sizeof(head));
    shared_window_ = head.shared_window;
    local_window_ = head.local_window;
    for (std::size_t i = 0; i < plan.symbols.size() && i < read.symbol_bases.size(); ++i) {
        Range range;
        range.begin = read.symbol_bases[i];
        std::memcpy(&range.to, read.bytes.data() + sizeof(head) + 8 * i, sizeof(range.to));
        Space space = Space::local;
        for (const Variable& variable : program.variables)
            if (variable.name == plan.symbols[i]) space = variable.space;
        if (space == Space::shared) shared_.push_back(range);
        if (space == Space::local) local_.push_back(range);
        if (space == Space::constant) constant_.push_back(range);
    }
    for (std::vector<Range>* ranges : {&shared_, &local_, &constant_})
        std::sort(ranges->begin(), ranges->end(),
                  [](const Range& a, const Range& b) { return a.begin < b.begin; });
}

AddressHash::~AddressHash() = default;

std::uint64_t AddressHash::on_device(const SiteHash& site, Space space, std::uint64_t address) const {
    if (space != Space::shared && space != Space::local && space != Space::constant) return address;
    const std::vector<Range>& ranges = space == Space::shared  ? shared_
                                       : space == Space::local ? local_
                                                               : constant_;
    const Range* holds = nullptr;
    for (const Range& range : ranges) {
        if (range.begin > address) break;
        holds = &range;
    }
    if (holds) address = address - holds->begin + holds->to;
    if (site.generic) address += space == Space::shared ? shared_window_ : local_window_;
    return address;
}

std::unique_ptr<trace::BlockObserver> AddressHash::begin_block(std::uint64_t) {
    return std::make_unique<Block>(*this, warps_);
}

void AddressHash::finish(std::uint64_t linear_block, std::unique_ptr<trace::BlockObserver> observer) {
    auto* block = dynamic_cast<Block*>(observer.get());
    if (!block) return;
    blocks_.push_back(linear_block);
    for (int warp = 0; warp < warps_; ++warp) hashes_.push_back(block->sum(warp));
}

std::optional<AddressHash::Difference> AddressHash::first_difference(const Decoded& decoded) const {
    for (std::size_t i = 0; i < decoded.warps.size(); ++i) {
        const trace::MeasuredWarp& warp = decoded.warps[i];
        const auto differs = [&](std::string_view why) {
            return Difference{warp.block, warp.warp,
                              fmt::format("block {}, warp {}: {}", warp.block, warp.warp, why)};
        };
        const auto block = std::lower_bound(blocks_.begin(), blocks_.end(), warp.block);
        if (block == blocks_.end() || *block != warp.block || static_cast<int>(warp.warp) >= warps_)
            return differs("the CPU engine did not run it");
        if (i >= decoded.hashes.size()) return differs("the recording holds no hash of its addresses");
        const auto at = static_cast<std::size_t>(block - blocks_.begin()) * static_cast<std::size_t>(warps_);
        const std::uint32_t own = hashes_[at + warp.warp], theirs = decoded.hashes[i];
        if (own != theirs)
            return differs(
                fmt::format("its addresses hash to {:#010x} on the GPU, to {:#010x} in the CPU "
                            "engine: some address differs",
                            theirs, own));
    }
    return std::nullopt;
}

}  // namespace warplens::instrumentation

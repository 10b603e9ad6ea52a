#include "trace/agreement_warp.h"

#include <algorithm>
#include <tuple>

#include "core/cluster.h"
#include "trace/places.h"

namespace warplens::trace {

namespace {

constexpr Space compared_spaces[] = {Space::global, Space::local, Space::constant};

/// A read that polls for another thread's write.
bool awaits(const Site& site) {
    const auto has = [&](std::string_view word) { return site.opcode.find(word) != std::string::npos; };
    return has("mbarrier.try_wait") || has("mbarrier.test_wait") ||
           (site.operation == Operation::load && (has(".volatile") || has(".acquire") || has(".relaxed")));
}

}  // namespace

std::uint64_t address_of(const Trace& trace, const AccessRecord& access, int lane) {
    if (access.scattered) return addresses_of(trace, access)[static_cast<std::size_t>(lane)];
    return access.base +
           static_cast<std::uint64_t>(std::int64_t{access.stride} * (lane - access.mask.lowest()));
}

const AccessRecord* request_of(const Trace& trace, const OpenedWarp::Left& left, int lane, Space space) {
    for (std::uint32_t i = 0; i < left.records.access_count; ++i) {
        const AccessRecord& access = trace.accesses[left.records.access + i];
        if (access.space == space && access.mask.has(lane)) return &access;
    }
    return nullptr;
}

BufferPlaces::BufferPlaces(const Launch& launch, const Launch& other) : buffers_(launch.buffers) {
    std::vector<Buffer> shared;
    for (const Buffer& variable : launch.variables)
        if (std::ranges::find(other.variables, variable.name, &Buffer::name) != other.variables.end())
            shared.push_back(variable);
    std::ranges::sort(shared, {}, &Buffer::name);
    buffers_.insert(buffers_.end(), shared.begin(), shared.end());
}

BufferPlaces::Place BufferPlaces::of(std::uint64_t address) {
    const auto holds = [&](const Buffer& buffer) {
        return address >= buffer.base && address - buffer.base < buffer.bytes;
    };
    if (last_ < buffers_.size() && holds(buffers_[last_])) return {last_ + 1, address - buffers_[last_].base};
    const auto found = std::find_if(buffers_.begin(), buffers_.end(), holds);
    if (found == buffers_.end()) return {0, address};
    last_ = static_cast<std::size_t>(found - buffers_.begin());
    return {last_ + 1, address - found->base};
}

bool GlobalPlaces::same(std::uint64_t cpu, std::uint64_t gpu) {
    const BufferPlaces::Place a = cpu_.of(cpu), b = gpu_.of(gpu);
    if (a.buffer != 0 || b.buffer != 0) return a == b;
    if (!apart_) apart_ = gpu - cpu;
    return gpu - cpu == *apart_;
}

void OpenedWarp::open(const WarpRecord& warp, const RecordedSites& sites, const Overlooked& overlooked) {
    visits_.clear();
    begins_.clear();
    left_.clear();
    RecordCursor cursor(trace_, warp);
    for (std::uint64_t i = warp.visits_begin; i < warp.visits_end; ++i) {
        visits_.push_back(i);
        begins_.push_back(left_.size());
        for (const RecordedSites::Entry& entry : sites.of(trace_.visits[i].basic_block)) {
            const std::uint64_t before = cursor.mask();
            const SiteRecords records = cursor.next(entry, trace_.visits[i].active);
            left_.push_back({records, cursor.mask() != before});
        }
    }
    begins_.push_back(left_.size());
    masks_left_over_ = warp.masks_end - cursor.mask();
    accesses_left_over_ = warp.accesses_end - cursor.access();
    left_out_ = 0;
    if (overlooked.run)
        drop([&](std::size_t i) {
            const RunDependence::Sources sources = overlooked.run->basic_blocks[visit(i).basic_block];
            left_out_ |= sources;
            return sources != 0;
        });
    if (overlooked.waits) drop([&](std::size_t i) { return looks_again(i, sites); });
}

/// Whether the lanes of the visit repeat it because their condition is not yet met.
bool OpenedWarp::looks_again(std::size_t index, const RecordedSites& sites) const {
    std::size_t again = index + 1;
    while (again < size() && (visit(again).active & visit(index).active).empty()) ++again;
    if (again >= size() || visit(index) != visit(again)) return false;
    const BasicBlock& block = trace_.program.basic_blocks[visit(index).basic_block];
    bool waits = false;
    for (SiteId id = block.first_site; id < block.first_site + block.site_count; ++id) {
        const Site& site = trace_.program.sites[id];
        waits |= awaits(site);
        if (site.operation == Operation::store || site.operation == Operation::atomic) return false;
    }
    const auto now = left(index), next = left(again);
    for (std::size_t i = 0; i < now.size() && waits; ++i) {
        if (!sites.of(visit(index).basic_block)[i].memory) continue;
        waits = now[i].records.access_count == next[i].records.access_count;
        for (std::uint32_t k = 0; k < now[i].records.access_count && waits; ++k) {
            const AccessRecord& a = trace_.accesses[now[i].records.access + k];
            const AccessRecord& b = trace_.accesses[next[i].records.access + k];
            waits =
                a.mask == b.mask && a.space == b.space && addresses_of(trace_, a) == addresses_of(trace_, b);
        }
    }
    return waits;
}

template <class LeavesOut>
void OpenedWarp::drop(const LeavesOut& leaves_out) {
    std::vector<std::uint64_t> visits;
    std::vector<std::size_t> begins;
    std::vector<Left> kept;
    for (std::size_t i = 0; i < size(); ++i) {
        if (leaves_out(i)) continue;
        visits.push_back(visits_[i]);
        begins.push_back(kept.size());
        kept.insert(kept.end(), left(i).begin(), left(i).end());
    }
    begins.push_back(kept.size());
    visits_ = std::move(visits);
    begins_ = std::move(begins);
    left_ = std::move(kept);
}

WarpComparison::WarpComparison(const Trace& cpu, const Trace& gpu, const AgreementOptions& options,
                               GlobalPlaces& places)
    : options_(options), sites_(cpu.program), cpu_(cpu), gpu_(gpu), places_(places) {}

std::size_t WarpComparison::next_visit(const OpenedWarp& warp, std::size_t from, int lane) const {
    while (from < warp.size() && !warp.visit(from).active.has(lane)) ++from;
    return from;
}

bool WarpComparison::same_address(const AccessRecord* a, const AccessRecord* b, int lane) {
    if (!a || !b) return a == b;
    const std::uint64_t x = address_of(cpu_.trace(), *a, lane), y = address_of(gpu_.trace(), *b, lane);
    return a->space == Space::global ? places_.same(x, y) : x == y;
}

/// Rank and offset, for accesses to the block's own memory directly or through its cluster's window.
std::optional<std::uint64_t> WarpComparison::shared_address(const OpenedWarp& warp, const Left& left,
                                                            int lane) const {
    const LaunchGeometry& geometry = warp.trace().launch.geometry;
    if (const AccessRecord* own = request_of(warp.trace(), left, lane, Space::shared)) {
        const std::uint64_t rank = place_in_cluster(block_, geometry).rank;
        return rank << rank_shift | address_of(warp.trace(), *own, lane);
    }
    const AccessRecord* any = request_of(warp.trace(), left, lane, Space::shared_cluster);
    // Without clusters there is no such memory.
    if (!any || geometry.cluster.count() == 1) return std::nullopt;
    return address_of(warp.trace(), *any, lane);
}

std::optional<Divergence::Kind> WarpComparison::compare_mask(const RecordedSites::Entry& entry, const Left& a,
                                                             const Left& b, int lane) const {
    if (!a.masked && !b.masked) return std::nullopt;
    // A recording without addresses may also lack the masks of guards.
    if (a.masked != b.masked && !options_.addresses) return std::nullopt;
    if (a.masked == b.masked && a.records.executed.has(lane) == b.records.executed.has(lane) &&
        a.records.taken.has(lane) == b.records.taken.has(lane))
        return std::nullopt;
    return entry.branch ? Divergence::Kind::branch : Divergence::Kind::guard;
}

bool WarpComparison::same_addresses(const Left& a, const Left& b, int lane) {
    for (const Space space : compared_spaces)
        if (!same_address(request_of(cpu_.trace(), a, lane, space), request_of(gpu_.trace(), b, lane, space),
                          lane))
            return false;
    return shared_address(cpu_, a, lane) == shared_address(gpu_, b, lane);
}

/// The first lane in which one execution of a site differs; `masks` are the lanes whose masks are compared.
std::optional<Divergence::Kind> WarpComparison::compare_entry(const RecordedSites::Entry& entry,
                                                              const Left& a, const Left& b, LaneMask masks,
                                                              LaneMask lanes, int& lane) {
    for (std::uint32_t rest = masks.bits; rest != 0; rest &= rest - 1) {
        lane = std::countr_zero(rest);
        if (const auto kind = compare_mask(entry, a, b, lane)) return kind;
    }
    if (!options_.addresses || !entry.memory) return std::nullopt;
    // A GPU's records have no addresses of matrix fragments: only the base is in a register.
    const Site& site = cpu_.trace().program.sites[entry.site];
    if (b.records.access_count == 0 && site.opcode.starts_with("wmma.")) return std::nullopt;
    for (std::uint32_t rest = lanes.bits; rest != 0; rest &= rest - 1) {
        lane = std::countr_zero(rest);
        if (!same_addresses(a, b, lane)) return Divergence::Kind::address;
    }
    return std::nullopt;
}

std::optional<WarpComparison::Difference> WarpComparison::compare_visits(std::size_t cpu_visit,
                                                                         std::size_t gpu_visit,
                                                                         LaneMask lanes) {
    const auto entries = sites_.of(cpu_.visit(cpu_visit).basic_block);
    const auto a = cpu_.left(cpu_visit), b = gpu_.left(gpu_visit);
    // Lanes that are inactive in a whole visit are also inactive in its masks.
    const bool whole = lanes == cpu_.visit(cpu_visit).active && lanes == gpu_.visit(gpu_visit).active;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        int lane = 0;
        const auto kind = compare_entry(entries[i], a[i], b[i], whole ? LaneMask::all() : lanes, lanes, lane);
        if (!kind) continue;
        const RunDependence::SiteDependence depends =
            overlooked_.run ? overlooked_.run->sites[entries[i].site] : RunDependence::SiteDependence{};
        const RunDependence::Sources sources =
            depends.lanes | (*kind == Divergence::Kind::address ? depends.address : 0);
        if (sources == 0) return Difference{*kind, cpu_visit, i, lane, gpu_visit};
        left_out_ |= sources;
    }
    return std::nullopt;
}

/// Compares one lane from two of the visits on, independently of the other lanes.
std::optional<WarpComparison::Difference> WarpComparison::compare_alone(int lane, std::size_t a,
                                                                        std::size_t b,
                                                                        std::size_t not_after) {
    for (;; ++a, ++b) {
        a = next_visit(cpu_, a, lane);
        b = next_visit(gpu_, b, lane);
        if (a > not_after || (a == cpu_.size() && b == gpu_.size())) return std::nullopt;
        if (a == cpu_.size() || b == gpu_.size() || cpu_.visit(a).basic_block != gpu_.visit(b).basic_block)
            return Difference{Divergence::Kind::path, a, 0, lane, b};
        if (const auto difference = compare_visits(a, b, LaneMask{1u << lane})) return difference;
    }
}

std::optional<Divergence::Kind> WarpComparison::compare(const WarpRecord& cpu, const WarpRecord& gpu,
                                                        const Overlooked& overlooked,
                                                        std::uint64_t& records) {
    overlooked_ = overlooked;
    left_out_ = 0;
    block_ = cpu.block;
    warp_ = cpu.warp;
    cpu_.open(cpu, sites_, overlooked);
    gpu_.open(gpu, sites_, overlooked);
    std::array<std::size_t, warp_size> heads{};
    std::optional<Difference> other_mask;
    std::size_t matched = 0;
    for (std::size_t visit = 0; visit < cpu_.size() && !other_mask; ++visit) {
        const LaneMask lanes = cpu_.visit(visit).active;
        std::size_t head = gpu_.size();
        for (std::uint32_t rest = lanes.bits; rest != 0 && !other_mask; rest &= rest - 1) {
            const int lane = std::countr_zero(rest);
            std::size_t& at = heads[static_cast<std::size_t>(lane)];
            at = next_visit(gpu_, at, lane);
            if (lane == lanes.lowest()) head = at;
            if (at == gpu_.size() || at != head || gpu_.visit(at).active != lanes ||
                gpu_.visit(at).basic_block != cpu_.visit(visit).basic_block)
                other_mask = Difference{Divergence::Kind::mask, visit, 0, lane, at};
        }
        if (other_mask || lanes.empty()) continue;
        for_each_lane(lanes, [&](int lane) { ++heads[static_cast<std::size_t>(lane)]; });
        if (const auto difference = compare_visits(visit, head, lanes)) return keep(*difference);
        ++matched;
        ++records;
        for (const Left& left : cpu_.left(visit))
            records += left.masked + (options_.addresses ? left.records.access_count : 0);
    }
    if (!other_mask && matched == gpu_.size()) return compare_left_over();
    // The earliest difference of any lane; if there is none, only the sets of lanes differ.
    std::optional<Difference> first;
    const std::size_t from = other_mask ? other_mask->visit : cpu_.size();
    for (int lane = 0; lane < warp_size; ++lane) {
        const std::size_t head = heads[static_cast<std::size_t>(lane)];
        const auto difference = compare_alone(lane, from, head, first ? first->visit : cpu_.size());
        if (difference && (!first || difference->order() < first->order())) first = difference;
    }
    if (!first) first = other_mask;
    if (!first) return compare_left_over();
    return keep(*first);
}

std::optional<Divergence::Kind> WarpComparison::keep(const Difference& difference) {
    kept_ = difference;
    return difference.kind;
}

std::optional<Divergence::Kind> WarpComparison::compare_left_over() {
    kept_.reset();
    if (cpu_.masks_left_over() != gpu_.masks_left_over()) return Divergence::Kind::guard;
    if (options_.addresses && cpu_.accesses_left_over() != gpu_.accesses_left_over())
        return Divergence::Kind::address;
    return std::nullopt;
}

}  // namespace warplens::trace

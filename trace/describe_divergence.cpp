// Where two traces differ first, as a sentence.
#include <fmt/format.h>

#include "trace/agreement_warp.h"
#include "trace/places.h"

namespace warplens::trace {

namespace {

constexpr Space named_spaces[] = {Space::global, Space::shared, Space::shared_cluster, Space::local,
                                  Space::constant};

/// "lanes 0 to 15 and 17"
std::string words(LaneMask mask) {
    std::vector<std::string> runs;
    for (int lane = 0; lane < warp_size; ++lane) {
        if (!mask.has(lane)) continue;
        const int begin = lane;
        while (lane + 1 < warp_size && mask.has(lane + 1)) ++lane;
        runs.push_back(begin == lane ? fmt::format("{}", begin) : fmt::format("{} to {}", begin, lane));
    }
    constexpr std::size_t most = 4;
    if (runs.size() > most) return fmt::format("{} lanes (0x{:08x})", mask.count(), mask.bits);
    std::string out = mask.count() == 1 ? "lane " : "lanes ";
    for (std::size_t i = 0; i < runs.size(); ++i)
        out += (i == 0 ? "" : i + 1 == runs.size() ? " and " : ", ") + runs[i];
    return out;
}

}  // namespace

std::string words(const Program& program, SiteId id) {
    const Site& site = program.sites[id];
    if (site.line > 0 && site.file < program.sources.size())
        return fmt::format("{} ({}:{})", site.opcode, program.sources[site.file].name, site.line);
    return site.ptx_line > 0 ? fmt::format("{} (PTX line {})", site.opcode, site.ptx_line)
                             : fmt::format("{} (site {})", site.opcode, id);
}

Divergence WarpComparison::left_over() const {
    const bool masks = cpu_.masks_left_over() != gpu_.masks_left_over();
    Divergence made;
    made.kind = masks ? Divergence::Kind::guard : Divergence::Kind::address;
    made.block = block_;
    made.warp = warp_;
    made.visit = cpu_.size();
    made.sentence = fmt::format(
        "block {}, warp {}: in the GPU's trace {} of its {} belong to no instruction that it executed, in "
        "the "
        "CPU engine's {}",
        block_, warp_, masks ? gpu_.masks_left_over() : gpu_.accesses_left_over(),
        masks ? "masks" : "accesses", masks ? cpu_.masks_left_over() : cpu_.accesses_left_over());
    return made;
}

std::string WarpComparison::where_lane_goes(const OpenedWarp& warp, std::size_t visit) const {
    if (visit >= warp.size()) return "had ended";
    const Program& program = cpu_.trace().program;
    const BasicBlock& block = program.basic_blocks[warp.visit(visit).basic_block];
    if (block.site_count == 0) return fmt::format("went on in basic block {}", warp.visit(visit).basic_block);
    return fmt::format("went on at {}", words(program, block.first_site));
}

std::string WarpComparison::address_words(const OpenedWarp& warp, const Left& left, const Site& site,
                                          int lane) const {
    std::string out;
    for (const Space space : named_spaces) {
        const AccessRecord* access = request_of(warp.trace(), left, lane, space);
        if (!access) continue;
        out += (out.empty() ? "" : " and ") + describe_address(warp.trace(), space,
                                                               address_of(warp.trace(), *access, lane),
                                                               site.bytes_per_lane);
    }
    return out.empty() ? "nothing" : out;
}

Divergence WarpComparison::divergence() const {
    if (!kept_) return left_over();
    const Difference& difference = *kept_;
    const Program& program = cpu_.trace().program;
    Divergence made;
    made.kind = difference.kind;
    made.block = block_;
    made.warp = warp_;
    made.lane = difference.lane;
    made.visit = difference.visit;
    const bool ended = difference.visit >= cpu_.size();
    const BasicBlockId block =
        ended ? gpu_.visit(difference.gpu_visit).basic_block : cpu_.visit(difference.visit).basic_block;
    made.site = program.basic_blocks[block].first_site;
    const std::string who = fmt::format("block {}, warp {}, lane {}", block_, warp_, difference.lane);
    if (difference.kind == Divergence::Kind::path) {
        made.sentence =
            fmt::format("{}: the GPU {}, the CPU engine {}", who, where_lane_goes(gpu_, difference.gpu_visit),
                        where_lane_goes(cpu_, difference.visit));
        return made;
    }
    if (difference.kind == Divergence::Kind::mask) {
        made.sentence = fmt::format(
            "{}: the GPU ran {} with {} on, the CPU engine with {}; every lane did the same in both", who,
            words(program, made.site), words(gpu_.visit(difference.gpu_visit).active),
            words(cpu_.visit(difference.visit).active));
        return made;
    }
    made.site = sites_.of(block)[difference.entry].site;
    const Site& site = program.sites[made.site];
    const Left& cpu = cpu_.left(difference.visit)[difference.entry];
    const Left& gpu = gpu_.left(difference.gpu_visit)[difference.entry];
    const auto did = [&](const Left& left) -> std::string {
        switch (difference.kind) {
            case Divergence::Kind::branch:
                return !left.masked                              ? "did not record it"
                       : left.records.taken.has(difference.lane) ? "took it"
                                                                 : "did not";
            case Divergence::Kind::guard:
                return !left.masked && left.records.executed.has(difference.lane) ? "recorded no guard"
                       : left.records.executed.has(difference.lane)               ? "executed it"
                                                                                  : "did not";
            default:
                return {};
        }
    };
    if (difference.kind == Divergence::Kind::address)
        made.sentence = fmt::format(
            "{}: in {} the GPU accessed {}, the CPU engine {}", who, words(program, made.site),
            address_words(gpu_, gpu, site, difference.lane), address_words(cpu_, cpu, site, difference.lane));
    else
        made.sentence = fmt::format("{}: of {} the GPU {}, the CPU engine {}", who, words(program, made.site),
                                    did(gpu), did(cpu));
    return made;
}

}  // namespace warplens::trace

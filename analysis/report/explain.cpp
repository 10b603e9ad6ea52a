#include "analysis/report/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <set>

#include "analysis/memory/banks.h"
#include "analysis/memory/coalescing.h"
#include "analysis/memory/stored_request.h"
#include "analysis/wording.h"
#include "core/image_words.h"
#include "core/line_of_site.h"

namespace warplens::analysis {
namespace {

std::string operation_name(const Site& site, Space space, Operation operation) {
    std::string name(to_string(operation));
    name[0] = static_cast<char>(name[0] - 'a' + 'A');
    if (site.opcode.starts_with("cp.async"))
        name = operation == Operation::load ? "Copy's load" : "Copy's store";
    const char* way = operation == Operation::store ? "to" : operation == Operation::atomic ? "on" : "from";
    if (is_image(space)) return fmt::format("{} {} a {}", name, way, to_string(space));
    return fmt::format("{} {} {} memory", name, way, to_string(space));
}

/// "line 14, `tile[y][x] = in[i]`", so that the reader need not look it up.
std::string place(const Program& program, const Site& site) {
    if (site.line == 0) return line_of(site);
    std::string out = fmt::format("line {}", site.line);
    if (site.file >= program.sources.size()) return out;
    std::string_view text = program.sources[site.file].text;
    for (std::uint32_t line = 1; line < site.line && !text.empty(); ++line) {
        const std::size_t end = text.find('\n');
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    }
    text = text.substr(0, text.find_first_of("\r\n"));
    text = text.substr(0, text.find("//"));
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return out;
    const std::size_t last = text.find_last_not_of(" \t;{");
    if (last == std::string_view::npos || last < first) return out;
    text = text.substr(first, last - first + 1);
    constexpr std::size_t longest = 80;
    if (text.size() > longest) return fmt::format("{}, `{}…`", out, text.substr(0, longest - 1));
    return fmt::format("{}, `{}`", out, text);
}

/// The constant distance between all neighbouring active lanes, in bytes.
std::optional<std::int64_t> lane_distance(const StoredRequest& request) {
    std::optional<std::int64_t> distance;
    for (int lane = 1; lane < warp_size; ++lane) {
        if (!request.record.mask.has(lane) || !request.record.mask.has(lane - 1)) continue;
        const auto step = static_cast<std::int64_t>(request.addresses[static_cast<std::size_t>(lane)] -
                                                    request.addresses[static_cast<std::size_t>(lane - 1)]);
        if (distance && *distance != step) return std::nullopt;
        distance = step;
    }
    return distance;
}

/// Rows of lanes at a constant distance, with jumps between the rows: the pattern of a block narrower than a
/// warp.
struct LaneRows {
    int rows = 1;
    std::int64_t distance = 0;  // bytes between neighbouring lanes of a row
};

std::optional<LaneRows> lane_rows(const StoredRequest& request) {
    constexpr int shortest = 4;  // lanes; shorter rows are not a recognisable pattern
    if (!request.record.mask.full()) return std::nullopt;
    const auto address = [&](int lane) {
        return static_cast<std::int64_t>(request.addresses[static_cast<std::size_t>(lane)]);
    };
    for (int width = warp_size / 2; width >= shortest; width /= 2) {
        const std::int64_t distance = address(1) - address(0);
        bool regular = true;
        for (int lane = 1; lane < warp_size && regular; ++lane)
            regular = lane % width == 0 || address(lane) - address(lane - 1) == distance;
        if (regular) return LaneRows{warp_size / width, distance};
    }
    return std::nullopt;
}

/// Whether the active lanes are where a dense row of all 32 lanes would have them.
bool gaps_are_lanes_off(const StoredRequest& request) {
    const LaneMask mask = request.record.mask;
    if (mask.full() || mask.empty()) return false;
    const int first = mask.lowest();
    bool dense = true;
    for_each_lane(mask, [&](int lane) {
        dense = dense && request.addresses[static_cast<std::size_t>(lane)] ==
                             request.addresses[static_cast<std::size_t>(first)] +
                                 static_cast<std::uint64_t>(lane - first) * request.bytes_per_lane;
    });
    return dense;
}

/// "; the other 23 lanes are off", or empty.
std::string lanes_off(LaneMask mask) {
    if (mask.full()) return {};
    return fmt::format("; the other {} off", warp_size - mask.count() == 1
                                                 ? "lane is"
                                                 : fmt::format("{} lanes are", warp_size - mask.count()));
}

/// How the distance of neighbouring lanes maps them to banks; empty if the distance is not constant.
std::string way_round_banks(const StoredRequest& request, bool conflict) {
    const auto distance = lane_distance(request);
    if (!distance || *distance % bank_bytes != 0) return {};
    const std::int64_t step = (*distance / bank_bytes % bank_count + bank_count) % bank_count;
    const std::int64_t repeats = bank_count / std::gcd(step, std::int64_t{bank_count});
    const std::int64_t apart = std::abs(*distance);
    if (!conflict) {
        if (apart <= bank_bytes || repeats != bank_count) return {};
        return fmt::format(
            "Neighbouring lanes are {} bytes apart, {} further round the 32, so no two lanes share a bank.",
            apart, counted(static_cast<std::uint64_t>(step), "bank"));
    }
    if (step == 0)
        return fmt::format(
            " Neighbouring lanes are {} bytes apart: {} of the 32 banks, back to the same one.",
            grouped(static_cast<std::uint64_t>(apart)),
            counted(static_cast<std::uint64_t>(apart / (bank_bytes * bank_count)), "full round"));
    return fmt::format(
        " Neighbouring lanes are {} bytes apart, {} further round the 32: after {} the banks "
        "repeat.",
        apart, counted(static_cast<std::uint64_t>(step), "bank"),
        counted(static_cast<std::uint64_t>(repeats), "lane"));
}

std::string why_wavefronts(const BankDetail& detail) {
    if (detail.groups.size() > 1)
        return fmt::format(
            "A bank delivers one word per wavefront. The request is processed in {} parts, one after the "
            "other, "
            "and their busiest banks must deliver {} words in all.",
            detail.groups.size(), detail.count.wavefronts);
    return fmt::format("A bank delivers one word per wavefront, and the busiest must deliver {}.",
                       detail.count.wavefronts);
}

Explanation explain_banks(const StoredRequest& request) {
    Explanation out;
    const BankDetail detail = detail_banks(request.access());
    const auto words =
        static_cast<std::uint64_t>(std::accumulate(detail.words.begin(), detail.words.end(), 0u));
    const auto banks = static_cast<std::uint64_t>(std::count_if(
        detail.words.begin(), detail.words.end(), [](std::uint32_t count) { return count > 0; }));
    const auto lanes = static_cast<std::uint64_t>(request.record.mask.count());
    out.is_costly = detail.count.wavefronts > detail.count.ideal_wavefronts;
    const std::string asked =
        fmt::format("{} {} {} in {}", counted(lanes, "lane"), lanes == 1 ? "requests" : "request",
                    counted(words, "word"), counted(banks, "bank"));
    const std::string off = lanes_off(request.record.mask);
    if (out.is_costly) {
        out.what =
            fmt::format("{}, which takes {} (ideal {}){}.", asked,
                        counted(detail.count.wavefronts, "wavefront"), detail.count.ideal_wavefronts, off);
        out.why = why_wavefronts(detail) + way_round_banks(request, true);
    } else {
        const bool broadcast = words < lanes * std::max(1u, request.bytes_per_lane / bank_bytes);
        out.what = fmt::format("{}: {}, {}{}.", asked, counted(detail.count.wavefronts, "wavefront"),
                               broadcast ? "lanes that read the same word share it" : "no conflict", off);
        out.why = way_round_banks(request, false);
    }
    return out;
}

Explanation explain_sectors(const StoredRequest& request) {
    Explanation out;
    const trace::Access access = request.access();
    const SectorCount count =
        request.record.space == Space::local ? count_local_sectors(access) : count_sectors(access);
    out.is_costly = count.sectors > count.ideal_sectors;
    const auto lanes = static_cast<std::uint64_t>(request.record.mask.count());
    const std::string touched =
        fmt::format("{} {} {}", counted(lanes, "lane"), lanes == 1 ? "touches" : "touch",
                    counted(count.sectors, "sector"));
    const std::string off = lanes_off(request.record.mask);
    if (out.is_costly) {
        out.what = fmt::format("{} (ideal {}){}.", touched, count.ideal_sectors, off);
        const auto distance = lane_distance(request);
        if (distance && *distance == static_cast<std::int64_t>(request.bytes_per_lane))
            out.why = fmt::format(
                "The first lane begins {} bytes into a sector, so the {} bytes reach into one more.",
                request.addresses[static_cast<std::size_t>(request.record.mask.lowest())] % sector_bytes,
                count.used_bytes);
        else if (distance)
            out.why =
                std::abs(*distance) >= static_cast<std::int64_t>(sector_bytes)
                    ? fmt::format(
                          "Neighbouring lanes are {} bytes apart, so each needs its own sector of {} bytes.",
                          std::abs(*distance), sector_bytes)
                    : fmt::format(
                          "Neighbouring lanes are {} bytes apart, and memory is accessed in sectors of {}.",
                          std::abs(*distance), sector_bytes);
        else if (const auto rows = lane_rows(request)) {
            const auto apart = static_cast<std::uint64_t>(std::abs(rows->distance));
            if (apart == 0)
                out.why = fmt::format(
                    "The lanes form {} rows, each at a separate address, and memory is accessed in sectors "
                    "of "
                    "{} "
                    "bytes.",
                    rows->rows, sector_bytes);
            else if (apart >= sector_bytes)
                out.why = fmt::format(
                    "The lanes form {} rows; within one, neighbours are {} bytes apart, and memory is "
                    "accessed in sectors of {}.",
                    rows->rows, grouped(apart), sector_bytes);
            else {
                out.why = fmt::format(
                    "The lanes form {} rows; within one, neighbours are {} bytes apart. Memory is accessed "
                    "in sectors of {} bytes, which a row may not fill.",
                    rows->rows, apart, sector_bytes);
            }
        } else if (gaps_are_lanes_off(request))
            out.why = fmt::format(
                "The lanes that are off leave gaps, but memory is accessed in whole sectors of {} bytes.",
                sector_bytes);
        else
            out.why = fmt::format(
                "The lanes' addresses are scattered, and memory is accessed in sectors of {} bytes.",
                sector_bytes);
    } else {
        const bool shared = count.used_bytes < lanes * request.bytes_per_lane;
        out.what = fmt::format("{}, the fewest their {} fit in{}.", touched,
                               counted(count.used_bytes, shared ? "different byte" : "byte"), off);
    }
    if (access.operation == Operation::atomic) {
        const AtomicRounds rounds = count_atomic_rounds(access);
        if (rounds.rounds > 1) {
            out.is_costly = true;
            out.why = fmt::format("Up to {} lanes update one address and are serialized: {} sectors in all.",
                                  rounds.rounds, rounds.sectors);
        }
    }
    if (const std::uint64_t moved = std::uint64_t{count.sectors} * sector_bytes; count.used_bytes < moved)
        out.detail = fmt::format("{} of {} bytes moved are used: {} %", grouped(count.used_bytes),
                                 grouped(moved), rounded(100.0 * double(count.used_bytes) / double(moved)));
    return out;
}

Explanation explain_constant(const StoredRequest& request) {
    Explanation out;
    const WavefrontCount count = count_constant_wavefronts(request.access());
    out.is_costly = count.wavefronts > 1;
    out.what =
        fmt::format("{} read {} of constant memory: {}.",
                    counted(static_cast<std::uint64_t>(request.record.mask.count()), "lane"),
                    counted(count.wavefronts, "distinct word"), counted(count.wavefronts, "wavefront"));
    if (count.wavefronts > 1) {
        out.what = fmt::format("{} read {} distinct words of constant memory, one wavefront each.",
                               counted(static_cast<std::uint64_t>(request.record.mask.count()), "lane"),
                               count.wavefronts);
        out.why = "Constant memory delivers one word per wavefront, to all lanes that read it.";
    }
    return out;
}

constexpr const char* no_sectors_of_images =
    "The memory layout of textures and surfaces is not known, so their sectors are not counted.";

Explanation explain_image(const StoredRequest& request) {
    std::set<std::uint64_t> places;
    for_each_lane(request.record.mask,
                  [&](int lane) { places.insert(request.addresses[static_cast<std::size_t>(lane)]); });
    Explanation out;
    out.what =
        fmt::format("{} at {}{}.", counted(static_cast<std::uint64_t>(request.record.mask.count()), "lane"),
                    counted(places.size(), places.size() == 1 ? "texel" : "different texel"),
                    lanes_off(request.record.mask));
    out.why = no_sectors_of_images;
    return out;
}

Explanation explain_cluster(const StoredRequest& request) {
    std::set<std::uint64_t> words;
    for_each_lane(request.record.mask, [&](int lane) {
        words.insert(request.addresses[static_cast<std::size_t>(lane)] / bank_bytes);
    });
    Explanation out;
    out.what = fmt::format("{} at {} of the cluster's shared memory{}.",
                           counted(static_cast<std::uint64_t>(request.record.mask.count()), "lane"),
                           counted(words.size(), words.size() == 1 ? "word" : "different word"),
                           lanes_off(request.record.mask));
    out.why =
        "How the network between SMs divides a request is not known, so its wavefronts are not counted.";
    return out;
}

Explanation explain_branch(const SiteReport& site, const std::string& where) {
    Explanation out;
    out.is_costly = site.branches_divergent > 0;
    if (!out.is_costly) {
        out.what =
            fmt::format("Branch on {}: {} diverged.", where,
                        site.branches == 1 ? std::string("its one execution has not")
                                           : fmt::format("none of {} executions", grouped(site.branches)));
        out.why = "The lanes of each warp agree, so a warp takes one path only.";
        return out;
    }
    out.what = fmt::format("Branch on {}: {} of {} executions diverged.", where,
                           grouped(site.branches_divergent), grouped(site.branches));
    out.why =
        "A divergent warp executes the two paths one after another, each with only some of its lanes "
        "active.";
    if (site.mean_active_lanes() < warp_size)
        out.why +=
            fmt::format(" On average {} of 32 lanes reach this branch.", rounded(site.mean_active_lanes()));
    return out;
}

/// A note on a site without problems.
std::string note_of(const LaunchReport& report, SiteId site) {
    const auto note = std::ranges::find(report.notes, site, &Problem::site);
    return note == report.notes.end() ? std::string() : note->message + ".";
}

}  // namespace

Explanation explain_access(const trace::Trace& trace, std::uint64_t access) {
    if (access >= trace.accesses.size()) return {};
    const StoredRequest request(trace, access);
    const Site& site = trace.program.sites[request.record.site];
    Explanation out;
    if (request.record.space == Space::shared) out = explain_banks(request);
    else if (request.record.space == Space::constant) out = explain_constant(request);
    else if (request.record.space == Space::shared_cluster) out = explain_cluster(request);
    else if (is_image(request.record.space)) out = explain_image(request);
    else out = explain_sectors(request);
    out.what = fmt::format("{}, {}: {}", operation_name(site, request.record.space, request.operation),
                           place(trace.program, site), out.what);
    return out;
}

Explanation explain_site(const LaunchReport& report, const Program& program, SiteId id) {
    if (id >= report.sites.size()) return {};
    const SiteReport& site = report.sites[id];
    const Site& about = program.sites[id];
    const std::string where = place(program, about);
    if (site.branches > 0) return explain_branch(site, where);

    Explanation out;
    const AccessTotals& access = site.access;
    if (access.requests == 0) {
        out.is_costly = site.steps > 0 && site.active_lanes < site.steps * warp_size;
        out.what = fmt::format("{} on {}: {}, on average with {} of 32 lanes.", about.opcode, where,
                               counted(site.steps, "step"), rounded(site.mean_active_lanes()));
        out.why = note_of(report, id);
        return out;
    }
    const Space space = about.space != Space::none ? about.space : site.space;
    const std::string head = fmt::format(
        "{}, {}: {}", space == Space::none ? about.opcode : operation_name(about, space, about.operation),
        where, counted(access.requests, "request"));
    std::string cost;
    if (access.sectors > 0)
        cost = fmt::format(", {} sectors each on average (ideal {})", ratio(access.sectors, access.requests),
                           ratio(access.ideal_sectors, access.requests));
    if (access.wavefronts > 0)
        cost += fmt::format(", {} wavefronts each on average (ideal {})",
                            ratio(access.wavefronts, access.requests),
                            ratio(access.ideal_wavefronts, access.requests));
    out.what = head + cost + ".";
    if (is_image(space)) out.why = no_sectors_of_images;
    if (access.most_lanes_per_address > 1) {
        out.is_costly = true;
        out.why = fmt::format("Up to {} lanes of a request update one address and are serialized.",
                              access.most_lanes_per_address);
    }
    if (access.wavefronts > access.ideal_wavefronts) {
        out.is_costly = true;
        out.why = fmt::format("{} delivers one word per wavefront; the worst request is {}-way.",
                              space == Space::constant ? "Constant memory" : "A bank",
                              rounded(access.conflict_ways()));
    }
    if (access.sectors > access.ideal_sectors) {
        out.is_costly = true;
        out.why =
            fmt::format("Of the bytes moved {} % are used.",
                        rounded(100.0 * double(access.used_bytes) / double(access.sectors * sector_bytes)));
    }
    return out;
}

}  // namespace warplens::analysis

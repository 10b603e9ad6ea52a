#include "analysis/warps/collectives.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "trace/exchange.h"
#include "trace/query.h"

namespace warplens::analysis {

namespace {

/// As PTX writes it: "shfl.bfly" of the machine's SHFL.BFLY.
std::string name_of(const Site& site) {
    std::string name = site.opcode;
    std::ranges::transform(name, name.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return name;
}

/// The machine's vote has both results and drops one: "VOTE.ANY R5, PT, P0" is a ballot, "VOTE.ANY P0, P1" is
/// none.
bool is_machine_ballot(const Site& site) {
    const auto at = site.text.find("VOTE");
    if (at == std::string::npos) return false;
    const std::string_view operands = std::string_view(site.text).substr(site.text.find(' ', at) + 1);
    return (operands.starts_with("R") && !operands.starts_with("RZ")) ||
           (operands.starts_with("UR") && !operands.starts_with("URZ"));
}

std::optional<CollectiveKind> kind_of(const Site& site) {
    const std::string name = name_of(site);
    if (name.starts_with("shfl")) {
        if (has_modifier(site, "up")) return CollectiveKind::shuffle_up;
        if (has_modifier(site, "down")) return CollectiveKind::shuffle_down;
        return has_modifier(site, "bfly") ? CollectiveKind::shuffle_butterfly : CollectiveKind::shuffle_index;
    }
    if (name.starts_with("vote"))
        return has_modifier(site, "ballot") || is_machine_ballot(site) ? CollectiveKind::ballot
                                                                       : CollectiveKind::vote;
    if (name.starts_with("match")) return CollectiveKind::match;
    if (name.starts_with("redux")) return CollectiveKind::reduce;
    return std::nullopt;
}

/// The lane that a lane would read, by the rule of the kind.
int wanted(CollectiveKind kind, int lane, int distance) {
    switch (kind) {
        case CollectiveKind::shuffle_up:
            return lane - distance;
        case CollectiveKind::shuffle_down:
            return lane + distance;
        case CollectiveKind::shuffle_butterfly:
            return lane ^ distance;
        default:
            return distance;
    }
}

bool in_segment(int lane, int other, int width) {
    return other >= 0 && other < warp_size && lane / width == other / width;
}

/// Whether the rule explains the value of every lane.
bool explains(const Collective& c, int distance, int width) {
    bool all = true;
    for_each_lane(c.mask, [&](int lane) {
        const int other = c.kind == CollectiveKind::shuffle_index ? lane / width * width + distance
                                                                  : wanted(c.kind, lane, distance);
        const int expected = in_segment(lane, other, width) ? other : lane;
        all = all && c.lanes[static_cast<std::size_t>(lane)] == expected;
    });
    return all;
}

/// Finds the widest segments and the smallest distance that explain the shuffle.
void find_rule(Collective& c) {
    for (int width = warp_size; width >= 2; width /= 2)
        for (int distance = 0; distance < width; ++distance) {
            if (!explains(c, distance, width)) continue;
            c.distance = distance;
            c.width = width;
            return;
        }
}

}  // namespace

bool has_modifier(const Site& site, std::string_view modifier) {
    const std::string name = name_of(site);
    for (std::size_t at = name.find('.'); at != std::string::npos; at = name.find('.', at + 1)) {
        const std::string_view rest = std::string_view(name).substr(at + 1);
        if (rest.substr(0, rest.find('.')) == modifier) return true;
    }
    return false;
}

bool is_shuffle(CollectiveKind kind) { return kind <= CollectiveKind::shuffle_index; }

bool Collective::reached_out(int lane) const {
    if (!is_shuffle(kind) || distance < 0 || !mask.has(lane) || kind == CollectiveKind::shuffle_index)
        return false;
    return !in_segment(lane, wanted(kind, lane, distance), width);
}

LaneMask Collective::holds() const {
    LaneMask found;
    for_each_lane(mask, [&](int lane) {
        if (lanes[static_cast<std::size_t>(lane)] == 1) found = found | LaneMask{1u << lane};
    });
    return found;
}

std::vector<Collective> warp_collectives(const trace::Trace& trace, std::uint32_t warp_record,
                                         std::size_t most) {
    std::vector<std::optional<CollectiveKind>> kinds;
    bool any = false;
    for (const Site& site : trace.program.sites) {
        kinds.push_back(kind_of(site));
        any = any || kinds.back();
    }
    std::vector<Collective> found;
    if (!any) return found;
    const trace::RecordedSites sites(trace.program);
    const trace::WarpSteps steps(trace, sites, trace.warps[warp_record]);
    steps.for_each(0, steps.size(), [&](const trace::Step& step) {
        if (!kinds[step.site] || step.executed.empty() || found.size() >= most) return;
        Collective c;
        c.kind = *kinds[step.site];
        c.site = step.site;
        c.step = step.index;
        c.mask = step.executed;
        if (step.exchange_count == 0) {
            found.push_back(c);
            return;
        }
        for (std::uint32_t i = 0; i < step.exchange_count && found.size() < most; ++i) {
            const trace::ExchangeRecord& record = trace.exchanges[step.exchange + i];
            c.mask = record.mask;
            c.lanes = trace::unpack_exchange(record);
            c.recorded = true;
            c.distance = -1;
            c.width = warp_size;
            if (is_shuffle(c.kind)) find_rule(c);
            found.push_back(c);
        }
    });
    return found;
}

std::vector<CollectiveSeries> collective_series(const std::vector<Collective>& all) {
    std::vector<CollectiveSeries> series;
    for (std::size_t i = 0; i < all.size();) {
        std::size_t end = i + 1;
        const auto follows = [&](bool halves) {
            const Collective &before = all[end - 1], &next = all[end];
            if (next.kind != before.kind || next.distance < 1 || before.distance < 1 ||
                !(next.mask == before.mask))
                return false;
            return halves ? next.distance * 2 == before.distance : next.distance == before.distance * 2;
        };
        if (is_shuffle(all[i].kind) && all[i].kind != CollectiveKind::shuffle_index && end < all.size()) {
            const bool halves = follows(true);
            while (end < all.size() && follows(halves)) ++end;
        }
        series.push_back({i, end});
        i = end;
    }
    return series;
}

std::string collective_name(const Collective& c, const Site& site) {
    const auto by = [&](const char* way) {
        return c.distance >= 0 ? fmt::format("Shuffle {} by {}", way, c.distance)
                               : fmt::format("Shuffle {}", way);
    };
    switch (c.kind) {
        case CollectiveKind::shuffle_up:
            return by("up");
        case CollectiveKind::shuffle_down:
            return by("down");
        case CollectiveKind::shuffle_butterfly:
            return c.distance >= 0 ? fmt::format("Butterfly shuffle by {}", c.distance) : "Butterfly shuffle";
        case CollectiveKind::shuffle_index:
            return c.distance >= 0 ? fmt::format("Shuffle from lane {}", c.distance) : "Shuffle by index";
        case CollectiveKind::ballot:
            return "Ballot";
        case CollectiveKind::vote:
            return has_modifier(site, "all")   ? "Vote: all true?"
                   : has_modifier(site, "any") ? "Vote: any true?"
                                               : "Vote: all equal?";
        case CollectiveKind::match:
            return "Match";
        case CollectiveKind::reduce:
            break;
    }
    for (const char* operation : {"add", "min", "max", "and", "xor", "or"})
        if (has_modifier(site, operation)) return fmt::format("Reduction by {}", operation);
    // The machine writes SUM for add, and nothing for and.
    return has_modifier(site, "sum") ? "Reduction by add" : "Reduction by and";
}

std::string collective_rule(const Collective& c) {
    if (is_shuffle(c.kind)) {
        if (!c.recorded) return "the source of each lane's value was not recorded";
        if (c.distance < 0) return "each lane chooses its source lane";
        const std::string within = c.width < warp_size && c.kind != CollectiveKind::shuffle_butterfly
                                       ? fmt::format(" of its {} lanes", c.width)
                                       : std::string();
        switch (c.kind) {
            case CollectiveKind::shuffle_up:
                return fmt::format("lane i gets lane i − {}{}", c.distance, within);
            case CollectiveKind::shuffle_down:
                return fmt::format("lane i gets lane i + {}{}", c.distance, within);
            case CollectiveKind::shuffle_butterfly:
                return fmt::format("lane i gets lane i xor {}", c.distance);
            default:
                return fmt::format("every lane gets lane {}{}", c.distance, within);
        }
    }
    switch (c.kind) {
        case CollectiveKind::ballot:
            if (!c.recorded) return "the predicates were not recorded";
            return fmt::format("the predicate is true in {} of {} lanes; all of them get the mask {:#010x}",
                               c.holds().count(), c.mask.count(), c.holds().bits);
        case CollectiveKind::vote:
            if (!c.recorded) return "the predicates were not recorded";
            return fmt::format("the predicate is true in {} of {} lanes; all of them get the result",
                               c.holds().count(), c.mask.count());
        case CollectiveKind::match: {
            if (!c.recorded) return "which lanes agree was not recorded";
            std::uint32_t first = 0;
            for_each_lane(c.mask, [&](int lane) { first |= 1u << c.lanes[static_cast<std::size_t>(lane)]; });
            const int groups = std::popcount(first);
            return groups == 1
                       ? fmt::format("all {} lanes have the same value", c.mask.count())
                       : fmt::format(
                             "{} lanes have {} different values, and each gets the lanes with its own",
                             c.mask.count(), groups);
        }
        default:
            return fmt::format("{} lanes give a value, and all of them get the result", c.mask.count());
    }
}

std::string collective_arithmetic(const Collective& c, const Site& site, int lane) {
    if (!c.mask.has(lane)) return fmt::format("lane {} is off: it does not participate", lane);
    if (c.kind == CollectiveKind::reduce)
        return fmt::format("lane {} gives its value and gets the result", lane);
    if (!c.recorded) return fmt::format("lane {} participates; its value was not recorded", lane);
    const int value = c.lanes[static_cast<std::size_t>(lane)];
    if (c.kind == CollectiveKind::ballot)
        return fmt::format("the predicate of lane {} is {}: bit {} of {:#010x} is {}", lane,
                           value != 0 ? "true" : "false", lane, c.holds().bits, value);
    if (c.kind == CollectiveKind::vote)
        return fmt::format("the predicate of lane {} is {}; it is true in {} of {} lanes", lane,
                           value != 0 ? "true" : "false", c.holds().count(), c.mask.count());
    if (c.kind == CollectiveKind::match) {
        std::uint32_t same = 0;
        for_each_lane(c.mask, [&](int other) {
            if (c.lanes[static_cast<std::size_t>(other)] == value) same |= 1u << other;
        });
        if (has_modifier(site, "all") && same != c.mask.bits) same = 0;
        return fmt::format("lane {} gets {:#010x}: {} with its value, the lowest is lane {}", lane, same,
                           std::popcount(same) == 1 ? "1 lane" : fmt::format("{} lanes", std::popcount(same)),
                           value);
    }
    if (c.distance < 0 || c.kind == CollectiveKind::shuffle_index)
        return value == lane ? fmt::format("lane {} gets its own value", lane)
                             : fmt::format("lane {} gets the value of lane {}", lane, value);
    const char* sign = c.kind == CollectiveKind::shuffle_up ? "−" : "+";
    const int reach = wanted(c.kind, lane, c.distance);
    const std::string sum = c.kind == CollectiveKind::shuffle_butterfly
                                ? fmt::format("{} xor {} = {}", lane, c.distance, reach)
                                : fmt::format("{} {} {} = {}", lane, sign, c.distance, reach);
    if (!c.reached_out(lane)) return fmt::format("lane {} gets the value of lane {}: {}", lane, value, sum);
    const int first = lane / c.width * c.width;
    return fmt::format("lane {} keeps its own value: {} is outside lanes {} to {}", lane, sum, first,
                       first + c.width - 1);
}

}  // namespace warplens::analysis

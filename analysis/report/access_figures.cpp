#include "analysis/report/access_figures.h"

#include <algorithm>
#include <string_view>

#include "core/image_words.h"

namespace warplens::analysis {
namespace {

std::uint64_t requests(const AccessTotals& of) { return of.requests; }
std::uint64_t sectors(const AccessTotals& of) { return of.sectors; }
std::uint64_t serialized_sectors(const AccessTotals& of) { return of.serialized_sectors; }
std::uint64_t ideal_sectors(const AccessTotals& of) { return of.ideal_sectors; }
std::uint64_t used_bytes(const AccessTotals& of) { return of.used_bytes; }
std::uint64_t wavefronts(const AccessTotals& of) { return of.wavefronts; }
std::uint64_t ideal_wavefronts(const AccessTotals& of) { return of.ideal_wavefronts; }
std::uint64_t worst_wavefronts(const AccessTotals& of) { return of.worst_wavefronts; }
std::uint64_t worst_ideal_wavefronts(const AccessTotals& of) { return of.worst_ideal_wavefronts; }
std::uint64_t most_lanes_per_address(const AccessTotals& of) { return of.most_lanes_per_address; }

constexpr AccessFigure request_count{"requests", "requests", "warp-level instructions with an active lane",
                                     Better::neither, requests};
constexpr AccessFigure most_lanes{"most_lanes_per_address",
                                  "lanes",
                                  "the most lanes of one request at one address, which are serialized",
                                  Better::less,
                                  most_lanes_per_address,
                                  nullptr,
                                  requests};

constexpr AccessFigure sector_count(AccessCount count) {
    return {"sectors", "sectors", "32-byte sectors accessed, summed over the requests", Better::less, count};
}
constexpr AccessFigure ideal_sector_count{"ideal_sectors", "sectors", "the same with the lanes' bytes packed",
                                          Better::neither, ideal_sectors};
constexpr AccessFigure used_byte_count{"used_bytes", "bytes", "distinct bytes requested", Better::neither,
                                       used_bytes};
constexpr AccessFigure sectors_each(AccessCount count) {
    return {"sectors_per_request",
            "sectors per request",
            "the mean over the requests",
            Better::less,
            count,
            requests};
}
constexpr AccessFigure sectors_over_ideal(AccessCount count) {
    return {"over_ideal", "times the ideal", "sectors : ideal sectors, 1 when coalesced", Better::less,
            count,        ideal_sectors};
}

constexpr AccessFigure sector_figures[] = {
    request_count,   sector_count(sectors), ideal_sector_count,
    used_byte_count, sectors_each(sectors), sectors_over_ideal(sectors),
};
constexpr AccessFigure atomic_sector_figures[] = {
    request_count,
    sector_count(serialized_sectors),
    ideal_sector_count,
    used_byte_count,
    {"distinct_sectors", "sectors", "sectors without serialization of lanes", Better::less, sectors},
    most_lanes,
    sectors_each(serialized_sectors),
    sectors_over_ideal(serialized_sectors),
};
/// The last row is of atomics alone.
constexpr AccessFigure wavefront_figures[] = {
    request_count,
    {"wavefronts", "wavefronts", "wavefronts of the requests", Better::less, wavefronts},
    {"ideal_wavefronts", "wavefronts", "the same without conflicts", Better::neither, ideal_wavefronts},
    {"conflict_ways", "ways", "the worst request's wavefronts : its ideal", Better::less, worst_wavefronts,
     worst_ideal_wavefronts, wavefronts},
    {"wavefronts_per_request", "wavefronts per request", "the mean over the requests", Better::less,
     wavefronts, requests},
    {"over_ideal", "times the ideal", "wavefronts : ideal wavefronts, over all requests", Better::less,
     wavefronts, ideal_wavefronts},
    most_lanes,
};

}  // namespace

AccessCost cost_of(Space space) {
    if (is_image(space)) return AccessCost::requests_only;
    return space == Space::global || space == Space::local ? AccessCost::sectors : AccessCost::wavefronts;
}

std::string words_of(const AccessKind& kind) {
    std::string words = kind.name;
    std::ranges::replace(words, '_', ' ');
    return words;
}

bool AccessFigure::is_about_requests() const { return of == requests || per == requests; }

std::span<const AccessFigure> access_figures(const AccessKind& kind) {
    const bool atomic = kind.operation == Operation::atomic;
    switch (cost_of(kind.space)) {
        case AccessCost::sectors:
            if (atomic) return atomic_sector_figures;
            return sector_figures;
        case AccessCost::wavefronts:
            return std::span(wavefront_figures).first(std::size(wavefront_figures) - (atomic ? 0 : 1));
        case AccessCost::requests_only:
            return std::span(sector_figures).first(1);
    }
    return {};
}

const char* cause_of(const AccessKind& kind, const AccessFigure& figure) {
    constexpr const char* contention =
        "Lanes of one request that update one address are served one after another.";
    if (figure.better != Better::less) return "";
    if (figure.of == most_lanes_per_address) return contention;
    switch (kind.space) {
        case Space::global:
            return kind.operation == Operation::atomic
                       ? contention
                       : "Each 32-byte sector that a request touches is moved whole: the further apart the "
                         "lanes' addresses, the more sectors.";
        case Space::local:
            return "Local memory holds values that did not fit the registers, and arrays whose index is not "
                   "a constant.";
        case Space::constant:
            return "Lanes that read different words of constant memory are served one after another.";
        default:
            return "Lanes that use different words of one bank are served in separate wavefronts.";
    }
}

}  // namespace warplens::analysis

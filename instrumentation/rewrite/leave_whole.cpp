#include "instrumentation/rewrite/leave_whole.h"

#include <fmt/format.h>

#include <algorithm>

#include "instrumentation/rewrite/kept_words.h"
#include "instrumentation/rewrite/passes.h"
#include "instrumentation/rewrite/recording_space.h"

namespace warplens::instrumentation {

namespace {

constexpr std::string_view leave_by_two_ways = R"(
{place}{first_stores}.reg .pred %rare;
{rare}
@%rare bra rare;
{stores}{done}cold:
rare:
.reg .b64 %timer; .reg .b32 %sm;
{report}@!%first bra others;
mov.u32 %sm, %smid;
mov.u64 %timer, %globaltimer;
{timer}others:
{again}{leave})";
constexpr std::string_view store_head =
    "@%leads st.global.v4.b32 [%at+{}], {{%warplens_start, %place, %now, {}}};\n";
constexpr std::string_view store_timer =
    "@%leads st.global.u16 [%at+{}], %sm;\n@%leads st.global.u64 [%at+{}], %timer;\n";
// What is not 0 is a mark, as %place is: a 1 for each store would be a register more.
constexpr std::string_view report = "@{} st.global.b32 [%base+{}], %place;\n";

std::string without_declarations(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        if (!text.starts_with(".reg ")) out += text.substr(0, end);
        text.remove_prefix(end);
    }
    return out;
}

}  // namespace

bool slabs_can_be_full(const Draft& draft) {
    return relies_on_whole_warps(draft) || draft.plan.lane_units > 0 ||
           (draft.plan.value_words > 0 && !draft.columns_suffice);
}

std::string leave_whole(const Draft& draft, bool ends, const std::string& last) {
    const std::uint32_t begin = draft.chunks_begin();
    // Words that lanes keep are stored once, at the end of either way.
    HeadStores head;
    std::string first_stores;
    if (draft.plan.kept_words > 0) {
        head = end_kept_words(draft, last);
    } else {
        first_stores = fmt::format(store_head, begin, last);
        head.timer =
            fmt::format(store_timer, begin + offsetof(WarpHead, place), begin + offsetof(WarpHead, timer));
    }
    const bool checks = slabs_can_be_full(draft);
    std::string reports;
    if (checks) reports = fmt::format(report, "%full", offsetof(SpaceHead, slabs_full));
    if (relies_on_whole_warps(draft))
        reports += fmt::format(report, "%warplens_apart", offsetof(SpaceHead, warps_apart));
    return fmt::format(
        leave_by_two_ways, fmt::arg("place", find_place),
        fmt::arg("rare", checks ? "or.pred %rare, %first, %wrong;" : "mov.pred %rare, %first;"),
        fmt::arg("first_stores", first_stores), fmt::arg("stores", head.stores),
        fmt::arg("done", ends ? "" : "done:\n"), fmt::arg("report", reports), fmt::arg("timer", head.timer),
        fmt::arg("again", without_declarations(head.stores)),
        fmt::arg("leave", ends ? "ret;\n" : "bra done;\n"));
}

}  // namespace warplens::instrumentation

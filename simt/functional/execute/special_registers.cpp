#include "simt/functional/execute/special_registers.h"

#include <utility>

#include "simt/functional/block/warp.h"

namespace warplens::simt {

namespace {

constexpr std::pair<std::string_view, Special> names[] = {
    {"tid", Special::tid_x},
    {"tid.x", Special::tid_x},
    {"tid.y", Special::tid_y},
    {"tid.z", Special::tid_z},
    {"ntid", Special::ntid_x},
    {"ntid.x", Special::ntid_x},
    {"ntid.y", Special::ntid_y},
    {"ntid.z", Special::ntid_z},
    {"ctaid", Special::ctaid_x},
    {"ctaid.x", Special::ctaid_x},
    {"ctaid.y", Special::ctaid_y},
    {"ctaid.z", Special::ctaid_z},
    {"nctaid", Special::nctaid_x},
    {"nctaid.x", Special::nctaid_x},
    {"nctaid.y", Special::nctaid_y},
    {"nctaid.z", Special::nctaid_z},
    {"laneid", Special::laneid},
    {"warpid", Special::warpid},
    {"nwarpid", Special::nwarpid},
    {"smid", Special::smid},
    {"nsmid", Special::nsmid},
    {"gridid", Special::gridid},
    {"WARP_SZ", Special::warp_size},
    {"lanemask_eq", Special::lanemask_eq},
    {"lanemask_le", Special::lanemask_le},
    {"lanemask_lt", Special::lanemask_lt},
    {"lanemask_ge", Special::lanemask_ge},
    {"lanemask_gt", Special::lanemask_gt},
    {"dynamic_smem_size", Special::dynamic_smem_size},
    {"total_smem_size", Special::total_smem_size},
    {"aggr_smem_size", Special::total_smem_size},
    {"clock", Special::clock},
    {"clock_hi", Special::clock_hi},
    {"clock64", Special::clock64},
    {"globaltimer", Special::globaltimer},
    {"globaltimer_lo", Special::globaltimer_lo},
    {"globaltimer_hi", Special::globaltimer_hi},
    {"is_explicit_cluster", Special::is_explicit_cluster},
    {"clusterid.x", Special::clusterid_x},
    {"clusterid.y", Special::clusterid_y},
    {"clusterid.z", Special::clusterid_z},
    {"nclusterid.x", Special::nclusterid_x},
    {"nclusterid.y", Special::nclusterid_y},
    {"nclusterid.z", Special::nclusterid_z},
    {"cluster_ctaid.x", Special::cluster_ctaid_x},
    {"cluster_ctaid.y", Special::cluster_ctaid_y},
    {"cluster_ctaid.z", Special::cluster_ctaid_z},
    {"cluster_nctaid.x", Special::cluster_nctaid_x},
    {"cluster_nctaid.y", Special::cluster_nctaid_y},
    {"cluster_nctaid.z", Special::cluster_nctaid_z},
    {"cluster_ctarank", Special::cluster_ctarank},
    {"cluster_nctarank", Special::cluster_nctarank},
    {"envreg1", Special::workspace_high},
    {"envreg2", Special::workspace_low},
};

}  // namespace

std::optional<Special> special_from(std::string_view name) {
    for (const auto& [known, special] : names)
        if (known == name) return special;
    // The engine reserves no shared memory, and no device graph launched the kernel.
    if (name.starts_with("envreg") || name.starts_with("pm") || name.starts_with("reserved_smem_offset") ||
        name == "current_graph_exec")
        return Special::zero;
    return std::nullopt;
}

bool is_wide(Special special) {
    return special == Special::gridid || special == Special::clock64 || special == Special::globaltimer;
}

bool is_of_block(Special special) {
    return axis_of(special, Special::ctaid_x) || axis_of(special, Special::cluster_ctaid_x) ||
           axis_of(special, Special::clusterid_x) || special == Special::cluster_ctarank ||
           special == Special::smid;
}

bool is_clock(Special special) { return special >= Special::clock; }

u64 read_clock(const Warp& warp, Special special, SiteId site) {
    u64 now = warp.steps + (site - warp.first_site);
    switch (special) {
        case Special::clock_hi:
        case Special::globaltimer_hi:
            return now >> 32;
        case Special::clock:
        case Special::globaltimer_lo:
            return static_cast<u32>(now);
        default:
            return now;
    }
}

}  // namespace warplens::simt

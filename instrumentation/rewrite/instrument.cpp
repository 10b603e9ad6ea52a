#include "instrumentation/rewrite/instrument.h"

#include <array>
#include <utility>

#include "instrumentation/rewrite/passes.h"
#include "ptx/printer.h"

namespace warplens::instrumentation {

namespace {

struct Pass {
    std::string_view name;
    std::string_view help;
    Status (*run)(Draft&);
};

constexpr std::array passes{
    Pass{"add the space parameter", "The kernel gets one more parameter: where to record, and what.",
         add_space_parameter},
    Pass{"plan the values", "Nothing is added: which addresses' base values every block will record.",
         plan_values},
    Pass{"plan the basic blocks",
         "Nothing is added: what every block will record, and which blocks follow from others.", plan_blocks},
    Pass{"start the warp",
         "The clock is read at once; where the warp records is found out at the first block's end.",
         start_warp},
    Pass{"record the basic blocks",
         "Blocks capture the lanes that are on and the clock; the lowest of the lanes writes them.",
         record_blocks},
    Pass{"log the branches", "Where lanes go apart, each keeps one bit for each of its branches.",
         log_branches},
    Pass{"record the values",
         "Every lane stores the values that its addresses begin with, once each; guards are balloted.",
         record_values},
    Pass{"hash the addresses", "Every lane mixes the addresses it accesses into one register.",
         hash_addresses},
    Pass{"carry the state through calls",
         "Functions get one more parameter: where the thread's cursor lies while they run.", carry_state},
    Pass{"end the warp",
         "Before lanes leave, the warp's head is written: start, end, SM, slot and who leaves.", end_warp},
};

/// In proof mode all addresses were shown before: the form is light mode's.
bool leaves_no_hash(const Draft& draft, const Pass& pass) {
    return pass.run == plan_values && draft.options.mode == RecordMode::proof && !draft.hashes_addresses();
}

}  // namespace

Result<Instrumented> instrument(const ptx::Module& module, std::string_view entry,
                                const InstrumentOptions& options) {
    WARPLENS_TRY(const auto numbered, ptx::number_sites(module, entry, ""));
    if (module.address_size != 64)
        return fail("the PTX of {} has {}-bit addresses; only 64-bit ones can be recorded", entry,
                    module.address_size);
    if (numbered.origins.empty()) return fail("{} has no instructions: there is nothing to record", entry);
    Draft draft(module, numbered, options);
    Instrumented result;
    const auto keep = [&](std::string_view name, std::string_view help) {
        if (options.keep_passes)
            result.passes.push_back({std::string(name), std::string(help), ptx::print(draft.weave())});
    };
    if (options.keep_passes)
        result.passes.push_back({"the kernel's own", "The original PTX.", ptx::print(module)});
    for (const Pass& pass : passes) {
        WARPLENS_TRY(pass.run(draft));
        keep(pass.name, pass.help);
        if (leaves_no_hash(draft, pass)) {
            InstrumentOptions light = options;
            light.mode = RecordMode::light;
            WARPLENS_TRY(auto made, instrument(module, entry, light));
            made.plan.mode = options.mode;
            return made;
        }
    }
    result.ptx = ptx::print(draft.weave());
    result.plan = std::move(draft.plan);
    return result;
}

}  // namespace warplens::instrumentation

#include "simt/functional/machine/single_precision.h"

#include "simt/functional/decode/lanewise_flags.h"
#include "simt/functional/execute/executor_table.h"

namespace warplens::simt {

std::optional<bool> flushes(const Lowering& lowering) {
    const std::string_view mode = lowering.modifier_name("float_mode");
    if (mode == "FMZ") return std::nullopt;
    return mode == "FTZ" || lowering.modifier("FTZ") != 0;
}

u32 rounding_flags(const Lowering& lowering) {
    const std::string_view mode = lowering.modifier_name("round");
    return mode == "RM"   ? lanewise_flag("rm")
           : mode == "RP" ? lanewise_flag("rp")
           : mode == "RZ" ? lanewise_flag("rz")
                          : 0;
}

std::optional<SingleOperation> single_operation(const Lowering& lowering, const std::string& opcode) {
    const auto ftz = flushes(lowering);
    if (!ftz) return std::nullopt;
    const bool saturates = lowering.modifier("SAT") != 0;
    const u32 rounding = rounding_flags(lowering);
    std::string key = opcode;
    u32 flags = 0;
    if (rounding != 0) {
        key += ".f32+";
        flags = rounding | (*ftz ? flag_ftz : 0u) | (saturates ? flag_sat : 0u);
    } else {
        key += *ftz ? ".ftz" : "";
        key += saturates ? ".sat.f32" : ".f32";
    }
    const ExecutorRow* executor = find_executor(key);
    if (!executor) return std::nullopt;
    return SingleOperation{executor->execute, flags};
}

}  // namespace warplens::simt

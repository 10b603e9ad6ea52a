#include "simt/functional/decode/stack_frames.h"

#include <algorithm>
#include <optional>

#include "simt/functional/decode/call_fit.h"

namespace warplens::simt {

namespace {

constexpr u32 return_address_bytes = 8;
constexpr u32 frame_alignment = 8;

/// Which functions call which.
class CallGraph {
  public:
    CallGraph(const DecodedKernel& kernel, const std::vector<u32>& callers)
        : kernel_(kernel),
          active_(kernel.functions.size()),
          known_(kernel.functions.size()),
          callees_(kernel.functions.size()) {
        for (std::size_t i = 0; i < callers.size(); ++i) add(callers[i], kernel.calls[i]);
        for (auto& callees : callees_) {
            std::ranges::sort(callees);
            callees.erase(std::unique(callees.begin(), callees.end()), callees.end());
        }
    }

    /// Upper bound of the local memory of a function and its callees; not defined with recursion.
    u64 local_bytes(u32 function) {
        if (known_[function]) return *known_[function];
        if (active_[function]) {
            recurses_ = true;
            return 0;
        }
        active_[function] = true;
        u64 deepest = 0;
        for (const u32 callee : callees_[function]) {
            deepest = std::max(deepest, local_bytes(callee));
            if (recurses_) break;
        }
        active_[function] = false;
        known_[function] = deepest + kernel_.functions[function].depot_bytes;
        return *known_[function];
    }
    bool recurses() const { return recurses_; }

  private:
    void add(u32 caller, const CallSite& call) {
        if (call.callee == Callee::function) callees_[caller].push_back(call.function);
        if (call.callee != Callee::pointer) return;
        for (u32 i = 1; i < kernel_.functions.size(); ++i)
            if (kernel_.functions[i].address_taken && fits(call, kernel_.functions[i]))
                callees_[caller].push_back(i);
    }

    const DecodedKernel& kernel_;
    std::vector<bool> active_;
    std::vector<std::optional<u64>> known_;
    std::vector<std::vector<u32>> callees_;
    bool recurses_ = false;
};

}  // namespace

void measure_stack(DecodedKernel& kernel, const std::vector<u32>& callers,
                   const std::vector<KeptOverCalls>& kept) {
    for (u32 i = 0; i < kernel.functions.size(); ++i) {
        DecodedFunction& function = kernel.functions[i];
        function.frame_bytes = function.depot_bytes;
        // A kernel has no caller, and its callees save its registers.
        if (i == 0 || !kept[i].calls) continue;
        const u32 saved = kept[i].bytes + return_address_bytes;
        function.frame_bytes += (saved + frame_alignment - 1) / frame_alignment * frame_alignment;
    }
    if (kernel.functions.empty()) return;
    CallGraph graph(kernel, callers);
    const u64 bytes = graph.local_bytes(0);
    kernel.recurses = graph.recurses();
    kernel.local_bytes = static_cast<u32>(bytes);
}

}  // namespace warplens::simt

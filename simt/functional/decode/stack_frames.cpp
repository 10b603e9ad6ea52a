#include "simt/functional/decode/stack_frames.h"

#include <algorithm>
#include <optional>
#include <vector>

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

    /// Upper bound of the local memory of a function and its callees; not defined with recursion. Not by
    /// recursion itself: a text may chain any number of functions.
    u64 local_bytes(u32 first) {
        struct Visit {
            u32 function = 0;
            std::size_t next = 0;  // of its callees
            u64 deepest = 0;
        };
        std::vector<Visit> path{{first}};
        active_[first] = true;
        while (!path.empty()) {
            Visit& at = path.back();
            if (at.next == callees_[at.function].size()) {
                known_[at.function] = at.deepest + kernel_.functions[at.function].depot_bytes;
                active_[at.function] = false;
                path.pop_back();
                continue;
            }
            const u32 callee = callees_[at.function][at.next];
            if (known_[callee]) {
                at.deepest = std::max(at.deepest, *known_[callee]);
                ++at.next;
            } else if (active_[callee]) {
                recurses_ = true;
                return 0;
            } else {
                active_[callee] = true;
                path.push_back({callee});
            }
        }
        return *known_[first];
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
    kernel.local_bytes = static_cast<u32>(std::min<u64>(bytes, no_index));
}

}  // namespace warplens::simt

// RegisterReader: reads a warp's PTX registers between two instructions, for the consumers of a StepWatch.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "ptx/module.h"
#include "ptx/value_flow.h"
#include "simt/functional/block/block_runner.h"

namespace warplens::simt {

class RegisterReader {
  public:
    /// `kernel` was loaded from `module`: machine code has no PTX registers. Both outlive the reader.
    RegisterReader(const Kernel& kernel, const ptx::Module& module)
        : kernel_(static_cast<const DecodedKernel&>(kernel)), module_(module) {}

    /// Of one site: what its instruction reads and writes.
    struct Facts {
        const ptx::Instruction* instruction = nullptr;
        ptx::ValueFlow flow;
        u32 function = 0;  // in ptx::Module::functions
        bool exchanges = false;
        u32 given = no_index;  // register that an exchange gives
    };
    const Facts& facts(SiteId site);

    const DecodedKernel& kernel() const { return kernel_; }
    const DecodedFunction& function_of(u32 index) const;
    /// The lanes of the warp's step that are not predicated off.
    u32 executed(Warp& warp, SiteId site);
    /// All zeros for no_index.
    std::array<u64, warp_size> bits_of(Warp& warp, u32 function, u32 index) const;
    static std::array<u64, warp_size> bits(Warp& warp, const RegisterSlot& slot);

  private:
    const DecodedKernel& kernel_;
    const ptx::Module& module_;
    std::map<SiteId, Facts> sites_;
};

}  // namespace warplens::simt

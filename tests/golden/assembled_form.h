// What ptxas makes of an instrumented PTX, executed at the machine level: a recording as a GPU would make it,
// but for the order in which lanes that are apart run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "instrumentation/compile/assembler.h"
#include "simt/functional/machine/machine.h"
#include "simt/functional/machine/shared_registers.h"
#include "tests/golden/recorded_in_engine.h"

namespace warplens::app {

class AssembledForm final : public RecordingForm {
  public:
    explicit AssembledForm(std::string target = "sm_90") : target_(std::move(target)) {}

    static bool has_assembler() { return assembler().found(); }

    Result<std::shared_ptr<const simt::Kernel>> load(const std::string& ptx,
                                                     const std::string& entry) override {
        const auto bytes = assembler().assemble({{ptx, target_}}).front();
        if (!bytes) return fail("ptxas does not assemble the instrumented PTX");
        auto cubin = sass::read_cubin(*bytes);
        if (!cubin) return tl::unexpected(cubin.error());
        auto machine = sass::number_machine_sites(*cubin, entry);
        if (!machine) return tl::unexpected(machine.error());
        auto kernel = simt::load_machine_code(*cubin, entry);
        if (!kernel) return kernel;
        kernel_ = *kernel;
        machine_ = std::move(*machine);
        registers_.emplace(*kernel_, machine_);
        return kernel;
    }
    simt::StepWatch* watch() override { return &*registers_; }

    /// simt::SharedRegister, in words.
    std::vector<std::string> shared_registers() const {
        std::vector<std::string> words;
        for (const simt::SharedRegister& each : registers_->found())
            words.push_back(to_string(each, machine_));
        return words;
    }

  private:
    static instr::Assembler& assembler() {
        static instr::Assembler shared;
        return shared;
    }

    std::string target_;
    std::shared_ptr<const simt::Kernel> kernel_;
    sass::MachineProgram machine_;
    std::optional<simt::SharedRegisters> registers_;
};

}  // namespace warplens::app

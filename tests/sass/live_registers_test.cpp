// Live registers and scoreboards of real machine code: the cubins that were measured on an H200.
#include "sass/live_registers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "sass/scoreboards.h"
#include "tests/support/folders.h"

namespace warplens::sass {

namespace {

struct Listed {
    std::string name;
    CubinFunction function;
    MachineProgram machine;
};

std::vector<Listed> measured_kernels() {
    std::vector<Listed> all;
    const std::filesystem::path folder = source_folder() + "/tests/hardware/machine_code/code";
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
        std::ifstream stream(file.path(), std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
        const auto cubin = read_cubin(bytes);
        if (!cubin) continue;
        for (const CubinFunction& function : cubin->functions) {
            if (!function.kernel) continue;
            auto machine = number_machine_sites(*cubin, function.name);
            if (machine) all.push_back({file.path().filename().string(), function, std::move(*machine)});
        }
    }
    return all;
}

TEST(live_registers, nothing_is_read_that_nothing_has_written) {
    std::size_t known = 0;
    for (const Listed& kernel : measured_kernels()) {
        const LiveRegisters live = live_registers(kernel.machine);
        if (live.counts.empty()) continue;
        ++known;
        // Of this one the graph has a path on which R12 and R24 are read first. Conditions of branches are
        // not followed, so that the path may never be taken.
        if (kernel.name != "matmul_double_buffered.cubin") {
            EXPECT_TRUE(live.read_before_written.empty()) << kernel.name;
        }
        EXPECT_LE(std::ranges::max(live.counts), kernel.function.registers_per_thread) << kernel.name;
        EXPECT_EQ(live.counts.size(), kernel.machine.instructions.size());
    }
    EXPECT_GT(known, 40u);
}

TEST(scoreboards, a_wait_names_a_scoreboard_that_its_setter_sets) {
    std::size_t waits = 0;
    for (const Listed& kernel : measured_kernels())
        for (const ScoreboardWait& wait : scoreboard_waits(kernel.machine)) {
            ++waits;
            const Control& setter = kernel.machine.instructions[wait.setter].control;
            const Instruction& waiter = kernel.machine.instructions[wait.waiter];
            EXPECT_EQ(wait.of_sources ? setter.read_scoreboard : setter.write_scoreboard, wait.scoreboard);
            const bool named = std::ranges::any_of(waiter.operands, [&](const Operand& operand) {
                return operand.kind == OperandKind::scoreboard && operand.index == wait.scoreboard;
            });
            EXPECT_TRUE(named || waiter.control.wait_mask >> wait.scoreboard & 1) << kernel.name;
        }
    EXPECT_GT(waits, 1000u);
}

/// A register that a load writes is read only after a wait for the load, on the straight path.
TEST(scoreboards, a_loaded_register_is_waited_for_before_it_is_read) {
    std::size_t checked = 0;
    for (const Listed& kernel : measured_kernels()) {
        const auto waits = scoreboard_waits(kernel.machine);
        for (const MachineBlock& block : kernel.machine.blocks)
            for (SiteId load = block.first; load < block.first + block.count; ++load) {
                const Instruction& setter = kernel.machine.instructions[load];
                const auto use = register_use(setter);
                if (!use || use->written.empty() || setter.control.write_scoreboard > 5) continue;
                const auto first_wait = std::ranges::find_if(waits, [&](const ScoreboardWait& wait) {
                    return wait.setter == load && !wait.of_sources;
                });
                for (SiteId at = load + 1; at < block.first + block.count; ++at) {
                    const auto read = register_use(kernel.machine.instructions[at]);
                    if (!read || std::ranges::find(read->read, use->written.front()) == read->read.end())
                        continue;
                    ASSERT_NE(first_wait, waits.end()) << kernel.name << " " << load;
                    EXPECT_LE(first_wait->waiter, at) << kernel.name << " " << load;
                    ++checked;
                    break;
                }
            }
    }
    EXPECT_GT(checked, 200u);
}

}  // namespace
}  // namespace warplens::sass

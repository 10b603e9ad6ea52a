// A real cubin: functions, resources, parameters, lines, control flow and sites; and damaged ones.
#include "sass/cubin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <random>

#include "sass/program.h"

namespace warplens::sass {

namespace {

using testing::HasSubstr;

std::string file(const std::string& name) {
    std::ifstream stream(WARPLENS_SOURCE_FOLDER "/tests/fuzz/corpus_cubin/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(cubin, gives_functions_resources_and_parameters) {
    const auto cubin = read_cubin(file("saxpy_sm_90.cubin"));
    ASSERT_TRUE(cubin.has_value()) << cubin.error().message;
    EXPECT_EQ(cubin->sm, 90);
    const CubinFunction* saxpy = cubin->find("saxpy");
    ASSERT_NE(saxpy, nullptr);
    EXPECT_TRUE(saxpy->kernel);
    EXPECT_EQ(saxpy->code.size() % 16, 0u);
    EXPECT_GT(saxpy->registers_per_thread, 0u);
    EXPECT_EQ(saxpy->parameter_base, 0x210u);
    ASSERT_EQ(saxpy->parameters.size(), 4u);
    EXPECT_EQ(saxpy->parameters[2].offset, 8u);
    EXPECT_EQ(saxpy->parameters[2].bytes, 8u);
    EXPECT_FALSE(saxpy->source_lines.empty());
    EXPECT_FALSE(saxpy->ptx_lines.empty());
}

TEST(cubin, is_known_by_its_generation) {
    for (const auto& [name, sm] : {std::pair{"saxpy_sm_75.cubin", 75}, {"saxpy_sm_100.cubin", 100}}) {
        const auto cubin = read_cubin(file(name));
        ASSERT_TRUE(cubin.has_value()) << cubin.error().message;
        EXPECT_EQ(cubin->sm, sm);
    }
}

TEST(machine_program, numbers_every_instruction_with_its_lines) {
    const auto cubin = read_cubin(file("saxpy_sm_90.cubin"));
    ASSERT_TRUE(cubin.has_value());
    const auto machine = number_machine_sites(*cubin, "saxpy");
    ASSERT_TRUE(machine.has_value()) << machine.error().message;
    const Program& program = machine->program;
    ASSERT_EQ(program.sites.size(), cubin->find("saxpy")->code.size() / 16);
    EXPECT_THAT(unknown_sites(*machine), testing::IsEmpty());
    EXPECT_EQ(program.sites[0].text, "LDC R1, c[0x0][0x28]");
    EXPECT_EQ(program.sites[7].text, "@P0 EXIT");
    EXPECT_EQ(program.sites[7].kind, SiteKind::exit);
    EXPECT_TRUE(program.sites[7].guarded);
    std::size_t loads = 0, stores = 0;
    for (const Site& site : program.sites) {
        loads += site.space == Space::global && site.operation == Operation::load;
        stores += site.space == Space::global && site.operation == Operation::store;
        EXPECT_LT(site.file, program.sources.size());
        EXPECT_GT(site.line, 0u);
        EXPECT_GT(site.ptx_line, 0u);
    }
    EXPECT_EQ(loads, 2u);
    EXPECT_EQ(stores, 1u);
    EXPECT_THAT(program.sources[program.sites[0].file].name, HasSubstr("saxpy.cu"));
    // As `nvdisasm -g` prints them.
    const std::vector<std::uint32_t> lines{34, 35, 35, 35, 35, 36, 36, 36, 37, 37,
                                           37, 37, 37, 37, 37, 37, 37, 37, 39};
    for (std::size_t i = 0; i < lines.size(); ++i) EXPECT_EQ(program.sites[i].line, lines[i]) << i;
}

TEST(machine_control_flow, ends_blocks_at_branches_and_begins_them_at_targets) {
    const auto cubin = read_cubin(file("saxpy_sm_90.cubin"));
    ASSERT_TRUE(cubin.has_value());
    const auto machine = number_machine_sites(*cubin, "saxpy");
    ASSERT_TRUE(machine.has_value());
    std::uint32_t at = 0;
    for (const MachineBlock& block : machine->blocks) {
        EXPECT_EQ(block.first, at);
        EXPECT_GT(block.count, 0u);
        at += block.count;
    }
    EXPECT_EQ(at, machine->instructions.size());
    EXPECT_THAT(machine->blocks[0].successors, testing::ElementsAre(1u));  // @P0 EXIT goes on for other lanes
}

TEST(cubin, refuses_what_it_does_not_know_in_one_sentence) {
    EXPECT_THAT(read_cubin("").error().message, HasSubstr("not a 64-bit little-endian ELF"));
    std::string old = file("saxpy_sm_90.cubin");
    old[0x31] = 61;
    EXPECT_THAT(read_cubin(old).error().message, HasSubstr("sm_61"));
    const auto cubin = read_cubin(file("saxpy_sm_90.cubin"));
    EXPECT_THAT(number_machine_sites(*cubin, "other").error().message, HasSubstr("no function other"));
}

TEST(cubin, survives_any_damage) {
    const std::string whole = file("saxpy_sm_90.cubin");
    std::mt19937 random(1);
    for (int round = 0; round < 3000; ++round) {
        std::string damaged = whole.substr(0, round % 7 == 0 ? random() % whole.size() : whole.size());
        for (int i = 0; i < 8 && !damaged.empty(); ++i)
            damaged[random() % damaged.size()] = static_cast<char>(random());
        const auto cubin = read_cubin(damaged);
        if (!cubin) {
            EXPECT_FALSE(cubin.error().message.empty());
            continue;
        }
        for (const CubinFunction& function : cubin->functions)
            EXPECT_TRUE(number_machine_sites(*cubin, function.name).has_value());
    }
}

}  // namespace

}  // namespace warplens::sass

// Instrumented PTX as text: the kernel's own statements stay, the result is valid PTX, and a host can decode
// by the plan.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "instrumentation/rewrite/instrument.h"
#include "instrumentation/rewrite/recording_space.h"
#include "ptx/parser.h"
#include "ptx/printer.h"
#include "ptx/program.h"
#include "tests/support/folders.h"
#include "tests/support/one_entry.h"

namespace warplens::instrumentation {

namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::vector<fs::path> ptx_below(const std::string& folder) {
    std::vector<fs::path> files;
    for (const auto& file : fs::recursive_directory_iterator(source_folder() + "/" + folder))
        if (file.path().extension() == ".ptx") files.push_back(file.path());
    std::sort(files.begin(), files.end());
    return files;
}

ptx::Module parsed(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    auto module = ptx::parse(text, path.string());
    EXPECT_TRUE(module.has_value()) << module.error().message;
    return module ? *std::move(module) : ptx::Module{};
}

/// The function's instructions as text, without the inserted ones.
std::vector<std::string> own_instructions(const ptx::Function& function) {
    std::vector<std::string> lines;
    for (const ptx::Statement& statement : function.body)
        if (const auto* instruction = std::get_if<ptx::Instruction>(&statement)) {
            std::string line = ptx::print(function, *instruction);
            // A call has one more argument.
            for (const char* argument : {", warplens_call", "warplens_call"})
                if (const auto at = line.find(argument); instruction->opcode == "call" && at != line.npos)
                    line.erase(at, line.find(')', at) - at);
            if (const auto empty = line.find(", ()"); empty != line.npos) line.erase(empty, 4);
            if (line.find("warplens_") == std::string::npos) lines.push_back(std::move(line));
        }
    return lines;
}

void expect_plan_to_hold(const RecordingPlan& plan, const ptx::NumberedProgram& numbered,
                         const std::string& name) {
    using Source = BlockPlan::Source;
    ASSERT_EQ(plan.blocks.size(), numbered.program.basic_blocks.size()) << name;
    EXPECT_EQ(plan.min_chunk_units & (plan.min_chunk_units - 1), 0u) << name;
    for (BasicBlockId b = 0; b < plan.blocks.size(); ++b) {
        const BlockPlan& block = plan.blocks[b];
        const std::string where = name + ", block " + std::to_string(b);
        EXPECT_EQ(block.target, numbered.branch_targets[b]) << where;
        if (block.source == Source::recorded || block.source == Source::checked) {
            EXPECT_GE(block.units, 1u) << where;
            EXPECT_LT(block.units, plan.min_chunk_units) << where;
        }
        EXPECT_TRUE(block.source != Source::whole || b == 0) << where;
        if (block.source == Source::implied || block.source == Source::balloted ||
            block.source == Source::checked) {
            ASSERT_LT(block.follows, plan.blocks.size()) << where;
            EXPECT_NE(block.follows, b) << where;
        }
        if (block.source == Source::balloted) {
            const BlockPlan& before = plan.blocks[block.follows];
            EXPECT_TRUE(before.source == Source::recorded || before.source == Source::whole) << where;
            const BasicBlock& fork = numbered.program.basic_blocks[block.follows];
            EXPECT_TRUE(std::any_of(before.guards.begin(), before.guards.end(),
                                    [&](const RecordedGuard& guard) {
                                        return guard.site == fork.first_site + fork.site_count - 1;
                                    }))
                << where;
        }
        for (const RecordedValue& value : block.values) {
            EXPECT_EQ(block.source, Source::recorded) << where;
            EXPECT_LT(value.value, plan.values) << where;
            EXPECT_TRUE(value.bytes == 2 || value.bytes == 4 || value.bytes == 8) << where;
            EXPECT_GE(value.offset, unit_bytes) << where;
            EXPECT_GE(value.stride, value.bytes) << where;
            EXPECT_LE(value.offset + 31 * value.stride + value.bytes, block.units * unit_bytes) << where;
        }
        for (const RecordedGuard& guard : block.guards) {
            EXPECT_EQ(numbered.program.sites[guard.site].basic_block, b) << where;
            EXPECT_LE(guard.offset + 4, std::max(1u, block.units) * unit_bytes) << where;
        }
    }
}

/// In full mode every memory instruction has its addresses, and their values are recorded by a block.
void expect_addresses(const RecordingPlan& plan, const ptx::NumberedProgram& numbered,
                      const std::string& name) {
    std::vector<bool> recorded(plan.values, false);
    for (const BlockPlan& block : plan.blocks)
        for (const RecordedValue& value : block.values) recorded[value.value] = true;
    EXPECT_THAT(recorded, testing::Each(true)) << name;
    std::size_t next = 0;
    for (SiteId site = 0; site < numbered.program.sites.size(); ++site) {
        const Site& at = numbered.program.sites[site];
        const bool has_address =
            at.kind == SiteKind::memory && at.space != Space::param && at.text.find('[') != std::string::npos;
        const bool texture = at.opcode[0] == 't' || at.opcode.compare(0, 2, "su") == 0;  // coordinates
        // Lanes load pieces of a fragment from one base: no record contains their positions.
        const bool fragment = at.opcode.starts_with("wmma");
        if (!has_address || texture || fragment) continue;
        const std::uint32_t count = at.opcode.compare(0, 8, "cp.async") == 0 ? 2 : 1;
        for (std::uint32_t which = 0; which < count; ++which, ++next) {
            ASSERT_LT(next, plan.addresses.size()) << name << ": " << at.text;
            const AddressPlan& address = plan.addresses[next];
            EXPECT_EQ(address.site, site) << name << ": " << at.text;
            EXPECT_EQ(address.which, which) << name << ": " << at.text;
            EXPECT_TRUE(address.value == no_index || address.value < plan.values) << name;
            EXPECT_TRUE(address.symbol == no_index || address.symbol < plan.symbols.size()) << name;
        }
    }
    EXPECT_EQ(next, plan.addresses.size()) << name;
}

constexpr RecordMode modes[] = {RecordMode::light, RecordMode::full, RecordMode::proof};

}  // namespace

TEST(rewrite, every_kernel_keeps_its_own_instructions_and_is_ptx_again) {
    std::size_t kernels = 0;
    for (const char* folder : {"assets/ptx", "tests/ptx/corpus", "tests/ptx_cases"}) {
        for (const fs::path& path : ptx_below(folder)) {
            const ptx::Module whole = parsed(path);
            for (const ptx::Function* entry : whole.entries()) {
                if (entry->is_declaration || tests::launches_grids(whole, entry->name)) continue;
                const ptx::Module module = tests::with_one_entry(whole, entry->name);
                const std::string name = path.filename().string() + ", " + entry->name;
                InstrumentOptions options;
                options.mode = modes[kernels % std::size(modes)];
                options.narrow = kernels % 2 == 0;
                options.shared_bytes = kernels % 4 < 2 ? 4096 : 0x20000;
                const auto instrumented = instrument(module, entry->name, options);
                ASSERT_TRUE(instrumented.has_value()) << name << ": " << instrumented.error().message;
                const auto again = ptx::parse(instrumented->ptx, name);
                ASSERT_TRUE(again.has_value()) << again.error().message;
                const ptx::Function* rewritten = again->find_function(entry->name);
                ASSERT_NE(rewritten, nullptr) << name;
                for (const ptx::Function& function : again->functions) {
                    if (function.is_declaration || function.name == "warplens_take_chunk") continue;
                    const ptx::Function* before = module.find_function(function.name);
                    ASSERT_NE(before, nullptr) << name << ": " << function.name;
                    EXPECT_EQ(own_instructions(*before), own_instructions(function)) << name;
                }
                EXPECT_EQ(rewritten->parameters.back().name, "warplens_space") << name;
                EXPECT_EQ(rewritten->parameters.back().bytes(), sizeof(SpaceParameter)) << name;
                const auto numbered = ptx::number_sites(module, entry->name, "");
                ASSERT_TRUE(numbered.has_value());
                expect_plan_to_hold(instrumented->plan, *numbered, name);
                if (options.mode == RecordMode::full) expect_addresses(instrumented->plan, *numbered, name);
                ++kernels;
            }
        }
    }
    EXPECT_GT(kernels, 200u);
}

TEST(rewrite, passes_are_kept_in_order_and_each_is_ptx) {
    const ptx::Module module = parsed(source_folder() + "/assets/ptx/saxpy/default.ptx");
    InstrumentOptions options;
    options.keep_passes = true;
    const auto instrumented = instrument(module, "saxpy", options);
    ASSERT_TRUE(instrumented.has_value()) << instrumented.error().message;
    ASSERT_GE(instrumented->passes.size(), 5u);
    EXPECT_EQ(instrumented->passes.front().name, "the kernel's own");
    EXPECT_EQ(instrumented->passes.front().ptx, ptx::print(module));
    EXPECT_EQ(instrumented->passes.back().ptx, instrumented->ptx);
    for (const PassOutput& pass : instrumented->passes) {
        const auto again = ptx::parse(pass.ptx, pass.name);
        EXPECT_TRUE(again.has_value()) << again.error().message;
        EXPECT_FALSE(pass.help.empty()) << pass.name;
    }
}

/// The number of blocks that check which lanes reconverge there, and of those that use a vote of all of them.
std::pair<int, int> checks_in(const std::string& ptx, const std::string& name) {
    const auto module = ptx::parse(ptx, name);
    EXPECT_TRUE(module.has_value()) << module.error().message;
    std::pair<int, int> checks{0, 0};
    for (const ptx::Function& function : module->functions) {
        std::string before;
        for (const ptx::Statement& statement : function.body) {
            const auto* instruction = std::get_if<ptx::Instruction>(&statement);
            if (instruction == nullptr) continue;
            const std::string line = ptx::print(function, *instruction);
            if (instruction->has_guard && line.find("$warplens_enter_") != line.npos) {
                ++checks.first;
                const std::string asked = function.registers[instruction->guard.predicate].name;
                checks.second += before.find("vote.sync.any.pred") != before.npos &&
                                 before.find(asked + ",") != before.npos;
            }
            before = line;
        }
    }
    return checks;
}

// All lanes have them at one address, which ptxas 13.0 keeps in a uniform register that lanes which have gone
// ahead write: the full recording of random kernel 720107 then read an address of no buffer.
TEST(rewrite, where_functions_are_called_each_lane_keeps_where_its_local_variables_lie) {
    constexpr std::string_view kernel = R"(.version 8.0
.target sm_90
.address_size 64
.func f(.param .b64 p) { ret; }
.visible .entry k()
{
.local .align 4 .b8 depot[8];
.reg .b64 %rd<3>;
mov.u64 %rd1, depot;
cvta.local.u64 %rd2, %rd1;
CALL
ret;
}
)";
    for (const bool calls : {false, true}) {
        std::string text(kernel);
        text.replace(text.find("CALL"), 4,
                     calls ? "{ .param .b64 a; st.param.b64 [a], %rd2; call.uni f, (a); }" : "");
        const auto module = ptx::parse(text, "k.ptx");
        ASSERT_TRUE(module.has_value()) << module.error().message;
        const auto made = instrument(*module, "k", {});
        ASSERT_TRUE(made.has_value()) << made.error().message;
        EXPECT_EQ(made->ptx.find("@!%warplens_always mov.b64 %rd1, 0;") != std::string::npos, calls);
    }
}

// The assembler makes a function of a division in 64 bits and hands it in a uniform register what is the same
// wherever it is called. Lanes that went ahead wrote it in the full recording of random kernel 770038, whose
// quotients and so a local address then were others.
TEST(rewrite, where_functions_are_called_each_lane_keeps_what_it_divides_and_by_what) {
    constexpr std::string_view kernel = R"(.version 8.0
.target sm_90
.address_size 64
.func f() { ret; }
.visible .entry k()
{
.reg .b64 %rd<6>;
.reg .f64 %fd<4>;
.reg .b32 %r<4>;
mov.u64 %rd1, 9;
mov.u64 %rd2, 2;
mov.f64 %fd1, 0d3FF0000000000000;
DIVISION
call.uni f, ();
ret;
}
)";
    const auto kept = [&](const std::string& division) {
        std::string text(kernel);
        text.replace(text.find("DIVISION"), 8, division);
        const auto module = ptx::parse(text, "k.ptx");
        EXPECT_TRUE(module) << module.error().message;
        const auto made = instrument(*module, "k", {});
        EXPECT_TRUE(made) << made.error().message;
        std::vector<std::string> found;
        if (!made) return found;
        const std::size_t end = made->ptx.find(division.substr(0, division.find(' ')));
        for (const std::string each : {"%rd1", "%rd2", "%fd1", "%r1"})
            if (made->ptx.find("@!%warplens_always mov.b64 " + each + ", 0;") < end) found.push_back(each);
        return found;
    };
    using testing::ElementsAre;
    EXPECT_THAT(kept("div.u64 %rd3, %rd1, %rd2;"), ElementsAre("%rd1", "%rd2"));
    EXPECT_THAT(kept("rem.s64 %rd3, %rd1, 7;"), ElementsAre("%rd1"));
    EXPECT_THAT(kept("sqrt.rn.f64 %fd2, %fd1;"), ElementsAre("%fd1"));
    EXPECT_THAT(kept("div.u32 %r2, %r1, 7;"), testing::IsEmpty()) << "no function is made of it";
    EXPECT_THAT(kept("add.u64 %rd3, %rd1, %rd2;"), testing::IsEmpty());
}

// On an H100 lanes that entered a function by different calls merged there. The lanes of a call that were all
// present left no record, although one of them should have written it.
TEST(rewrite, where_functions_are_called_all_who_meet_are_asked_whether_they_parted_together) {
    const ptx::Module calls = parsed(source_folder() + "/assets/ptx/adaptive_area/default.ptx");
    const ptx::Module alone = parsed(source_folder() + "/assets/ptx/branch_switch/default.ptx");
    for (const RecordMode mode : {RecordMode::light, RecordMode::full, RecordMode::proof}) {
        InstrumentOptions options;
        options.mode = mode;
        const auto called = instrument(calls, "adaptive_area", options);
        ASSERT_TRUE(called.has_value()) << called.error().message;
        const auto [checks, asked] = checks_in(called->ptx, "called");
        EXPECT_GT(checks, 1);
        EXPECT_EQ(asked, checks);
        const auto plain = instrument(alone, "branch_switch", options);
        ASSERT_TRUE(plain.has_value()) << plain.error().message;
        EXPECT_EQ(checks_in(plain->ptx, "plain").second, 0);
    }
}

TEST(rewrite, registers_are_limited_where_the_kernel_does_not_say_so_itself) {
    ptx::Module module = parsed(source_folder() + "/assets/ptx/saxpy/default.ptx");
    InstrumentOptions options;
    options.max_registers = 40;
    const auto limited = instrument(module, "saxpy", options);
    ASSERT_TRUE(limited.has_value()) << limited.error().message;
    EXPECT_THAT(limited->ptx, HasSubstr(".maxnreg 40\n"));
    module.functions.front().performance_directives.push_back(".maxnreg 64");
    const auto own = instrument(module, "saxpy", options);
    ASSERT_TRUE(own.has_value()) << own.error().message;
    EXPECT_THAT(own->ptx, HasSubstr(".maxnreg 64\n"));
    EXPECT_THAT(own->ptx, testing::Not(HasSubstr(".maxnreg 40")));
}

TEST(rewrite, what_cannot_be_instrumented_is_said_in_a_sentence) {
    const ptx::Module module = parsed(source_folder() + "/assets/ptx/saxpy/default.ptx");
    const auto once = instrument(module, "saxpy", {});
    ASSERT_TRUE(once.has_value()) << once.error().message;
    const auto again = ptx::parse(once->ptx, "instrumented");
    ASSERT_TRUE(again.has_value()) << again.error().message;
    const auto twice = instrument(*again, "saxpy", {});
    ASSERT_FALSE(twice.has_value());
    EXPECT_THAT(twice.error().message, HasSubstr("instrumented already"));

    ptx::Module wide = module;
    wide.functions.front().parameters.front().extents = {8190};
    const auto too_many = instrument(wide, "saxpy", {});
    ASSERT_FALSE(too_many.has_value());
    EXPECT_THAT(too_many.error().message, HasSubstr("parameters of saxpy"));
    EXPECT_FALSE(instrument(module, "no such kernel", {}).has_value());

    ptx::Module empty = module;
    empty.functions.front().body.clear();
    const auto nothing = instrument(empty, "saxpy", {});
    ASSERT_FALSE(nothing.has_value());
    EXPECT_THAT(nothing.error().message, HasSubstr("no instructions"));
}

}  // namespace warplens::instrumentation

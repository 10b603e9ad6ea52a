// A launch as a running program reports it: read, doubted, and made a draft of.
#include <gmock/gmock.h>

#include <cstring>
#include <span>

#include "instrumentation/host_program/program_draft.h"
#include "instrumentation/host_program/program_entry.h"
#include "instrumentation/host_program/program_launch.h"

namespace warplens::instrumentation {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t arena_bytes = 1 << 20;

/// Of k(float* x, int n, double a) with 96 floats in use of 100.
std::string line(const std::string& arguments = R"(["0001000000100000","60000000","000000000000e03f"])",
                 const std::string& rest = "") {
    return R"({"symbol":"_Z1kPfid","function":"void sums::k(float*, int, double) [with int N = 3]","file":"a.cu",)"
           R"("line":71,"grid":[3,1,1],"block":[32,1,1],"shared":0,"cooperative":false,"arguments":)" +
           arguments + R"(,"pointers":[true,false,false],"base":17592186044416,)" +
           R"("allocations":[{"name":"x","offset":256,"bytes":400,"filled":true},)"
           R"({"name":"y","offset":1024,"bytes":64,"filled":false}],"variables":[{"name":"m","text":"{1}"}])" +
           rest + "}";
}

LaunchDraft draft() {
    LaunchDraft draft;
    draft.entry = "k";
    draft.grid = {"ceil_div(n, 32)", "", ""};
    draft.block = {"64", "", ""};
    DraftArgument x, n, a;
    x.name = "x", x.kind = DraftArgument::Kind::buffer, x.element_type = "f32", x.length = "n";
    n.name = "n", n.scalar_type = "i32", n.value = "1";
    a.name = "a", a.scalar_type = "f64", a.value = "1";
    draft.arguments = {x, n, a};
    return draft;
}

TEST(program_launch, a_line_is_read) {
    const auto launch = read_program_launch(line(), arena_bytes);
    ASSERT_TRUE(launch) << launch.error().message;
    EXPECT_EQ(launch->plain_name(), "sums::k");
    EXPECT_EQ(launch->line, 71u);
    EXPECT_EQ(launch->geometry.grid, (Dim3{3, 1, 1}));
    ASSERT_EQ(launch->arguments.size(), 3u);
    EXPECT_TRUE(launch->arguments[0].is_pointer);
    ASSERT_EQ(launch->allocations.size(), 2u);
    EXPECT_TRUE(launch->allocations[0].filled);
    EXPECT_EQ(launch->variables[0].initializer, "{1}");
    const auto place = place_of(launch->arena + 256 + 396, *launch);
    ASSERT_TRUE(place);
    EXPECT_EQ(place->allocation, 0u);
    EXPECT_EQ(place->offset, 396u);
    EXPECT_FALSE(place_of(launch->arena + 256 + 400, *launch));
    EXPECT_FALSE(place_of(launch->arena, *launch));
    EXPECT_FALSE(place_of(5, *launch));
}

TEST(program_launch, names_of_kernels_are_found_in_what_compilers_write) {
    ProgramLaunch launch;
    launch.function = "void sim::{anonymous}::advect(float*, int)";
    EXPECT_EQ(launch.plain_name(), "sim::advect");
    launch.function = "void sim::(anonymous namespace)::advect(float*, int)";
    EXPECT_EQ(launch.plain_name(), "sim::advect");
    launch.function = "void tile<float, 2>::run(int) [with int N = 3; T = float]";
    EXPECT_EQ(launch.plain_name(), "tile::run");
}

TEST(program_launch, lines_that_are_no_launch_are_refused) {
    for (const std::string& bad : {std::string("hello"), std::string("[]"), line(R"(["0g"])"),
                                   line(R"(["00","00","00"])"), line(R"(["0001000000100000","60000000"])")})
        EXPECT_FALSE(read_program_launch(bad, arena_bytes)) << bad;
    EXPECT_FALSE(read_program_launch(line(), 1000)) << "an allocation ends outside of the arena";
    std::string empty_grid = line();
    empty_grid.replace(empty_grid.find("[3,1,1]"), 7, "[0,1,1]");
    EXPECT_THAT(read_program_launch(empty_grid, arena_bytes).error().message,
                HasSubstr("line 71 has wrong grid extents"));
}

TEST(program_launch, a_draft_keeps_relations_that_hold_and_takes_numbers_where_they_do_not) {
    const auto launch = read_program_launch(line(), arena_bytes);
    ASSERT_TRUE(launch);
    const auto taken = with_program_launch(draft(), *launch);
    ASSERT_TRUE(taken) << taken.error().message;
    EXPECT_EQ(taken->draft.grid[0], "ceil_div(n, 32)") << "which is 3";
    EXPECT_EQ(taken->draft.block[0], "32");
    EXPECT_EQ(taken->draft.arguments[0].length, "100") << "n is 96";
    EXPECT_EQ(taken->draft.arguments[1].value, "96");
    EXPECT_EQ(taken->draft.arguments[2].value, "0.5");
    EXPECT_EQ(taken->draft.arguments[1].from, "the program's run, line 71");
    ASSERT_EQ(taken->buffers.size(), 1u);
    EXPECT_EQ(taken->buffers[0].bytes, 400u);
    EXPECT_TRUE(taken->buffers[0].filled);
}

TEST(program_launch, pointers_into_one_allocation_share_it) {
    LaunchDraft two = draft();
    two.arguments[1] = two.arguments[0];
    two.arguments[1].name = "y";
    std::string text = line(R"(["0001000000100000","2801000000100000","000000000000e03f"])");
    text.replace(text.find("[true,false"), 11, "[true,true");
    const auto both = read_program_launch(text, arena_bytes);
    ASSERT_TRUE(both) << both.error().message;
    const auto taken = with_program_launch(two, *both);
    ASSERT_TRUE(taken) << taken.error().message;
    EXPECT_EQ(taken->draft.arguments[1].shares, "x");
    EXPECT_EQ(taken->draft.arguments[1].offset, "10");
    EXPECT_EQ(taken->buffers.size(), 1u);
}

TEST(program_launch, a_structure_is_read_word_by_word_and_its_pointers_are_buffers) {
    LaunchDraft one = draft();
    one.arguments.resize(1);
    one.arguments[0].kind = DraftArgument::Kind::structure;
    one.arguments[0].name = "params";
    one.arguments[0].bytes = 16;
    std::string text = line(R"(["60000000000000000001000000100000"])");
    text.replace(text.find("[true,false,false]"), 18, "[false]");
    const auto launch = read_program_launch(text, arena_bytes);
    ASSERT_TRUE(launch) << launch.error().message;
    const auto taken = with_program_launch(one, *launch);
    ASSERT_TRUE(taken) << taken.error().message;
    EXPECT_EQ(taken->draft.arguments[0].value, "struct:{u32=96, u32=0, ptr=params_1}");
    ASSERT_EQ(taken->draft.targets.size(), 1u);
    EXPECT_EQ(taken->draft.targets[0].length, "100");
}

TEST(program_launch, an_argument_may_point_to_what_a_structure_points_to) {
    LaunchDraft two = draft();
    two.arguments.resize(2);
    two.arguments[1] = two.arguments[0];
    two.arguments[0].kind = DraftArgument::Kind::structure;
    two.arguments[0].name = "params";
    two.arguments[0].bytes = 8;
    std::string text = line(R"(["0001000000100000","0801000000100000"])");
    text.replace(text.find("[true,false,false]"), 18, "[false,true]");
    const auto launch = read_program_launch(text, arena_bytes);
    ASSERT_TRUE(launch) << launch.error().message;
    const auto taken = with_program_launch(two, *launch);
    ASSERT_TRUE(taken) << taken.error().message;
    EXPECT_EQ(taken->draft.arguments[1].shares, "params_1");
    EXPECT_EQ(taken->draft.arguments[1].offset, "2");
    EXPECT_EQ(taken->buffers.size(), 1u);
}

/// Of k(void** table) with three allocations: a table at 256, two arrays at 1024 and 2048.
ProgramLaunch table_launch() {
    const auto launch = read_program_launch(
        R"({"symbol":"_Z1kPPv","function":"k","file":"a.cu","line":3,"grid":[1,1,1],)"
        R"("block":[32,1,1],"shared":0,"cooperative":false,"arguments":["0001000000100000"],)"
        R"("pointers":[true],"base":17592186044416,"allocations":[)"
        R"({"name":"table","offset":256,"bytes":32,"filled":true},)"
        R"({"name":"&rows[i]","offset":1024,"bytes":64,"filled":true},)"
        R"({"name":"&rows[i]","offset":2048,"bytes":64,"filled":false},)"
        R"({"name":"other","offset":4096,"bytes":64,"filled":true}],"variables":[]})",
        arena_bytes);
    EXPECT_TRUE(launch) << launch.error().message;
    return launch ? *launch : ProgramLaunch();
}

TEST(program_launch, addresses_in_memory_lead_to_buffers_that_lie_where_the_program_has_them) {
    const ProgramLaunch launch = table_launch();
    std::vector<std::byte> arena(8192);
    const auto put = [&](std::uint64_t at, std::uint64_t word) {
        std::memcpy(arena.data() + at, &word, sizeof word);
    };
    put(256, launch.arena + 1024);       // the table leads to a row
    put(264, launch.arena + 1024 + 64);  // its end, which is no address of it
    put(1024 + 8, launch.arena + 2100);  // into the middle of the other row
    ProgramContents contents;
    contents.memory = [&](const ProgramAllocation& allocation) {
        return std::span<const std::byte>(arena).subspan(allocation.offset, allocation.bytes);
    };
    LaunchDraft one = draft();
    one.arguments.resize(1);
    const auto taken = with_program_launch(one, launch, contents);
    ASSERT_TRUE(taken) << taken.error().message;
    EXPECT_TRUE(taken->draft.linked);
    EXPECT_EQ(taken->draft.arguments[0].address, launch.arena + 256);
    ASSERT_EQ(taken->draft.targets.size(), 2u) << "nothing leads to the fourth";
    EXPECT_EQ(taken->draft.targets[0].name, "rows");
    EXPECT_EQ(taken->draft.targets[0].address, launch.arena + 1024);
    EXPECT_EQ(taken->draft.targets[1].name, "rows_1");
    EXPECT_EQ(taken->draft.targets[1].address, launch.arena + 2048);
    EXPECT_EQ(taken->buffers.size(), 3u);

    put(256, 0);
    const auto without = with_program_launch(one, launch, contents);
    ASSERT_TRUE(without);
    EXPECT_FALSE(without->draft.linked);
    EXPECT_TRUE(without->draft.targets.empty());
    const std::uint64_t in_a_variable = launch.arena + 4096;
    contents.others.push_back(std::as_bytes(std::span(&in_a_variable, 1)));
    const auto with_variable = with_program_launch(one, launch, contents);
    ASSERT_TRUE(with_variable);
    ASSERT_EQ(with_variable->draft.targets.size(), 1u);
    EXPECT_EQ(with_variable->draft.targets[0].name, "other");
}

TEST(program_launch, the_end_of_a_range_is_passed_as_a_number) {
    const auto launch =
        read_program_launch(line(R"(["9002000000100000","60000000","000000000000e03f"])"), arena_bytes);
    ASSERT_TRUE(launch);
    const auto taken = with_program_launch(draft(), *launch);
    ASSERT_TRUE(taken) << taken.error().message;
    EXPECT_EQ(taken->draft.arguments[0].kind, DraftArgument::Kind::scalar);
    EXPECT_EQ(taken->draft.arguments[0].value, std::to_string(launch->arena + 256 + 400));
    EXPECT_TRUE(taken->draft.linked);
}

TEST(program_launch, a_library_is_named_by_a_word) {
    EXPECT_EQ(read_program_library(R"({"library":"cuBLAS"})"), "cuBLAS");
    EXPECT_EQ(read_program_library(R"({"library":"a b\n"})"), "a");
    EXPECT_FALSE(read_program_library(R"({"library":3})"));
    EXPECT_FALSE(read_program_library(line()));
    EXPECT_FALSE(read_program_library("library"));
}

TEST(program_launch, what_cannot_be_passed_on_is_said) {
    const auto error = [](const std::string& arguments) {
        const auto launch = read_program_launch(line(arguments), arena_bytes);
        return launch ? with_program_launch(draft(), *launch).error().message : launch.error().message;
    };
    EXPECT_THAT(error(R"(["0500000000000000","60000000","000000000000e03f"])"),
                HasSubstr("x points to no memory of the device"));
    EXPECT_THAT(error(R"(["0001000000100000","60000000","000000000000f07f"])"),
                HasSubstr("a is not a finite number"));
    EXPECT_THAT(error(R"(["0001000000100000","6000000000000000","000000000000e03f"])"),
                HasSubstr("passes 8 bytes for n"));
}

TEST(program_launch, an_entry_is_found_by_its_symbol_or_by_its_name_and_sizes) {
    auto launch = read_program_launch(line(), arena_bytes);
    ASSERT_TRUE(launch);
    const std::vector<Parameter> parameters{{"p0", "u64", 8, 0}, {"p1", "u32", 4, 8}, {"p2", "f64", 8, 16}};
    std::vector<EntryFacts> entries(2);
    entries[0].symbol = "_Z1jPfid", entries[0].name = "j", entries[0].parameters = parameters;
    entries[1].symbol = "_Z1kPfid", entries[1].name = "other", entries[1].parameters = parameters;
    EXPECT_EQ(entry_of(*launch, entries), &entries[1]);
    entries[1].symbol = "_ZN4sums12_GLOBAL__N_11kEPfid",
    entries[1].name = "sums::(anonymous namespace)::k<3>";
    EXPECT_EQ(entry_of(*launch, entries), &entries[1]);
    entries[0].name = "sums::k";
    EXPECT_EQ(entry_of(*launch, entries), nullptr) << "it could be both";
}

TEST(program_launch, variables_and_textures_lie_within_the_arena) {
    const auto of = [](const std::string& rest) {
        return read_program_launch(line(R"(["0001000000100000","60000000","000000000000e03f"])", rest),
                                   arena_bytes);
    };
    const std::string image =
        R"(,"images":[{"handle":77,"offset":256,"width":10,"height":5,"depth":0,"layers":0,"pitch":64,"channels":1,)"
        R"("format":"f32","address":"wrap","filter":"linear","surface":false,"cube":false,"normalised":true,)"
        R"("reads_normalised":false}])";
    const auto launch = of(image);
    ASSERT_TRUE(launch) << launch.error().message;
    ASSERT_EQ(launch->images.size(), 1u);
    EXPECT_EQ(launch->images[0].row_bytes(), 40u);
    EXPECT_EQ(launch->images[0].bytes(), 4 * 64u + 40);
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string changed = image;
        changed.replace(changed.find(from), from.size(), to);
        return of(changed);
    };
    EXPECT_FALSE(with("\"offset\":256", "\"offset\":1048570")) << "it ends outside of the arena";
    EXPECT_FALSE(with("\"pitch\":64", "\"pitch\":39"));
    EXPECT_FALSE(with("\"pitch\":64", "\"pitch\":0"));
    EXPECT_FALSE(with("\"width\":10", "\"width\":18446744073709551615"));
    EXPECT_FALSE(with("f32", "f64"));
    EXPECT_FALSE(with("wrap", "warp"));

    const auto variable = read_program_variable(R"({"variable":"m","offset":512,"bytes":16})", arena_bytes);
    ASSERT_TRUE(variable);
    EXPECT_EQ(variable->name, "m");
    EXPECT_EQ(variable->offset, 512u);
    EXPECT_FALSE(read_program_variable(line(), arena_bytes)) << "a launch";
    EXPECT_FALSE(read_program_variable(R"({"variable":"m","offset":1048570,"bytes":16})", arena_bytes));
}

TEST(program_launch, a_texture_of_the_program_becomes_one_with_its_extents_and_rows) {
    const auto launch = read_program_launch(
        line(R"(["4d00000000000000","60000000","000000000000e03f"])",
             R"(,"images":[{"handle":77,"offset":256,"width":10,"height":5,"depth":0,"layers":0,"pitch":64,)"
             R"("channels":1,"format":"f32","address":"wrap","filter":"linear","surface":false,"cube":false,)"
             R"("normalised":true,"reads_normalised":false}])"),
        arena_bytes);
    ASSERT_TRUE(launch) << launch.error().message;
    LaunchDraft guessed = draft();
    guessed.arguments[0].kind = DraftArgument::Kind::image;
    const auto taken = with_program_launch(guessed, *launch);
    ASSERT_TRUE(taken) << taken.error().message;
    EXPECT_EQ(taken->draft.arguments[0].value,
              "texture:f32[10,5]=zero,filter=linear,address=wrap,normalised");
    ASSERT_EQ(taken->buffers.size(), 1u);
    EXPECT_EQ(taken->buffers[0].bytes, 200u);
    EXPECT_EQ(taken->buffers[0].pitch, 64u);
    EXPECT_TRUE(taken->buffers[0].is_read);
    const auto with_file = with_texels_of_file(taken->draft.arguments[0], "/tmp/x.bin");
    ASSERT_TRUE(with_file);
    EXPECT_EQ(*with_file, "texture:f32[10,5]=file:/tmp/x.bin,filter=linear,address=wrap,normalised");
    guessed.arguments[1].kind = DraftArgument::Kind::image;
    EXPECT_FALSE(with_program_launch(guessed, *launch)) << "96 is not a handle";
}

TEST(program_launch, a_kernel_with_a_lambda_is_found_by_its_line) {
    auto launch = *read_program_launch(line(), arena_bytes);
    launch.symbol.clear();
    launch.function =
        "void run(float*, int, F) [with F = warplens_program::LambdaAt<18, main()::<lambda(int)> >]";
    const std::vector<Parameter> parameters{{"p0", "u64", 8, 0}, {"p1", "u32", 4, 8}, {"p2", "b8", 8, 16}};
    const std::vector<EntryFacts> entries{{"a", "run<lambda_in_line_1>", parameters, 0},
                                          {"b", "run<lambda_in_line_18>", parameters, 0},
                                          {"c", "run<lambda_in_line_180>", parameters, 0}};
    ASSERT_NE(entry_of(launch, entries), nullptr);
    EXPECT_EQ(entry_of(launch, entries)->symbol, "b");
}

}  // namespace
}  // namespace warplens::instrumentation

// The note on a uniform register that lanes which are apart need for two values: in random kernels whose
// machine code by ptxas 13.0 is known to share one, and in none of the catalogue.
#ifdef WARPLENS_SASS

#include <gmock/gmock.h>

#include "both_levels.h"
#include "instrumentation/catalog/catalogue.h"
#include "tests/support/random_kernel.h"

namespace warplens::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

bool has_the_compiler_of_the_seeds() {
    return levels_pipeline().compiler().description().starts_with("NVRTC 13.0");
}

std::vector<Problem> shared_register_notes(std::shared_ptr<const instrumentation::KernelFile> kernel,
                                           ExecuteOptions::Races races, Level level = Level::machine) {
    LaunchRequest request{std::move(kernel), {}, {}, {}};
    request.level = level;
    auto loaded = levels_pipeline().load(request);
    EXPECT_TRUE(loaded) << loaded.error().message;
    if (!loaded) return {};
    ExecuteOptions options;
    options.races = races;
    const auto executed = levels_pipeline().execute(std::move(*loaded), options);
    EXPECT_TRUE(executed) << executed.error().message;
    if (!executed) return {};
    std::vector<Problem> notes = executed->report->notes;
    std::erase_if(notes, [](const Problem& note) { return note.kind != ProblemKind::shared_register; });
    return notes;
}

std::vector<Problem> notes_of_seed(std::uint64_t seed, ExecuteOptions::Races races,
                                   Level level = Level::machine) {
    return shared_register_notes(kernel_of(fmt::format("random_{}", seed), random_kernel(seed)), races,
                                 level);
}

TEST(shared_register_notes, name_the_register_its_reader_and_its_writer) {
    if (!has_the_compiler_of_the_seeds()) GTEST_SKIP() << "needs NVRTC 13.0, whose machine code is known";
    const auto notes = notes_of_seed(50078, ExecuteOptions::Races::within_budget);
    ASSERT_FALSE(notes.empty());
    for (const Problem& note : notes) {
        EXPECT_THAT(note.element, testing::StartsWith("UR"));
        EXPECT_THAT(note.message, AllOf(HasSubstr("need " + note.element + " for two values"),
                                        HasSubstr(fmt::format("at line {} (", note.other->line))));
        EXPECT_GT(note.line, 0u);
        EXPECT_THAT(note.file, HasSubstr("random_50078.cu"));
    }
    const auto in_this_order = [](const Problem& note) {
        return note.message.find("other lanes write it before that") != std::string::npos;
    };
    EXPECT_TRUE(std::ranges::any_of(notes, in_this_order));
}

// Their results on an H200 are not those of the PTX level: it runs the sides in this order, too.
TEST(shared_register_notes, are_in_the_order_that_a_gpu_runs) {
    if (!has_the_compiler_of_the_seeds()) GTEST_SKIP() << "needs NVRTC 13.0, whose machine code is known";
    for (const int seed : {30411, 31595, 50603, 59443, 301070}) {
        SCOPED_TRACE(seed);
        const auto notes = notes_of_seed(seed, ExecuteOptions::Races::within_budget);
        EXPECT_FALSE(notes.empty());
        for (const Problem& note : notes)
            EXPECT_THAT(note.message, HasSubstr("other lanes write it before that"));
    }
}

// A division in 64 bits takes 0 from UR4, to which other lanes write the lower half of local memory's
// address: another number in each process on an H200, and its results were others in each.
TEST(shared_register_notes, tell_the_address_of_local_memory_from_0) {
    if (!has_the_compiler_of_the_seeds()) GTEST_SKIP() << "needs NVRTC 13.0, whose machine code is known";
    const auto notes = notes_of_seed(90073, ExecuteOptions::Races::within_budget);
    EXPECT_THAT(notes, testing::Contains(testing::Field(&Problem::element, "UR4")));
}

TEST(shared_register_notes, are_given_where_the_engine_happens_to_run_the_harmless_order) {
    if (!has_the_compiler_of_the_seeds()) GTEST_SKIP() << "needs NVRTC 13.0, whose machine code is known";
    EXPECT_TRUE(std::ranges::any_of(
        notes_of_seed(56919, ExecuteOptions::Races::within_budget), [](const Problem& note) {
            return note.message.find("may come first on a GPU") != std::string::npos;
        }));
}

// Lanes that leave the loop early go on when the others give way in it, and write UR4 and UR5. An H200 reads
// an illegal address at the same instruction.
TEST(shared_register_notes, are_given_where_lanes_that_gave_way_need_the_old_value) {
    if (!has_the_compiler_of_the_seeds()) GTEST_SKIP() << "needs NVRTC 13.0, whose machine code is known";
    LaunchRequest request{kernel_of("random_52098", random_kernel(52098)), {}, {}, {}};
    request.level = Level::machine;
    auto loaded = levels_pipeline().load(request);
    ASSERT_TRUE(loaded) << loaded.error().message;
    ExecuteOptions options;
    options.races = ExecuteOptions::Races::within_budget;
    const auto executed = levels_pipeline().execute(std::move(*loaded), options);
    ASSERT_TRUE(executed) << executed.error().message;
    ASSERT_FALSE(executed->report->problems.empty());
    EXPECT_EQ(executed->report->problems.front().kind, ProblemKind::out_of_bounds);
    EXPECT_EQ(executed->report->problems.front().line, 110u);
    EXPECT_TRUE(std::ranges::any_of(executed->report->notes, [](const Problem& note) {
        return note.kind == ProblemKind::shared_register && note.element == "UR4" && note.line == 110u;
    }));
}

TEST(shared_register_notes, need_the_machine_level_and_a_search) {
    if (!has_the_compiler_of_the_seeds()) GTEST_SKIP() << "needs NVRTC 13.0, whose machine code is known";
    EXPECT_THAT(notes_of_seed(50603, ExecuteOptions::Races::off), IsEmpty());
    EXPECT_THAT(notes_of_seed(50603, ExecuteOptions::Races::within_budget, Level::ptx), IsEmpty());
}

TEST(shared_register_notes, are_not_given_for_kernels_whose_lanes_go_apart) {
    const auto all = catalogue();
    ASSERT_TRUE(all) << all.error().message;
    for (const char* const name : {"branch_nested", "reduce_interleaved", "early_exit", "collatz",
                                   "adaptive_area", "mandelbrot", "barrier_phases"}) {
        const auto kernel = instrumentation::find_kernel(*all, name);
        ASSERT_TRUE(kernel) << kernel.error().message;
        EXPECT_THAT(shared_register_notes(std::make_shared<const instrumentation::KernelFile>(**kernel),
                                          ExecuteOptions::Races::within_budget),
                    IsEmpty())
            << name;
    }
}

}  // namespace
}  // namespace warplens::app

#endif

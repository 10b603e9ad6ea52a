// Problems and notes that stand once though several instructions of a line have them.
#include "core/problem.h"

#include <gtest/gtest.h>

namespace warplens {
namespace {

std::vector<Problem> merged_with_its_copy_at_another_site(ProblemKind kind, const char* element) {
    Problem one;
    one.kind = kind;
    one.site = 3;
    one.file = "k.cu";
    one.line = 7;
    one.element = "a[5]";
    Problem other = one;
    other.site = 4;
    other.element = element;
    std::vector<Problem> all{one};
    merge_problems(all, {other});
    return all;
}

TEST(merge_problems, counts_what_is_doubted_at_several_sites_of_a_line_once) {
    for (const ProblemKind kind : {ProblemKind::doubtful_race, ProblemKind::doubtful_address,
                                   ProblemKind::global_race, ProblemKind::out_of_bounds}) {
        const auto all = merged_with_its_copy_at_another_site(kind, "a[6]");
        ASSERT_EQ(all.size(), 1u) << to_string(kind);
        EXPECT_EQ(all[0].count, 2u);
        EXPECT_EQ(merged_with_its_copy_at_another_site(kind, "b[6]").size(), 2u) << "of another array";
    }
    EXPECT_EQ(merged_with_its_copy_at_another_site(ProblemKind::lockstep, "a[6]").size(), 2u);
}

}  // namespace
}  // namespace warplens

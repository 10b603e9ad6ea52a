// Problems of grids that device code launched: a trace holds the host's grid only, so they have no sites, and
// their blocks are not the trace's.
#include <gmock/gmock.h>

#include "tests/support/synthetic.h"
#include "trace/check.h"
#include "trace/file/description.h"

namespace warplens::trace {
namespace {

Problem problem_of_child() {
    Problem problem;
    problem.kind = ProblemKind::failed_launch;
    problem.message = "The launch failed.";
    problem.child = "child";
    problem.line = 12;
    problem.block = {1000, 0, 0};
    problem.other.emplace().line = 14;
    return problem;
}

TEST(child_problem, is_read_again_as_it_was_written) {
    const Problem written = problem_of_child();
    const auto read = parse_problems(describe_problems({written}));
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(read->size(), 1u);
    EXPECT_EQ(read->front().kind, written.kind);
    EXPECT_EQ(read->front().child, "child");
    EXPECT_EQ(read->front().block, written.block);
    EXPECT_EQ(read->front().other, written.other);
}

TEST(child_problem, may_name_any_block_and_no_site) {
    Trace trace = make_example(ExampleShape::tiny());
    trace.problems = {problem_of_child()};
    EXPECT_TRUE(check(trace)) << check(trace).error().message;
    trace.problems[0].site = 0;
    ASSERT_FALSE(check(trace));
    EXPECT_THAT(check(trace).error().message, testing::HasSubstr("a problem of a child grid names site 0"));
    trace.problems[0] = problem_of_child();
    trace.problems[0].child.clear();
    EXPECT_FALSE(check(trace)) << "its block is not in the grid";
}

}  // namespace
}  // namespace warplens::trace

// Control-flow graphs of the shapes that compilers generate from C++, and of one that needs a goto.
#include "ptx/control_flow.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/ptx/corpus.h"
#include "tests/ptx/ptx_text.h"

namespace warplens::ptx {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A graph whose blocks are found by the label they begin with; the first block is "".
struct LabelledGraph {
    explicit LabelledGraph(const std::string& body)
        : module(parsed(kernel_text(body))), graph(build_control_flow(module.functions.at(0))) {}

    std::string label(FlowBlockId block) const {
        if (block == no_flow_block) return "end";
        const auto& statements = module.functions[0].body;
        const auto* label = std::get_if<LabelStatement>(&statements[graph.blocks[block].first_statement]);
        return label != nullptr ? label->name : block == 0 ? "start" : fmt::format("#{}", block);
    }
    const FlowBlock& block(const std::string& name) const {
        for (FlowBlockId id = 0; id < graph.blocks.size(); ++id)
            if (label(id) == name) return graph.blocks[id];
        ADD_FAILURE() << "no block " << name;
        return graph.blocks.front();
    }
    std::vector<std::string> successors(const std::string& name) const {
        std::vector<std::string> names;
        for (const FlowBlockId id : block(name).successors) names.push_back(label(id));
        return names;
    }
    std::string post_dominator(const std::string& name) const { return label(block(name).post_dominator); }

    Module module;
    ControlFlowGraph graph;
};

TEST(control_flow, branch_has_its_target_and_the_next_block_as_successors) {
    const LabelledGraph g("@%p1 bra ELSE; mov.u32 %r1, 1; bra END; ELSE: mov.u32 %r1, 2; END: ret;");
    EXPECT_THAT(g.successors("start"), ElementsAre("ELSE", "#1"));
    EXPECT_THAT(g.successors("#1"), ElementsAre("END"));
    EXPECT_THAT(g.successors("ELSE"), ElementsAre("END"));
    EXPECT_THAT(g.successors("END"), IsEmpty());
    EXPECT_THAT(g.block("END").predecessors, ElementsAre(1u, 2u));
    EXPECT_TRUE(g.block("END").leaves);
    EXPECT_FALSE(g.block("ELSE").leaves);
    EXPECT_EQ(g.post_dominator("start"), "END");
    EXPECT_EQ(g.post_dominator("END"), "end");
}

TEST(control_flow, instructions_of_loops_count_ten_times_for_each_around_them) {
    const auto guessed = [](const std::string& body) {
        return guessed_instructions(parsed(kernel_text(body)).functions.at(0));
    };
    EXPECT_EQ(guessed("mov.u32 %r1, 1; ret;"), 2);
    EXPECT_EQ(guessed("mov.u32 %r1, 1; OUT: mov.u32 %r2, 1; IN: mov.u32 %r3, 1; @%p1 bra IN; "
                      "@%p2 bra IN; @%p1 bra OUT; bra END; END: ret;"),
              1 + 10 + 3 * 100 + 10 + 2);
}

TEST(control_flow, return_inside_an_arm_makes_the_end_the_post_dominator) {
    const LabelledGraph g(
        "@%p1 bra ARM; bra JOIN; ARM: @%p2 bra LEAVE; bra JOIN; LEAVE: ret; JOIN: mov.u32 %r1, 1; ret;");
    EXPECT_EQ(g.post_dominator("start"), "end");
    EXPECT_EQ(g.post_dominator("ARM"), "end");
    EXPECT_EQ(g.post_dominator("#1"), "JOIN");
}

TEST(control_flow, guarded_return_leaves_and_falls_through) {
    const LabelledGraph g("@%p1 ret; A: mov.u32 %r1, 1; bra A2; A2: @!%p1 exit; B: ret;");
    EXPECT_TRUE(g.block("start").leaves);
    EXPECT_THAT(g.successors("start"), ElementsAre("A"));
    EXPECT_EQ(g.post_dominator("start"), "end");
    EXPECT_EQ(g.post_dominator("A"), "A2");
    EXPECT_THAT(g.successors("A2"), ElementsAre("B"));
}

TEST(control_flow, switch_fallthrough_meets_in_the_next_case) {
    const LabelledGraph g(
        "@%p1 bra CASE1; @%p2 bra CASE2; bra DEFAULT; CASE1: mov.u32 %r1, 1;\n"
        "CASE2: mov.u32 %r2, 2; bra BREAK; DEFAULT: mov.u32 %r3, 3; BREAK: ret;");
    EXPECT_THAT(g.successors("CASE1"), ElementsAre("CASE2"));
    EXPECT_EQ(g.post_dominator("CASE1"), "CASE2");
    EXPECT_EQ(g.post_dominator("CASE2"), "BREAK");
    EXPECT_EQ(g.post_dominator("start"), "BREAK");
}

TEST(control_flow, short_circuit_condition_post_dominates_only_behind_both_arms) {
    // if ((a && b) || c) THEN else ELSE
    const LabelledGraph g(
        "@!%p1 bra C; @%p2 bra THEN; C: @!%p3 bra ELSE; THEN: mov.u32 %r1, 1; bra END; ELSE: mov.u32 %r1, "
        "2;\n"
        "END: ret;");
    EXPECT_EQ(g.post_dominator("start"), "END");
    EXPECT_EQ(g.post_dominator("#1"), "END");
    EXPECT_EQ(g.post_dominator("C"), "END");
    EXPECT_THAT(g.block("THEN").predecessors.size(), 2u);
}

TEST(control_flow, loops_with_break_and_continue_are_reducible) {
    const LabelledGraph g(
        "OUTER: @%p1 bra END; INNER: @%p2 bra OUTER; @%p3 bra END; @%p4 bra INNER; bra OUTER; END: ret;");
    EXPECT_EQ(g.post_dominator("INNER"), "END");
    EXPECT_EQ(g.post_dominator("OUTER"), "END");
    EXPECT_FALSE(is_irreducible(g.graph));
}

TEST(control_flow, goto_into_a_loop_is_irreducible_and_still_has_post_dominators) {
    const LabelledGraph g("@%p1 bra B; A: mov.u32 %r1, 1; B: mov.u32 %r2, 2; @%p2 bra A; END: ret;");
    EXPECT_TRUE(is_irreducible(g.graph));
    EXPECT_EQ(g.post_dominator("start"), "B");
    EXPECT_EQ(g.post_dominator("A"), "B");
    EXPECT_EQ(g.post_dominator("B"), "END");
}

TEST(control_flow, endless_loop_has_no_post_dominator) {
    const LabelledGraph g("@%p1 bra SPIN; ret; SPIN: bra SPIN;");
    EXPECT_EQ(g.post_dominator("SPIN"), "end");
    EXPECT_THAT(g.successors("SPIN"), ElementsAre("SPIN"));
    EXPECT_EQ(g.post_dominator("start"), "#1");
}

TEST(control_flow, barriers_end_no_flow_block_and_running_off_the_end_leaves) {
    const LabelledGraph g("mov.u32 %r1, 1; bar.sync 0; mov.u32 %r1, 2;");
    ASSERT_EQ(g.graph.blocks.size(), 1u);
    EXPECT_TRUE(g.graph.blocks[0].leaves);
    EXPECT_THAT(build_control_flow(Function{}).blocks, IsEmpty());
}

TEST(control_flow, no_function_of_the_corpus_is_irreducible_and_edges_agree_both_ways) {
    for (const auto& path : corpus())
        for (const Function& function : parsed(read(path)).functions) {
            const ControlFlowGraph graph = build_control_flow(function);
            EXPECT_FALSE(is_irreducible(graph)) << function.name << " in " << path;
            std::size_t forward = 0, backward = 0;
            for (FlowBlockId id = 0; id < graph.blocks.size(); ++id) {
                forward += graph.blocks[id].successors.size();
                backward += graph.blocks[id].predecessors.size();
                EXPECT_EQ(graph.block_of(graph.blocks[id].first_statement), id);
                EXPECT_EQ(graph.block_of(graph.blocks[id].end_statement - 1), id);
            }
            EXPECT_EQ(forward, backward);
        }
}

}  // namespace
}  // namespace warplens::ptx

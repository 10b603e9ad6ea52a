#include "analysis/report/approximate_math.h"

#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/folders.h"
#include "tests/support/read_json.h"

namespace warplens::analysis {
namespace {

using testing::HasSubstr;

/// A program of these forms, each executed by as many warps as it has letters.
std::pair<Program, LaunchReport> launch_of(const std::vector<std::string>& forms) {
    Program program;
    LaunchReport report;
    for (const std::string& form : forms) {
        Site site;
        site.opcode = form;
        program.sites.push_back(site);
        SiteReport executed;
        executed.site = static_cast<SiteId>(report.sites.size());
        executed.steps = form.starts_with("cos") ? 0 : form.size();
        report.sites.push_back(executed);
    }
    return {program, report};
}

TEST(approximations, are_those_that_were_executed_each_form_once_in_the_programs_order) {
    const auto [program, report] = launch_of({"sin.approx.ftz.f32", "add.f32", "ex2.approx.f32",
                                              "cos.approx.f32", "sqrt.rn.f32", "sin.approx.ftz.f32"});
    const auto found = approximations(report, program);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].form, "sin.approx.ftz.f32");
    EXPECT_EQ(found[0].steps, 36u);
    EXPECT_THAT(found[0].sites, testing::ElementsAre(0u, 5u));
    EXPECT_EQ(found[0].bound->allowed, "2^-20.5 absolute");
    EXPECT_EQ(found[1].form, "ex2.approx.f32");
}

TEST(approximations, of_correctly_rounded_functions_there_are_none) {
    for (const char* form :
         {"div.rn.f32", "sqrt.rn.ftz.f32", "rcp.rz.f64", "div.s32", "fma.rn.f32", "tex.2d.v4.f32.f32"})
        EXPECT_EQ(approximation_bound(form), nullptr) << form;
    EXPECT_EQ(approximation_bound("rsqrt.approx.ftz.f64")->allowed, "2^-19 relative");
    EXPECT_EQ(approximation_bound("rsqrt.approx.f64")->allowed, "2^-22 relative");
}

TEST(approximations, stand_in_both_reports_with_what_is_allowed_and_what_the_engine_does) {
    const auto [program, report] = launch_of({"ex2.approx.ftz.f32"});
    EXPECT_THAT(to_text(report, program),
                HasSubstr("ex2.approx.ftz.f32      2 ulp (all operands); the CPU engine is "
                          "within 0.51 ulp"));
    const auto json = read_json(to_json(report, program));
    EXPECT_EQ(json["approximations"][0]["allowed_error"], "2 ulp");
    EXPECT_EQ(json["approximations"][0]["engine_error"], "0.51 ulp");
    EXPECT_EQ(json["approximations"][0]["steps"], 18);
    const auto [exact, none] = launch_of({"add.f32"});
    EXPECT_TRUE(read_json(to_json(none, exact))["approximations"].empty());
    EXPECT_THAT(to_text(none, exact), testing::Not(HasSubstr("Approximate")));
}

TEST(approximations, have_the_bounds_that_the_documentation_states) {
    std::ifstream file(source_folder() + "/docs/approximate_math.md");
    std::vector<std::string> rows;
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("| `")) rows.push_back(line);
    ASSERT_GT(rows.size(), 10u);
    for (const char* form :
         {"div.approx.f32", "div.full.f32", "rcp.approx.f32", "sqrt.approx.f32", "rsqrt.approx.f32",
          "ex2.approx.f32", "lg2.approx.f32", "sin.approx.f32", "cos.approx.f32", "tanh.approx.f32",
          "rcp.approx.ftz.f64", "rsqrt.approx.f64", "ex2.approx.f16", "ex2.approx.ftz.bf16",
          "tanh.approx.f16", "tanh.approx.bf16"}) {
        const ApproximationBound* bound = approximation_bound(form);
        ASSERT_NE(bound, nullptr) << form;
        const std::string type = "." + std::string(bound->type);
        const auto states_it = [&](const std::string& row) {
            const std::string head = row.substr(0, row.find(" |", 2));
            return head.find("`" + std::string(bound->opcode) + ".") != std::string::npos &&
                   head.find(bound->word) != std::string::npos && head.find(type) != std::string::npos &&
                   row.find(bound->allowed) != std::string::npos &&
                   row.find(bound->engine) != std::string::npos;
        };
        EXPECT_EQ(std::ranges::count_if(rows, states_it), 1) << form;
    }
}

}  // namespace
}  // namespace warplens::analysis

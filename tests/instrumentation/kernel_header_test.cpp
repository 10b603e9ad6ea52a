// Reading a kernel's header: valid ones, and the messages for mistakes.
#include <gmock/gmock.h>

#include "instrumentation/catalog/expected_problems.h"
#include "instrumentation/catalog/header_comment.h"
#include "tests/instrumentation/header_text.h"

namespace warplens::instrumentation {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

std::string error_with(const std::string& from, const std::string& to) {
    return message_of(read_kernel_file("kernels/scale.cu", sample_with(from, to)));
}

}  // namespace

TEST(kernel_header, declares_everything_about_the_kernel) {
    const KernelFile kernel = sample_kernel();
    EXPECT_TRUE(kernel.has_header);
    EXPECT_EQ(kernel.name, "scale");
    EXPECT_EQ(kernel.entry, "scale");
    EXPECT_EQ(kernel.title, "Scale");
    EXPECT_EQ(kernel.subject, "Tests");
    EXPECT_EQ(kernel.lesson, "Multiplies.");
    EXPECT_THAT(kernel.views, ElementsAre("sectors", "lanes"));
    EXPECT_THAT(kernel.arguments, ElementsAre("out", "in", "n", "a"));
    EXPECT_THAT(kernel.grid, ElementsAre("ceil_div(n, block)"));
    EXPECT_EQ(kernel.dynamic_shared_bytes, "0");
    ASSERT_EQ(kernel.golden.size(), 1u);
    EXPECT_EQ(kernel.golden[0].buffer, "out");
    EXPECT_EQ(kernel.golden[0].tolerance, 0);
}

TEST(kernel_header, says_where_a_kernel_is_wrong_on_purpose) {
    auto kernel =
        read_kernel_file("kernels/scale.cu", sample_with("title   =", "wrong = \"n // 100\"\ntitle ="));
    ASSERT_TRUE(kernel) << kernel.error().message;
    EXPECT_EQ(is_wrong_on_purpose(*kernel, *resolve_parameters(*kernel, {})), true);
    EXPECT_EQ(is_wrong_on_purpose(*kernel, *resolve_parameters(*kernel, {{"n", "99"}})), false);
    EXPECT_EQ(is_wrong_on_purpose(sample_kernel(), *resolve_parameters(sample_kernel(), {})), false);
    const ExpectedProblems expected =
        expected_problems("a;\nb;  // expect: trap misaligned\nc;  // expect: trap");
    EXPECT_EQ(expected, (ExpectedProblems{{"misaligned", {2}}, {"trap", {2, 3}}}));
}

TEST(kernel_header, keeps_parameters_and_buffers_in_the_order_they_are_written) {
    const KernelFile kernel = sample_kernel();
    std::vector<std::string> names;
    for (const auto& parameter : kernel.parameters) names.push_back(parameter.name);
    EXPECT_THAT(names, ElementsAre("n", "block", "TILE", "a", "seed"));
    ASSERT_EQ(kernel.buffers.size(), 2u);
    EXPECT_EQ(kernel.buffers[0].name, "in");
    EXPECT_EQ(kernel.buffers[1].name, "out");
}

TEST(kernel_header, reads_ranges_values_macros_and_reals) {
    const KernelFile kernel = sample_kernel();
    ASSERT_EQ(kernel.parameters.size(), 5u);
    EXPECT_EQ(kernel.parameters[0].minimum, 1);
    EXPECT_EQ(kernel.parameters[0].maximum, 1000000);
    EXPECT_EQ(kernel.parameters[0].help, "elements");
    EXPECT_EQ(kernel.parameters[1].values.size(), 3u);
    EXPECT_TRUE(kernel.parameters[2].is_macro);
    EXPECT_EQ(kernel.parameters[2].step, 8);
    EXPECT_EQ(kernel.parameters[3].fallback, Value{2.0});
    EXPECT_EQ(kernel.parameters[4].fallback, Value{std::string("lcg12345")});
}

TEST(kernel_header, says_what_its_sweep_begins_with) {
    const auto sweep = [](const std::string& table) {
        return error_with("[golden.out]", "[sweep]\n" + table + "\n\n[golden.out]");
    };
    EXPECT_EQ(sweep("over = [\"block\"]\nmetrics = [\"steps\"]"), "");
    EXPECT_EQ(sweep("over = [\"block=32,64\", \"n\"]"), "");
    EXPECT_THAT(sweep("over = [\"blok\"]"), HasSubstr("did you mean `block`?"));
    EXPECT_THAT(sweep("over = [\"block=33\"]"), HasSubstr("one of 32, 64, 4096"));
    EXPECT_THAT(sweep("metrics = [\"steps\"]"), HasSubstr("one or two parameters"));
    EXPECT_THAT(sweep("over = \"n\""), HasSubstr("one or two parameters"));
    EXPECT_THAT(sweep("over = [\"n\"]\nmetric = [\"steps\"]"), HasSubstr("did you mean `metrics`?"));
}

TEST(kernel_header, a_file_without_a_header_is_no_error) {
    const auto kernel = read_kernel_file("my/own.cu", "/* no header */ __global__ void k() {}");
    ASSERT_TRUE(kernel.has_value());
    EXPECT_FALSE(kernel->has_header);
    EXPECT_EQ(kernel->name, "own");
    EXPECT_THAT(message_of(prepare_launch(*kernel, {}, 1000)), HasSubstr("no header"));
}

TEST(kernel_header, is_the_first_comment_with_a_kernel_table) {
    EXPECT_FALSE(find_header_comment("const char* s = \"/*\\n[kernel]\\n*/\";"));
    EXPECT_FALSE(find_header_comment("const char* s = R\"x(/*\n[kernel]\n*/)x\";"));
    EXPECT_FALSE(find_header_comment("// /*\nint a; // [kernel]\n"));
    EXPECT_FALSE(find_header_comment("/*\n[kernel]\n"));  // never closed
    const auto comment = find_header_comment("/* licence */\nint n = 1'000;\n/*\n [kernel] # this one\n*/");
    ASSERT_TRUE(comment);
    EXPECT_EQ(comment->first_line, 3);
    EXPECT_EQ(comment->text, "\n [kernel] # this one\n");
}

TEST(kernel_header, a_toml_mistake_names_file_and_line) {
    EXPECT_THAT(error_with("title   = \"Scale\"", "title   = Scale"), StartsWith("kernels/scale.cu:4: "));
}

/// Tables are destroyed by recursion: a hundred thousand of them overflowed the stack.
TEST(kernel_header, a_key_of_a_hundred_thousand_dots_is_refused_with_its_line) {
    std::string deep = "a";
    for (int i = 0; i < 100'000; ++i) deep += ".a";
    EXPECT_THAT(error_with("[buffers]", "[" + deep + "]\n[buffers]"),
                AllOf(StartsWith("kernels/scale.cu:16: "), HasSubstr("more than 16 dots")));
    EXPECT_THAT(error_with("[buffers]", deep + " = 1\n[buffers]"), HasSubstr("more than 16 dots"));
    EXPECT_THAT(error_with("n     = {", "n     = { " + deep + " = 1,"), HasSubstr("more than 16 dots"));
    // Dots in text and in numbers open no table.
    std::string dots(100, '.');
    std::string numbers = "0.1";
    for (int i = 0; i < 40; ++i) numbers += ", 0.1";
    EXPECT_EQ(error_with("\"Multiplies.\"", "\"" + dots + "\""), "");
    EXPECT_THAT(error_with("values = [32, 64, 4096]", "values = [" + numbers + "]"),
                testing::Not(HasSubstr("dots")));
}

TEST(kernel_header, an_unknown_key_names_the_line_and_the_nearest_key) {
    EXPECT_THAT(error_with("subject =", "subjekt ="),
                AllOf(StartsWith("kernels/scale.cu:5: "), HasSubstr("did you mean `subject`?")));
    EXPECT_THAT(error_with("min = 1,", "minimum = 1,"), StartsWith("kernels/scale.cu:10: "));
    EXPECT_THAT(error_with("[buffers]", "[bufers]"), HasSubstr("did you mean `buffers`?"));
}

TEST(kernel_header, each_mistake_is_named_with_its_line) {
    EXPECT_THAT(error_with("type = \"f32\"", "type = \"float\""),
                HasSubstr("cu:17: `type` = \"float\" is unknown"));
    EXPECT_THAT(error_with("fill = \"iota\"", "fill = \"iotta\""), HasSubstr("did you mean `iota`?"));
    EXPECT_THAT(error_with("default = 64, ", ""), HasSubstr("parameter `block` lacks its `default`"));
    EXPECT_THAT(error_with("default = 64", "default = 63"), HasSubstr("it must be one of 32, 64, 4096"));
    EXPECT_THAT(error_with("\"out\", \"in\"", "\"out\", \"im\""),
                AllOf(HasSubstr("cu:21: "), HasSubstr("did you mean `in`?")));
    EXPECT_THAT(error_with("ceil_div(n, block)", "ceil_div(n, block"), HasSubstr("cu:22: grid"));
    EXPECT_THAT(error_with("[golden.out]", "[golden.ouf]"), HasSubstr("did you mean `out`?"));
    EXPECT_THAT(error_with("block = { default", "n = { default"), StartsWith("kernels/scale.cu:11: "));
    EXPECT_THAT(error_with("a     = {", "max   = {"), HasSubstr("taken by a function"));
    EXPECT_THAT(error_with("min = 8, max = 32", "min = 8, max = 4"), HasSubstr("is above its `max`"));
    EXPECT_THAT(error_with("step = 8", "step = 0"), HasSubstr("`step`"));
    EXPECT_THAT(error_with("fill = \"zero\"", "fill = \"zero\", seed = \"1\""),
                HasSubstr("random, lcg and formula"));
    EXPECT_THAT(error_with("fill = \"iota\"", "fill = \"ring\", step = 2"), HasSubstr("made of indices"));
    EXPECT_THAT(error_with("fill = \"zero\"", "fill = \"zero\", step = 2"), HasSubstr("fill ring alone"));
    EXPECT_THAT(error_with("block = [\"block\"]", "block = []"), HasSubstr("one to three"));
    EXPECT_THAT(error_with("block = [\"block\"]\n", "\n"), HasSubstr("lacks `block`"));
}

TEST(kernel_header, parameters_take_only_allowed_values) {
    const KernelFile kernel = sample_kernel();
    const auto error = [&](const std::string& name, const std::string& value) {
        return message_of(resolve_parameters(kernel, {{name, value}}));
    };
    EXPECT_EQ(error("n", "1"), "");
    EXPECT_EQ(error("a", "3"), "");
    EXPECT_EQ(error("seed", "7"), "");
    EXPECT_EQ(error("n", "0"), "scale: n = 0 is out of range; it must be 1 to 1000000");
    EXPECT_EQ(error("n", "12x"), "scale: n: `12x` is not an integer; it must be 1 to 1000000");
    EXPECT_EQ(error("block", "48"), "scale: block = 48 is not allowed; it must be one of 32, 64, 4096");
    EXPECT_THAT(error("TILE", "12"), HasSubstr("8 to 32 in steps of 8, such as 16"));
    EXPECT_THAT(error("a", "inf"), HasSubstr("not a number"));
    EXPECT_THAT(error("seed", "lcgx"), HasSubstr("lcg12345"));
    EXPECT_THAT(error("blok", "32"), AllOf(HasSubstr("did you mean `block`?"), HasSubstr("n, block, TILE")));
}

TEST(kernel_header, values_come_back_as_the_kind_of_their_default) {
    const auto values = resolve_parameters(sample_kernel(), {{"n", "7"}, {"a", "3"}, {"seed", "lcg9"}});
    ASSERT_TRUE(values.has_value());
    EXPECT_EQ(values->at("n"), Value{std::int64_t{7}});
    EXPECT_EQ(values->at("a"), Value{3.0});
    EXPECT_EQ(values->at("seed"), Value{std::string("lcg9")});
    EXPECT_EQ(to_string(values->at("a")), "3.0");
    const auto macros = compile_macros(sample_kernel(), *values);
    ASSERT_EQ(macros.size(), 1u);
    EXPECT_EQ(macros[0], std::make_pair(std::string("TILE"), std::string("8")));
}

}  // namespace warplens::instrumentation

// From a header and values to geometry, buffers and arguments.
#include <gmock/gmock.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "instrumentation/catalog/arguments.h"
#include "instrumentation/catalog/expressions.h"
#include "tests/instrumentation/header_text.h"

namespace warplens::instrumentation {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

std::string launch_error_of(const std::string& from, const std::string& to,
                            const std::map<std::string, std::string>& overrides = {}) {
    const KernelFile kernel = sample_kernel(sample_with(from, to));
    const auto values = resolve_parameters(kernel, overrides);
    EXPECT_TRUE(values.has_value());
    return values ? message_of(prepare_launch(kernel, *values, 1 << 24)) : "";
}

template <class Element>
std::vector<Element> filled(const std::string& buffer) {
    const KernelFile kernel = sample_kernel(
        sample_with("in  = { type = \"f32\", length = \"n\", fill = \"iota\" }", "in = " + buffer));
    const PreparedLaunch launch = prepared_launch(kernel);
    return launch.buffers.empty() ? std::vector<Element>{} : elements<Element>(launch.buffers[0]);
}

Expressions expressions_over(const KernelFile& kernel,
                             const std::map<std::string, std::string>& overrides = {}) {
    auto expressions = Expressions::over(kernel, resolve_parameters(kernel, overrides).value());
    EXPECT_TRUE(expressions.has_value());
    return std::move(*expressions);
}

}  // namespace

TEST(expressions, are_exact_in_64_bits) {
    auto expressions = expressions_over(sample_kernel());
    const auto value = [&](const char* text) {
        return expressions.integer(text, INT64_MIN, INT64_MAX).value_or(-1);
    };
    EXPECT_EQ(value("ceil_div(n, block)"), 2);
    EXPECT_EQ(value("ceil_div(128, 64) + min(3, 1, 2) + max(4, 5)"), 8);
    EXPECT_EQ(value("log2(block) + pow2(4)"), 22);
    EXPECT_EQ(value("9007199254740993 + 0 * n"), 9007199254740993);
    EXPECT_EQ(value("n // 3"), 33);
    EXPECT_EQ(value("n / 4"), 25);
    EXPECT_EQ(value("seed"), 12345);
}

TEST(expressions, say_what_is_wrong_with_them) {
    auto expressions = expressions_over(sample_kernel());
    const auto error = [&](const char* text) { return message_of(expressions.integer(text, 1, 100)); };
    EXPECT_THAT(error("TILF * 2"),
                AllOf(HasSubstr("unknown name `TILF`"), HasSubstr("did you mean `TILE`?")));
    EXPECT_THAT(error("n / 3"), HasSubstr("not an integer"));
    EXPECT_THAT(error("n + 1"), HasSubstr("gives 101; it must be 1 to 100"));
    EXPECT_THAT(error("pow2(62) * 4"), HasSubstr("64 bits"));
    EXPECT_THAT(error("n // 0"), HasSubstr("divide by zero"));
    EXPECT_THAT(error("'text'"), HasSubstr("does not give a number"));
    EXPECT_THAT(error("ceil_div(n, 0)"), HasSubstr("divisor"));
}

TEST(expressions, cannot_reach_files_or_run_forever) {
    for (const char* text : {"os.exit(1)", "io.open('/etc/passwd')", "require('os')", "load('return 1')()",
                             "dofile('x')", "string.rep('x', 1 << 40)", "pcall(error)", "collectgarbage()"}) {
        auto expressions = expressions_over(sample_kernel());
        EXPECT_THAT(message_of(expressions.integer(text, 0, 1)), HasSubstr("unknown name")) << text;
    }
    for (const char* text : {"(function() while true do end end)()",
                             "(function() local s = 'x' while true do s = s .. s end end)()",
                             "(function() local t = {} for i = 1, 1 << 40 do t[i] = i end end)()",
                             "(function() local function f() return f() + 1 end return f() end)()"}) {
        auto expressions = expressions_over(sample_kernel());
        EXPECT_NE(message_of(expressions.integer(text, 0, 1)), "") << text;
    }
    LuaSandbox sandbox{LuaLimits{}};
    EXPECT_NE(message_of(check_expression(sandbox, "\x1bLua")), "");
    EXPECT_NE(message_of(check_expression(sandbox, "1 return 2")), "");
    EXPECT_NE(message_of(check_expression(sandbox, std::string(100000, '('))), "");
}

TEST(prepare_launch, evaluates_geometry_and_buffers) {
    const PreparedLaunch launch = prepared_launch(sample_kernel(), {{"n", "1000"}, {"block", "32"}});
    EXPECT_EQ(launch.geometry.grid, (Dim3{32, 1, 1}));
    EXPECT_EQ(launch.geometry.block, (Dim3{32, 1, 1}));
    ASSERT_EQ(launch.buffers.size(), 2u);
    EXPECT_EQ(launch.buffers[0].data.size(), 4000u);
    EXPECT_EQ(elements<float>(launch.buffers[0])[999], 999.0f);
    EXPECT_EQ(elements<float>(launch.buffers[1])[999], 0.0f);
    ASSERT_EQ(launch.arguments.size(), 4u);
    EXPECT_EQ(launch.arguments[0].buffer, 1u);
    EXPECT_EQ(launch.arguments[1].buffer, 0u);
    EXPECT_EQ(launch.arguments[2].scalar, Value{std::int64_t{1000}});
    EXPECT_EQ(launch.arguments[3].scalar, Value{2.0});
}

TEST(prepare_launch, refuses_what_no_gpu_can_launch) {
    EXPECT_THAT(launch_error_of("block = [\"block\"]", "block = [\"block\"]", {{"block", "4096"}}),
                HasSubstr("block x: `block` gives 4096; it must be 1 to 1024"));
    EXPECT_THAT(launch_error_of("block = [\"block\"]", "block = [64, 32]"),
                HasSubstr("a block of 64 × 32 has 2048 threads; a block holds at most 1024"));
    EXPECT_THAT(launch_error_of("\"ceil_div(n, block)\"", "\"n - 100\""),
                HasSubstr("grid x: `n - 100` gives 0"));
    EXPECT_THAT(launch_error_of("\"ceil_div(n, block)\"", "1, 65536"), HasSubstr("it must be 1 to 65535"));
    EXPECT_THAT(launch_error_of("block = [\"block\"]", "block = [\"block\"]\ndynamic_shared_bytes = 300000"),
                HasSubstr("dynamic_shared_bytes: `300000` gives 300000; it must be 0 to 232448"));
    EXPECT_THAT(launch_error_of("block = [\"block\"]", "block = [\"block\"]\ncluster = [17]"),
                HasSubstr("cluster x: `17` gives 17; it must be 1 to 16"));
}

TEST(prepare_launch, says_how_much_memory_a_launch_needs) {
    const std::string message =
        launch_error_of("length = \"n\"", "length = \"n * n * 1000\"", {{"n", "100000"}});
    EXPECT_THAT(message, HasSubstr("need 37252.9 GiB"));
    EXPECT_THAT(message, HasSubstr("more than the limit of 16.0 MiB"));
    EXPECT_THAT(launch_error_of("length = \"n\"", "length = \"-n\""), HasSubstr("length of buffer `in`"));
}

TEST(fill, iota_and_constant_convert_to_the_element_type) {
    EXPECT_EQ(filled<std::uint8_t>("{ type = \"u8\", length = 300, fill = \"iota\" }")[257], 1);
    EXPECT_THAT(filled<double>("{ type = \"f64\", length = 2, fill = \"constant\", value = \"a / 4\" }"),
                ElementsAre(0.5, 0.5));
    EXPECT_THAT(filled<std::int16_t>("{ type = \"i16\", length = 2, fill = \"constant\", value = -3 }"),
                ElementsAre(-3, -3));
    EXPECT_THAT(launch_error_of("fill = \"iota\"", "fill = \"constant\", value = \"1\"", {}), "");
    EXPECT_THAT(launch_error_of("type = \"f32\", length = \"n\", fill = \"iota\"",
                                "type = \"u8\", length = 1, fill = \"constant\", value = 256"),
                HasSubstr("cannot be filled with 256: the number is outside the range of u8"));
}

TEST(fill, a_ring_leads_round_the_buffer) {
    EXPECT_THAT(filled<std::uint32_t>("{ type = \"u32\", length = 5, fill = \"ring\", step = 2 }"),
                ElementsAre(2, 3, 4, 0, 1));
}

TEST(fill, lcg_steps_before_each_element_and_drops_the_low_bits) {
    std::uint32_t r = 12345;
    std::vector<std::int32_t> masked, wrapped;
    for (int i = 0; i < 100; ++i) {
        r = r * 1664525u + 1013904223u;
        masked.push_back(static_cast<std::int32_t>((r >> 8) & 63u));
        wrapped.push_back(static_cast<std::int32_t>((r >> 8) % 100u));
    }
    EXPECT_EQ(filled<std::int32_t>(
                  "{ type = \"i32\", length = \"n\", fill = \"lcg\", below = \"block\", seed = \"seed\" }"),
              masked);
    EXPECT_EQ(filled<std::int32_t>(
                  "{ type = \"i32\", length = \"n\", fill = \"lcg\", below = \"n\", seed = \"seed\" }"),
              wrapped);
}

TEST(fill, random_stays_below_its_bound_and_repeats_for_a_seed) {
    const std::string buffer =
        "{ type = \"u32\", length = \"1000\", fill = \"random\", below = 10, seed = 5 }";
    const auto first = filled<std::uint32_t>(buffer);
    ASSERT_EQ(first.size(), 1000u);
    for (int digit = 0; digit < 10; ++digit) EXPECT_THAT(first, testing::Contains(digit));
    EXPECT_THAT(first, testing::Each(testing::Lt(10u)));
    EXPECT_EQ(filled<std::uint32_t>(buffer), first);
    const auto reals = filled<float>("{ type = \"f32\", length = 1000, fill = \"random\", seed = 1 }");
    EXPECT_THAT(reals, testing::Each(AllOf(testing::Ge(0.0f), testing::Lt(1.0f))));
    EXPECT_NE(reals[0], reals[1]);
}

TEST(fill, a_file_must_exist_and_have_the_buffer_s_length) {
    EXPECT_THAT(launch_error_of("type = \"f32\", length = \"n\", fill = \"iota\"",
                                "type = \"u8\", length = 100, fill = \"file\", path = \"/dev/zero\""),
                HasSubstr("`/dev/zero` is a device, not a regular file"));
    EXPECT_THAT(launch_error_of("type = \"f32\", length = \"n\", fill = \"iota\"",
                                "type = \"u8\", length = 100, fill = \"file\", path = \"/none\""),
                HasSubstr("does not exist"));
    const std::string path = testing::TempDir() + "fill_of_a_buffer";
    std::ofstream(path, std::ios::binary) << std::string(100, 'x');
    const auto of = [&](int length) {
        return fmt::format("{{ type = \"u8\", length = {}, fill = \"file\", path = \"{}\" }}", length, path);
    };
    EXPECT_THAT(filled<std::uint8_t>(of(100)), testing::Each('x'));
    for (const int length : {99, 101})
        EXPECT_THAT(launch_error_of("{ type = \"f32\", length = \"n\", fill = \"iota\" }", of(length)),
                    HasSubstr(fmt::format("has {} bytes, but `{}` has 100", length, path)));
    std::filesystem::remove(path);
}

TEST(arguments, are_laid_out_as_the_compiled_kernel_says) {
    const PreparedLaunch launch = prepared_launch(sample_kernel());
    const std::vector<Parameter> parameters{
        {"p0", "u64", 8, 0}, {"p1", "u64", 8, 8}, {"p2", "u32", 4, 16}, {"p3", "f32", 4, 20}};
    const auto bytes = lay_out_arguments(launch, parameters, {0x1000, 0x2000});
    ASSERT_TRUE(bytes.has_value()) << bytes.error().message;
    ASSERT_EQ(bytes->size(), 24u);
    std::uint64_t out = 0, in = 0;
    std::uint32_t n = 0;
    float a = 0;
    std::memcpy(&out, bytes->data(), 8);
    std::memcpy(&in, bytes->data() + 8, 8);
    std::memcpy(&n, bytes->data() + 16, 4);
    std::memcpy(&a, bytes->data() + 20, 4);
    EXPECT_EQ(out, 0x2000u);
    EXPECT_EQ(in, 0x1000u);
    EXPECT_EQ(n, 100u);
    EXPECT_EQ(a, 2.0f);
}

TEST(arguments, that_do_not_fit_the_kernel_are_named) {
    const PreparedLaunch launch = prepared_launch(sample_kernel());
    const auto error = [&](std::vector<Parameter> parameters) {
        return message_of(lay_out_arguments(launch, parameters, {0x1000, 0x2000}));
    };
    EXPECT_EQ(error({{"p0", "u64", 8, 0}}),
              "the launch gives 4 arguments, but the kernel takes 1: u64 (a pointer is a u64)");
    EXPECT_THAT(error({{"p0", "u32", 4, 0}, {"p1", "u64", 8, 8}, {"p2", "u32", 4, 16}, {"p3", "f32", 4, 20}}),
                HasSubstr("argument 1 is the buffer `out`"));
    EXPECT_THAT(error({{"p0", "u64", 8, 0}, {"p1", "u64", 8, 8}, {"p2", "b8", 12, 16}, {"p3", "f32", 4, 28}}),
                HasSubstr("structure of 12 bytes"));
    const KernelFile kernel = sample_kernel(sample_with("\"a\"]", "\"a + 0.5\"]"));
    const PreparedLaunch real = prepared_launch(kernel);
    EXPECT_THAT(
        message_of(lay_out_arguments(
            real, {{"p0", "u64", 8, 0}, {"p1", "u64", 8, 8}, {"p2", "u32", 4, 16}, {"p3", "u32", 4, 20}},
            {0, 0})),
        HasSubstr("argument 4 (2.5)"));
}

}  // namespace warplens::instrumentation

// The types of scalar arguments: their bits and ranges, and their way from a header, a flag or the launch
// form to the bytes that the kernel gets.
#include "instrumentation/catalog/scalar_type.h"

#include <gmock/gmock.h>

#include <limits>

#include "instrumentation/catalog/aggregate.h"
#include "instrumentation/catalog/arguments.h"
#include "instrumentation/catalog/header_text.h"
#include "instrumentation/catalog/launch_draft.h"
#include "tests/instrumentation/header_text.h"

namespace warplens::instrumentation {
namespace {

using testing::HasSubstr;

Result<std::uint64_t> bits(const char* type, const Value& value) {
    return bits_of_scalar(*find_scalar_type(type), value);
}

std::uint64_t integer_bits(const char* type, std::int64_t value) { return bits(type, value).value_or(12345); }
std::uint64_t real_bits(const char* type, double value) { return bits(type, value).value_or(12345); }

TEST(scalar_type, every_type_has_the_bits_of_its_numbers) {
    EXPECT_EQ(integer_bits("bool", 1), 1u);
    EXPECT_EQ(integer_bits("i8", -1), 0xffu);
    EXPECT_EQ(integer_bits("u8", 255), 0xffu);
    EXPECT_EQ(integer_bits("i16", -2), 0xfffeu);
    EXPECT_EQ(integer_bits("u16", 65535), 0xffffu);
    EXPECT_EQ(integer_bits("i32", -1), 0xffffffffu);
    EXPECT_EQ(integer_bits("u64", -1), ~std::uint64_t{0});
    EXPECT_EQ(real_bits("f16", 2.5), 0x4100u);
    EXPECT_EQ(real_bits("f16", -65504), 0xfbffu);
    EXPECT_EQ(real_bits("bf16", 2.5), 0x4020u);
    EXPECT_EQ(real_bits("bf16", 1 + 0x1p-8), 0x3f80u) << "halfway, to the even one";
    EXPECT_EQ(real_bits("bf16", 1 + 0x3p-8), 0x3f82u) << "halfway, to the even one";
    EXPECT_EQ(real_bits("bf16", std::numeric_limits<double>::infinity()), 0x7f80u);
    EXPECT_EQ(real_bits("bf16", std::numeric_limits<double>::quiet_NaN()), 0x7fffu);
    EXPECT_EQ(real_bits("f32", 1), 0x3f800000u);
    EXPECT_EQ(integer_bits("f64", 1), 0x3ff0000000000000u);
    EXPECT_EQ(real_bits("i32", 3), 3u) << "a real number without a fraction";
    EXPECT_EQ(real_bits("i64", -0x1p63), std::uint64_t{1} << 63)
        << "the lowest, which is not a negated integer";
}

TEST(scalar_type, numbers_outside_of_the_range_are_refused) {
    const std::pair<const char*, Value> wrong[] = {
        {"bool", std::int64_t{2}},
        {"bool", std::int64_t{-1}},
        {"i8", std::int64_t{128}},
        {"i8", std::int64_t{-129}},
        {"u8", std::int64_t{-1}},
        {"u8", std::int64_t{256}},
        {"i16", std::int64_t{32768}},
        {"u16", std::int64_t{-1}},
        {"u16", std::int64_t{65536}},
        {"i32", std::int64_t{1} << 31},
        {"u32", std::int64_t{-1}},
        {"i64", 1e19},
        {"i64", 0x1p63},
        {"i64", -0x1.0000000000001p63},
        {"f16", 65505.0},
        {"bf16", 3.4e38},
        {"f32", 1e39},
    };
    for (const auto& [type, value] : wrong)
        EXPECT_EQ(message_of(bits(type, value)), fmt::format("the number is outside the range of {}", type))
            << to_string(value);
    EXPECT_EQ(message_of(bits("u8", 1.5)), "1.5 is not an integer");
}

TEST(scalar_type, a_typed_scalar_is_a_type_an_equals_sign_and_an_expression) {
    const auto scalar = parse_typed_scalar("bf16 = n / 2");
    ASSERT_TRUE(scalar);
    EXPECT_EQ(scalar->type->name, "bf16");
    EXPECT_EQ(scalar->expression, "n / 2");
    for (const char* text : {"n", "f16", "f16=", "f16==1", "half=1", "=1", ""})
        EXPECT_FALSE(parse_typed_scalar(text)) << text;
}

KernelFile kernel_of(const std::string& parameters, const std::string& arguments) {
    auto kernel = read_kernel_file("k.cu", "/*\n[kernel]\ntitle = \"k\"\n[parameters]\n" + parameters +
                                               "\n[launch]\narguments = [" + arguments +
                                               "]\ngrid = 1\nblock = 32\n*/\n");
    EXPECT_TRUE(kernel.has_value()) << message_of(kernel);
    return kernel.value_or(KernelFile{});
}

Result<std::vector<std::byte>> bytes_of(const KernelFile& kernel, const std::vector<Parameter>& parameters) {
    const auto values = resolve_parameters(kernel, {});
    if (!values) return tl::unexpected(values.error());
    const auto launch = prepare_launch(kernel, *values, 1 << 20);
    if (!launch) return tl::unexpected(launch.error());
    return lay_out_arguments(*launch, parameters, {});
}

std::vector<int> as_integers(const Result<std::vector<std::byte>>& bytes) {
    std::vector<int> all;
    if (!bytes) ADD_FAILURE() << bytes.error().message;
    else
        for (const std::byte byte : *bytes) all.push_back(std::to_integer<int>(byte));
    return all;
}

// NVRTC's parameters for (bool, signed char, unsigned short, __half, __nv_bfloat16).
const std::vector<Parameter> small_parameters{
    {"p0", "u8", 1, 0}, {"p1", "u8", 1, 1}, {"p2", "u16", 2, 2}, {"p3", "b8", 2, 4}, {"p4", "b8", 2, 6}};

TEST(scalar_type, headers_pass_scalars_of_every_type) {
    const KernelFile kernel = kernel_of(
        "flag = { default = 1, type = \"bool\" }\nh = { default = 2.5, type = \"f16\" }\nn = { default = 3 }",
        R"("flag", "i8=-n", "u16=65535", "h", "bf16=h")");
    EXPECT_THAT(as_integers(bytes_of(kernel, small_parameters)),
                testing::ElementsAre(1, 0xfd, 0xff, 0xff, 0x00, 0x41, 0x20, 0x40));
}

TEST(scalar_type, what_does_not_fit_is_one_sentence) {
    EXPECT_THAT(message_of(bytes_of(kernel_of("n = { default = 200, type = \"i8\" }", "\"n\""),
                                    {{"p0", "u8", 1, 0}})),
                HasSubstr("argument 1, n = 200: the number is outside the range of i8"));
    EXPECT_THAT(
        message_of(bytes_of(kernel_of("n = { default = 200 }", "\"u8=2 * n\""), {{"p0", "u8", 1, 0}})),
        HasSubstr("argument 1, u8=2 * n = 400: the number is outside the range of u8"));
    EXPECT_THAT(message_of(bytes_of(kernel_of("h = { default = 1.5 }", "\"h\""), {{"p0", "f16", 2, 0}})),
                HasSubstr("write f16=… or bf16=…"));
    EXPECT_THAT(message_of(bytes_of(kernel_of("", "\"struct:{i8=300}\""), {{"p0", "b8", 1, 0}})),
                HasSubstr("i8=300: the number is outside the range of i8"));
    EXPECT_THAT(message_of(bytes_of(kernel_of("", "\"struct:{f32=10.0^60}\""), {{"p0", "b8", 4, 0}})),
                HasSubstr("outside the range of f32"));
}

TEST(scalar_type, a_type_of_another_size_than_the_parameter_is_refused) {
    const auto passed = [](const char* argument, const char* type, std::uint32_t bytes) {
        return message_of(bytes_of(kernel_of("", argument), {{"p0", type, bytes, 0}}));
    };
    EXPECT_THAT(
        passed("\"i64=3\"", "u32", 4),
        HasSubstr("argument 1 is of type i64, which has 8 bytes, but the kernel's parameter there has "
                  "4 bytes (its type is u32)"));
    EXPECT_THAT(passed("\"i32=3\"", "u64", 8), HasSubstr("is of type i32, which has 4 bytes"));
    EXPECT_THAT(passed("\"u8=3\"", "u16", 2), HasSubstr("is of type u8, which has 1 byte,"));
    EXPECT_THAT(passed("\"f64=3\"", "f32", 4), HasSubstr("is of type f64, which has 8 bytes"));
    EXPECT_THAT(passed("\"bf16=3\"", "f32", 4), HasSubstr("is of type bf16, which has 2 bytes"));
    for (const char* argument : {"\"i32=3\"", "\"u32=3\"", "\"3\""})
        EXPECT_EQ(passed(argument, "u32", 4), "");
}

TEST(scalar_type, fills_that_do_not_fit_their_buffer_are_refused) {
    const auto filled = [](const std::string& buffer) {
        auto kernel = read_kernel_file("k.cu", "/*\n[kernel]\ntitle = \"k\"\n[buffers]\nb = { " + buffer +
                                                   " }\n[launch]\narguments = [\"b\"]\ngrid = 1\n"
                                                   "block = 32\n*/\n");
        if (!kernel) return kernel.error().message;
        return message_of(prepare_launch(*kernel, {}, 1 << 20));
    };
    const std::string constant = "length = 4, fill = \"constant\", ";
    EXPECT_EQ(filled("type = \"f16\", " + constant + "value = 65504"), "");
    EXPECT_THAT(filled("type = \"f16\", " + constant + "value = 70000"),
                HasSubstr("buffer `b` of f16 cannot be filled with 70000: the number is outside the range"));
    EXPECT_THAT(filled("type = \"f32\", " + constant + "value = 1e300"), HasSubstr("range of f32"));
    for (const char* value : {"1e400", "-1e400", "0 * 1e400", "2 + .1e999"})
        EXPECT_THAT(filled(fmt::format("type = \"f64\", {}value = \"{}\"", constant, value)),
                    HasSubstr("is larger than every real number"));
    for (const char* value : {"math.huge", "-math.huge", "0/0", "1e300", "2^2000"})
        EXPECT_EQ(filled(fmt::format("type = \"f64\", {}value = \"{}\"", constant, value)), "");
    EXPECT_THAT(filled("type = \"i8\", " + constant + "value = 200"), HasSubstr("range of i8"));
    EXPECT_THAT(filled("type = \"u32\", " + constant + "value = 1.5"), HasSubstr("not an integer"));
    EXPECT_EQ(filled("type = \"u8\", length = 256, fill = \"ring\", step = 1"), "");
    EXPECT_THAT(filled("type = \"u8\", length = 257, fill = \"ring\", step = 1"),
                HasSubstr("indices up to 256, more than u8 holds (255)"));
}

TEST(scalar_type, structures_have_members_of_every_type) {
    const auto aggregate = parse_aggregate("struct:{bool=1, f16[2] = 1.5, bf16=2, i64=n}");
    ASSERT_TRUE(aggregate) << aggregate.error().message;
    EXPECT_EQ(aggregate->bytes, 16u);
    EXPECT_EQ(aggregate->members[1].offset, 2u);
    EXPECT_EQ(aggregate->members[1].count, 2u);
    EXPECT_EQ(aggregate->members[1].value, "1.5");
    for (const char* wrong : {"struct:{f24=1}", "struct:{i32[=1}", "struct:{i32[2=1}", "struct:{i32[x]=1}",
                              "struct:{i32[]=1}", "struct:{i32[99999999999]=1}", "struct:{i32}", "struct:{}",
                              "struct:{i32=}", "struct:{=1}", "struct:{i32[0]=1}"})
        EXPECT_FALSE(parse_aggregate(wrong)) << wrong;
}

TEST(scalar_type, the_launch_form_knows_them) {
    const EntryFacts entry{"k", "k", small_parameters, 0};
    const LaunchDraft draft =
        guess_launch(entry,
                     "extern \"C\" __global__ void k(bool flag, signed char c, unsigned short s, __half h, "
                     "__nv_bfloat16 b);");
    std::vector<std::string> types;
    for (const DraftArgument& argument : draft.arguments) {
        EXPECT_EQ(argument.kind, DraftArgument::Kind::scalar);
        types.push_back(argument.scalar_type);
    }
    EXPECT_THAT(types, testing::ElementsAre("bool", "i8", "u16", "f16", "bf16"));
    EXPECT_TRUE(check_draft(draft).empty());
    EXPECT_THAT(flags_of(draft),
                HasSubstr("--arg bool=1 --arg i8=1 --arg u16=1 --arg f16=1.0 --arg bf16=1.0"));
    LaunchDraft wrong = draft;
    wrong.arguments[1].value = "200";
    const auto errors = check_draft(wrong);
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_EQ(errors[0].message, "the number is outside the range of i8");
    const KernelFile file = with_launch(KernelFile(), draft);
    EXPECT_THAT(as_integers(bytes_of(file, small_parameters)),
                testing::ElementsAre(1, 1, 1, 0, 0x00, 0x3c, 0x80, 0x3f));
    EXPECT_THAT(header_text(file), HasSubstr("type = \"bf16\""));
}

}  // namespace
}  // namespace warplens::instrumentation

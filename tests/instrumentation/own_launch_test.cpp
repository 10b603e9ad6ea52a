// A file without a header: the launch guessed from its kernel's parameters, the header written from it,
// structures passed by value, and the template for a new file.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "instrumentation/catalog/aggregate.h"
#include "instrumentation/catalog/arguments.h"
#include "instrumentation/catalog/entry_signature.h"
#include "instrumentation/catalog/header_text.h"
#include "instrumentation/catalog/kernel_template.h"
#include "instrumentation/catalog/launch_draft.h"
#include "tests/instrumentation/header_text.h"

namespace warplens::instrumentation {
namespace {

using testing::HasSubstr;

constexpr const char* saxpy_source = R"(// __global__ void saxpy(wrong) in a comment
__global__ void saxpy(float* __restrict__ y, const float* __restrict__ x,
                      float a, int n) { }
)";

EntryFacts saxpy() {
    return {"_Z5saxpyPfPKffi",
            "saxpy",
            {{"p0", "u64", 8, 0}, {"p1", "u64", 8, 8}, {"p2", "f32", 4, 16}, {"p3", "u32", 4, 20}},
            0};
}

TEST(launch_guess, a_size_sets_lengths_and_grid_and_what_is_only_read_is_filled) {
    const LaunchDraft draft = guess_launch(saxpy(), saxpy_source);
    ASSERT_EQ(draft.arguments.size(), 4u);
    EXPECT_EQ(draft.grid[0], "ceil_div(n, 256)");
    EXPECT_EQ(draft.block[0], "256");
    EXPECT_EQ(draft.arguments[0].name, "y");
    EXPECT_EQ(draft.arguments[0].element_type, "f32");
    EXPECT_EQ(draft.arguments[0].length, "n");
    EXPECT_EQ(draft.arguments[0].fill, "zero");
    EXPECT_EQ(draft.arguments[1].fill, "random");
    EXPECT_EQ(draft.arguments[1].written_type, "float const*");
    EXPECT_EQ(draft.arguments[2].scalar_type, "f32");
    EXPECT_EQ(draft.arguments[3].scalar_type, "i32");
    EXPECT_EQ(draft.arguments[3].value, "65536");
    EXPECT_TRUE(draft.arguments[3].guessed);
    EXPECT_TRUE(check_draft(draft).empty());
    const KernelFile file = with_launch(KernelFile(), draft);
    ASSERT_EQ(file.parameters.size(), 2u);
    EXPECT_EQ(file.parameters[1].name, "n");
    const auto launch = prepare_launch(file, resolve_parameters(file, {}).value(), 1u << 30);
    ASSERT_TRUE(launch) << launch.error().message;
    EXPECT_EQ(launch->geometry.grid.x, 256u);
}

TEST(launch_guess, width_and_height_make_a_grid_of_two_dimensions) {
    const EntryFacts entry{
        "blur",
        "blur",
        {{"p0", "u64", 8, 0}, {"p1", "u64", 8, 8}, {"p2", "u32", 4, 16}, {"p3", "u32", 4, 20}},
        64};
    const LaunchDraft draft = guess_launch(
        entry,
        "extern \"C\" __global__ void blur(unsigned char *out, const float4 *in, int width, int height);");
    EXPECT_EQ(draft.grid[0], "ceil_div(width, 8)") << "a block of at most 64 threads";
    EXPECT_EQ(draft.grid[1], "ceil_div(height, 8)");
    EXPECT_EQ(draft.arguments[0].element_type, "u8");
    EXPECT_EQ(draft.arguments[0].length, "width * height");
    EXPECT_EQ(draft.arguments[1].element_type, "f32");
    EXPECT_EQ(draft.arguments[1].length, "(width * height) * 4");
    EXPECT_TRUE(check_draft(draft).empty());
}

TEST(launch_guess, with_no_word_from_the_author_sizes_alone_decide) {
    const EntryFacts entry{"k", "k", {{"p0", "u64", 8, 0}, {"p1", "u32", 4, 8}, {"p2", "b8", 12, 12}}, 0};
    const LaunchDraft draft = guess_launch(entry, "");
    EXPECT_EQ(draft.arguments[0].kind, DraftArgument::Kind::buffer);
    EXPECT_EQ(draft.arguments[0].name, "arg0");
    EXPECT_EQ(draft.arguments[1].value, "1");
    EXPECT_EQ(draft.arguments[2].value, "struct:{u32[3]=0}");
    EXPECT_TRUE(check_draft(draft).empty());
}

TEST(launch_draft, what_is_wrong_is_said_by_field) {
    LaunchDraft draft = guess_launch(saxpy(), saxpy_source);
    draft.arguments[3].value = "many";
    draft.arguments[0].length = "m * 2";
    draft.block = {"2048", "", ""};
    std::vector<std::string> fields;
    for (const DraftError& error : check_draft(draft)) fields.push_back(error.field);
    EXPECT_THAT(fields, testing::UnorderedElementsAre("value 3", "length 0", "block 0"));
    draft = guess_launch(saxpy(), saxpy_source);
    draft.block = {"64", "32", ""};
    ASSERT_EQ(check_draft(draft).size(), 1u);
    EXPECT_THAT(check_draft(draft)[0].message, HasSubstr("2048 threads"));
}

TEST(launch_draft, clusters_are_held_against_the_grid_and_what_a_gpu_takes) {
    LaunchDraft draft = guess_launch(saxpy(), saxpy_source);
    const auto wrong = [&](std::vector<std::string> cluster) {
        draft.cluster = std::move(cluster);
        const auto errors = check_draft(draft);
        return errors.size() == 1 ? errors[0].field + ": " + errors[0].message
                                  : std::to_string(errors.size());
    };
    EXPECT_EQ(wrong({"4", "", ""}), "0");
    EXPECT_EQ(wrong({"", "", ""}), "0");
    EXPECT_THAT(wrong({"3", "", ""}),
                HasSubstr("cluster 0: a grid of 256 blocks cannot be cut into clusters of 3"));
    EXPECT_THAT(wrong({"1", "2", ""}), HasSubstr("cluster 1: a grid of 256 blocks cannot be cut"));
    EXPECT_THAT(wrong({"4", "4", "2"}), HasSubstr("has 32 blocks; a GPU takes up to 16"));
    EXPECT_THAT(wrong({"64", "", ""}), HasSubstr("cluster 0: "));
    EXPECT_THAT(wrong({"m", "", ""}), HasSubstr("cluster 0: "));
}

TEST(launch_draft, a_barrier_over_the_grid_makes_a_cooperative_launch_likely) {
    EXPECT_FALSE(guess_launch(saxpy(), saxpy_source).cooperative);
    const LaunchDraft draft = guess_launch(saxpy(), "auto grid = cooperative_groups::this_grid();");
    EXPECT_TRUE(draft.cooperative);
    EXPECT_TRUE(draft.cooperative_guessed);
}

TEST(launch_draft, its_header_reads_back_as_the_same_launch) {
    KernelFile file;
    file.name = "mine";
    file.path = "mine.cu";
    file.source = saxpy_source;
    LaunchDraft draft = guess_launch(saxpy(), saxpy_source);
    draft.arguments[1].fill = "constant";
    draft.arguments[1].value = "2.5";
    draft.dynamic_shared_bytes = "1024";
    draft.cluster = {"2", "", ""};
    draft.cooperative = true;
    const KernelFile declared = with_launch(file, draft);
    EXPECT_EQ(declared.cluster, std::vector<std::string>{"2"});
    EXPECT_THAT(flags_of(draft), HasSubstr(" --cluster 2 --cooperative"));
    EXPECT_TRUE(draft_of(declared, saxpy()).cooperative);
    EXPECT_EQ(draft_of(declared, saxpy()).cluster[0], "2");
    const auto read = read_kernel_file("mine.cu", with_header(declared));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->entry, "saxpy");
    EXPECT_EQ(read->arguments, declared.arguments);
    EXPECT_EQ(read->grid, declared.grid);
    EXPECT_EQ(read->dynamic_shared_bytes, "1024");
    EXPECT_EQ(read->cluster, declared.cluster);
    EXPECT_TRUE(read->cooperative);
    ASSERT_EQ(read->buffers.size(), 2u);
    EXPECT_EQ(read->buffers[1].fill_argument, "2.5");
    ASSERT_EQ(read->parameters.size(), 2u);
    EXPECT_EQ(to_string(read->parameters[0].fallback), to_string(declared.parameters[0].fallback));
    EXPECT_THAT(read->source, testing::EndsWith(saxpy_source));
    // Once more: the header is replaced, not doubled.
    const std::string again = with_header(*read);
    EXPECT_EQ(again.find("[kernel]"), again.rfind("[kernel]"));
    EXPECT_TRUE(read_kernel_file("mine.cu", again));
}

TEST(aggregate, members_lie_as_in_c) {
    const auto read = parse_aggregate("struct:{u8=1, f64=2.5, i16[3]=-1, ptr=in}");
    ASSERT_TRUE(read) << read.error().message;
    struct Same {
        unsigned char a;
        double b;
        short c[3];
        void* d;
    };
    EXPECT_EQ(read->bytes, sizeof(Same));
    EXPECT_EQ(read->members[1].offset, offsetof(Same, b));
    EXPECT_EQ(read->members[2].offset, offsetof(Same, c));
    EXPECT_EQ(read->members[3].offset, offsetof(Same, d));
    EXPECT_THAT(parse_aggregate("struct:{f24=1}").error().message, HasSubstr("'f24=1'"));
    EXPECT_THAT(parse_aggregate("bytes:012").error().message, HasSubstr("pairs"));
    EXPECT_EQ(parse_aggregate("bytes:00ff")->contents[1], std::byte{255});
}

TEST(aggregate, is_laid_out_among_the_arguments_with_its_buffers_address) {
    KernelFile file = with_launch(KernelFile(), guess_launch(saxpy(), saxpy_source));
    file.arguments = {"struct:{f32=1.5, i32=n, ptr=x}", "bytes:01020304", "n"};
    const auto launch = prepare_launch(file, resolve_parameters(file, {}).value(), 1u << 30);
    ASSERT_TRUE(launch) << launch.error().message;
    const std::vector<Parameter> parameters{{"s", "b8", 16, 0}, {"t", "b8", 4, 16}, {"n", "u32", 4, 20}};
    const auto bytes = lay_out_arguments(*launch, parameters, {0x1000, 0x2000});
    ASSERT_TRUE(bytes) << bytes.error().message;
    float real = 0;
    std::int32_t whole = 0;
    std::uint64_t address = 0;
    std::memcpy(&real, bytes->data(), 4);
    std::memcpy(&whole, bytes->data() + 4, 4);
    std::memcpy(&address, bytes->data() + 8, 8);
    EXPECT_EQ(real, 1.5f);
    EXPECT_EQ(whole, 65536);
    EXPECT_EQ(address, 0x2000u);
    EXPECT_EQ((*bytes)[19], std::byte{4});
    const auto wrong = lay_out_arguments(
        *launch, {{"s", "b8", 24, 0}, {"t", "b8", 4, 24}, {"n", "u32", 4, 28}}, {0x1000, 0x2000});
    EXPECT_THAT(wrong.error().message,
                HasSubstr("a structure of 16 bytes, but the kernel's parameter there has 24"));
}

TEST(kernel_template, declares_itself_and_is_never_written_over_a_file) {
    const auto folder = std::filesystem::path(testing::TempDir()) / "warplens_template";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directory(folder);
    const std::string path = (folder / "3 sums.cu").string();
    ASSERT_TRUE(create_from_template(path));
    std::ifstream file(path);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto kernel = read_kernel_file(path, text);
    ASSERT_TRUE(kernel) << kernel.error().message;
    EXPECT_EQ(kernel->entry, "my_3_sums");
    EXPECT_THAT(text, HasSubstr("void my_3_sums("));
    EXPECT_FALSE(kernel->golden.empty());
    for (const char* word : {"while", "co_await", "sinf", "float4", "STRIDE", "threadIdx", "ushort2",
                             "ulonglong4_32a", "cudaError", "CUuuid", "fdividef", "rhypot", "sincospi",
                             "cyl_bessel_i0f", "libraryPropertyType", "random", "gamma"})
        EXPECT_THAT(template_text(word + std::string(".cu")), HasSubstr(fmt::format("void my_{}(", word)));
    for (const char* word : {"sums", "whiles", "half", "ushort5", "cuda_sum", "CUBE"})
        EXPECT_THAT(template_text(word + std::string(".cu")), HasSubstr(fmt::format("void {}(", word)));
    EXPECT_THAT(create_from_template(path).error().message, HasSubstr("exists already"));
    EXPECT_THAT(create_from_template((folder / "x.cpp").string()).error().message, HasSubstr("ends in .cu"));
    EXPECT_THAT(create_from_template((folder / "no/x.cu").string()).error().message, HasSubstr("no folder"));
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace warplens::instrumentation

// The [streams] part of a header: how it is read, and the resulting operations.
#include "instrumentation/catalog/streams.h"

#include <gmock/gmock.h>

#include "tests/instrumentation/header_text.h"

namespace warplens::instrumentation {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

using Kind = StreamOperationKind;
using Overrides = std::map<std::string, std::string>;

/// The sample with streams; [streams] stands in line 31.
const std::string streams_text = R"toml([streams]
chunks = 3
first  = "chunk * ceil_div(n, chunks)"
count  = "min(ceil_div(n, chunks), n - first)"
operations = [
    { copy_in = "in" },
    { launch = true, name = "scaled", arguments = ["out", "in", "first + count", "a"], grid = ["ceil_div(count, block)"] },
    { copy_out = "out" },
]
variants = [
    { name = "all at once", chunks = 1 },
    { name = "{block // 32} streams", streams = "block // 32", title = "{chunks} chunks" },
    { name = "graph", streams = 2, graph = true, repeats = "n // 10" },
]
)toml";

std::string with_streams(const std::string& from = "", const std::string& to = "") {
    std::string text = streams_text;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return sample_with("*/\n", text.replace(at, from.size(), to) + "*/\n");
}

std::string stream_error_with(const std::string& from, const std::string& to) {
    return message_of(read_kernel_file("kernels/scale.cu", with_streams(from, to)));
}

std::vector<PreparedStreamVariant> prepared(const std::string& source, const Overrides& overrides = {}) {
    const KernelFile kernel = sample_kernel(source);
    const auto variants = prepare_streams(kernel, prepared_launch(kernel, overrides));
    EXPECT_TRUE(variants.has_value()) << message_of(variants);
    return variants.value_or(std::vector<PreparedStreamVariant>{});
}

std::string error_of(const std::string& from, const std::string& to) {
    const KernelFile kernel = sample_kernel(with_streams(from, to));
    return message_of(prepare_streams(kernel, prepared_launch(kernel)));
}

}  // namespace

TEST(streams_header, is_absent_unless_declared) {
    EXPECT_FALSE(sample_kernel().streams);
    EXPECT_TRUE(prepared(sample_source).empty());
}

TEST(streams_header, keeps_operations_and_variants_in_order) {
    const KernelFile kernel = sample_kernel(with_streams());
    ASSERT_TRUE(kernel.streams);
    ASSERT_EQ(kernel.streams->operations.size(), 3u);
    EXPECT_EQ(kernel.streams->operations[0].kind, Kind::copy_in);
    EXPECT_EQ(kernel.streams->operations[0].buffer, "in");
    EXPECT_EQ(kernel.streams->operations[1].kind, Kind::launch);
    EXPECT_THAT(kernel.streams->operations[1].grid, ElementsAre("ceil_div(count, block)"));
    EXPECT_EQ(kernel.streams->operations[2].kind, Kind::copy_out);
    ASSERT_EQ(kernel.streams->variants.size(), 3u);
    EXPECT_EQ(kernel.streams->variants[0].chunks, "1");
    EXPECT_EQ(kernel.streams->variants[0].streams, "1");
    EXPECT_TRUE(kernel.streams->variants[2].graph);
}

TEST(streams_header, each_mistake_is_named_with_its_line) {
    EXPECT_THAT(stream_error_with("chunks = 3", "chunk = 3"),
                AllOf(StartsWith("kernels/scale.cu:32: "), HasSubstr("did you mean `chunks`?")));
    EXPECT_THAT(stream_error_with("copy_in = \"in\"", "copy_in = \"im\""),
                AllOf(StartsWith("kernels/scale.cu:36: "), HasSubstr("did you mean `in`?")));
    EXPECT_THAT(stream_error_with("copy_in = \"in\"", "copyin = \"in\""),
                AllOf(StartsWith("kernels/scale.cu:36: "), HasSubstr("did you mean `copy_in`?")));
    EXPECT_THAT(stream_error_with("copy_in = \"in\"", "copy_in = \"in\", copy_out = \"in\""),
                HasSubstr("not two"));
    EXPECT_THAT(stream_error_with("{ copy_out = \"out\" }", "7"), StartsWith("kernels/scale.cu:38: "));
    EXPECT_THAT(stream_error_with("launch = true", "launch = \"scale\""), HasSubstr("must be true"));
    EXPECT_THAT(stream_error_with("\"first + count\", ", ""),
                AllOf(StartsWith("kernels/scale.cu:37: "), HasSubstr("3 arguments and [launch] 4")));
    EXPECT_THAT(stream_error_with("ceil_div(count, block)", "ceil_div(count, block"),
                HasSubstr("cu:37: grid"));
    EXPECT_THAT(stream_error_with("first  = \"chunk * ceil_div(n, chunks)\"\n", ""),
                HasSubstr("the copy of `in` lacks `first` and `count`"));
    EXPECT_THAT(stream_error_with("graph = true", "graph = 1"),
                HasSubstr("cu:43: `graph` must be true or false"));
    EXPECT_THAT(stream_error_with("graph = true", "graph = true, pageable = true"),
                HasSubstr("pinned memory"));
    EXPECT_THAT(stream_error_with("name = \"graph\", ", ""),
                HasSubstr("cu:43: a variant of [streams] lacks its `name`"));
    EXPECT_THAT(stream_error_with("{block // 32} streams", "{block // 32 streams"),
                HasSubstr("does not close it"));
    EXPECT_THAT(stream_error_with("{block // 32} streams", "{block //} streams"), HasSubstr("cu:42: name"));
    EXPECT_THAT(stream_error_with("variants = [", "variant = ["), HasSubstr("did you mean `variants`?"));
    EXPECT_THAT(message_of(read_kernel_file("kernels/scale.cu", sample_with("*/\n", "[streams]\n*/\n"))),
                HasSubstr("[streams] needs `operations`"));
    std::string renamed = with_streams();
    renamed.replace(renamed.find("TILE "), 5, "chunk");
    EXPECT_THAT(message_of(read_kernel_file("kernels/scale.cu", renamed)),
                HasSubstr("[streams] gives `chunk` a meaning of its own"));
}

TEST(streams, slices_are_exact_and_the_last_chunk_holds_what_is_left) {
    const auto variants = prepared(with_streams());
    ASSERT_EQ(variants.size(), 3u);
    const PreparedStreamVariant& two = variants[1];
    EXPECT_EQ(two.name, "2 streams");
    EXPECT_EQ(two.title, "3 chunks");
    EXPECT_EQ(two.streams, 2);
    ASSERT_EQ(two.operations.size(), 9u);
    // 100 elements of four bytes: 34, 34 and 32.
    const std::vector<std::uint64_t> offsets{0, 34 * 4, 68 * 4}, bytes{34 * 4, 34 * 4, 32 * 4};
    for (std::size_t chunk = 0; chunk < 3; ++chunk) {
        const PreparedStreamOperation& in = two.operations[3 * chunk];
        const PreparedStreamOperation& launch = two.operations[3 * chunk + 1];
        const PreparedStreamOperation& out = two.operations[3 * chunk + 2];
        EXPECT_EQ(in.kind, Kind::copy_in);
        EXPECT_EQ(in.name, fmt::format("in in, chunk {}", chunk));
        EXPECT_EQ(in.buffer, 0u);
        EXPECT_EQ(out.buffer, 1u);
        EXPECT_EQ(in.offset, offsets[chunk]);
        EXPECT_EQ(out.offset, offsets[chunk]);
        EXPECT_EQ(in.bytes, bytes[chunk]);
        EXPECT_EQ(out.bytes, bytes[chunk]);
        EXPECT_EQ(launch.name, fmt::format("scaled, chunk {}", chunk));
        EXPECT_EQ(launch.geometry.grid, (Dim3{1, 1, 1}));
        EXPECT_EQ(launch.geometry.block, (Dim3{64, 1, 1}));
        ASSERT_EQ(launch.arguments.size(), 4u);
        EXPECT_EQ(launch.arguments[0].buffer, 1u);
        EXPECT_EQ(launch.arguments[2].scalar,
                  Value{static_cast<std::int64_t>((offsets[chunk] + bytes[chunk]) / 4)});
        EXPECT_EQ(launch.arguments[3].scalar, Value{2.0});
        for (const auto* operation : {&in, &launch, &out})
            EXPECT_EQ(operation->stream, static_cast<int>(chunk % 2));
    }
}

TEST(streams, a_variant_may_cut_the_work_otherwise) {
    const auto variants = prepared(with_streams());
    ASSERT_EQ(variants.size(), 3u);
    ASSERT_EQ(variants[0].operations.size(), 3u);
    EXPECT_EQ(variants[0].operations[0].name, "in in") << "the only chunk needs no number";
    EXPECT_EQ(variants[0].operations[0].bytes, 400u);
    EXPECT_EQ(variants[0].operations[1].geometry.grid.x, 2u);
    EXPECT_EQ(variants[2].repeats, 10);
    EXPECT_TRUE(variants[2].graph);
}

TEST(streams, chunks_without_elements_are_left_out) {
    // Two elements per chunk: the work is done after two of the three chunks.
    const auto variants = prepared(with_streams("repeats = \"n // 10\"", "repeats = 1"), {{"n", "4"}});
    ASSERT_EQ(variants.size(), 3u);
    ASSERT_EQ(variants[1].operations.size(), 6u);
    EXPECT_EQ(variants[1].operations[3].bytes, 8u);
}

TEST(streams, what_does_not_fit_is_named) {
    EXPECT_EQ(
        error_of("n - first)", "n)"),
        "scale: streams, `{block // 32} streams`: chunk 2: the copy takes 34 elements of `in` from element "
        "68, which has 100");
    EXPECT_THAT(error_of("chunks = 3", "chunks = 0"), HasSubstr("chunks: `0` gives 0; it must be 1 to 256"));
    EXPECT_THAT(error_of("streams = 2", "streams = 33"),
                HasSubstr("streams, `graph`: streams: `33` gives 33; it must be 1 to 32"));
    EXPECT_THAT(error_of("repeats = \"n // 10\"", "repeats = 1000"), HasSubstr("9 operations 1000 times"));
    EXPECT_THAT(error_of("ceil_div(count, block)", "ceil_div(counts, block)"), HasSubstr("`count`"));
    EXPECT_THAT(error_of("\"min(ceil_div(n, chunks), n - first)\"", "0"),
                HasSubstr("no chunk holds an element"));
}

}  // namespace warplens::instrumentation

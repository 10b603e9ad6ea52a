// tex, tld4, txq, suld, sust, sured and suq on the CPU engine: operands, edges, the observer's events.
// tests/hardware/texture_test.cpp tests the values of samples.
#include <gmock/gmock.h>

#include <bit>

#include "simt/functional/engine.h"
#include "tests/simt/kernel_under_test.h"

namespace warplens::simt {
namespace {

using ::testing::ElementsAre;

std::vector<float> iota(std::size_t count) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i);
    return values;
}

ImageDescription image_of(std::uint32_t width, std::uint32_t height,
                          ChannelFormat format = ChannelFormat::f32, std::uint32_t channels = 1) {
    ImageDescription image;
    image.name = "image";
    image.width = width;
    image.height = height;
    image.format = format;
    image.channels = channels;
    return image;
}

ImageDescription surface_of(std::uint32_t width, std::uint32_t height,
                            ChannelFormat format = ChannelFormat::u32) {
    ImageDescription image = image_of(width, height, format);
    image.is_surface = true;
    return image;
}

const std::string two_arguments = ".param .u64 out, .param .u64 object";
const std::string store_word = "st.global.u32 [%d2], %r10;\nret;\n";

/// A kernel that leaves %r10 in its thread's word of `out`; %d3 is the object's handle, %r1 the thread.
struct ImageKernel {
    KernelUnderTest kernel;
    std::vector<std::uint32_t> out;

    ImageKernel(const std::string& body, const std::string& module_scope = "")
        : kernel(to_own_word + "ld.param.u64 %d3, [object];\n" + body + store_word, two_arguments,
                 module_scope) {
        kernel.buffer(zeros(32), "out");
    }
    template <class T>
    void image(ImageDescription description, std::vector<T> texels) {
        std::vector<std::byte> bytes(texels.size() * sizeof(T));
        std::memcpy(bytes.data(), texels.data(), bytes.size());
        const std::uint64_t address = kernel.memory.allocate("texels", std::move(bytes));
        kernel.argument(kernel.memory.images().bind(std::move(description), address));
    }
    std::vector<std::uint32_t> results(std::uint32_t threads, trace::Observer* observer = nullptr) {
        kernel.geometry.block = {threads, 1, 1};
        run = kernel.run(observer);
        auto all = kernel.contents();
        all.resize(threads);
        return all;
    }
    RunResult run;
};

std::vector<float> as_floats(const std::vector<std::uint32_t>& words) {
    std::vector<float> values;
    for (const std::uint32_t word : words) values.push_back(std::bit_cast<float>(word));
    return values;
}

TEST(texture, two_dimensions_are_read_by_float_coordinates) {
    ImageKernel kernel(
        "cvt.rn.f32.u32 %f1, %r1;\nmov.f32 %f2, 0f3F800000;\n"
        "tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%d3, {%f1, %f2}];\nmov.b32 %r10, %f3;\n");
    kernel.image(image_of(4, 3), iota(12));
    EXPECT_THAT(as_floats(kernel.results(6)), ElementsAre(4, 5, 6, 7, 7, 7));
    EXPECT_TRUE(kernel.run.problems.empty());
}

TEST(texture, one_dimension_is_fetched_by_integers_and_reads_nothing_outside) {
    ImageKernel kernel(
        "add.s32 %r2, %r1, -1;\n"
        "tex.1d.v4.u32.s32 {%r10, %r11, %r12, %r13}, [%d3, {%r2}];\n");
    kernel.image(image_of(3, 0, ChannelFormat::u8), std::vector<std::uint8_t>{7, 8, 200});
    EXPECT_THAT(kernel.results(5), ElementsAre(0, 7, 8, 200, 0));
}

TEST(texture, signed_bytes_keep_their_sign) {
    ImageKernel kernel("tex.1d.v4.s32.s32 {%r10, %r11, %r12, %r13}, [%d3, {%r1}];\n");
    kernel.image(image_of(2, 0, ChannelFormat::s8), std::vector<std::int8_t>{-5, 5});
    EXPECT_THAT(kernel.results(2), ElementsAre(0xfffffffbu, 5u));
}

TEST(texture, layers_stand_in_front_of_the_coordinates) {
    ImageKernel kernel(
        "mov.f32 %f1, 0f00000000;\n"
        "tex.a2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%d3, {%r1, %f1, %f1, %f1}];\nmov.b32 %r10, %f3;\n");
    ImageDescription image = image_of(2, 2);
    image.layers = 3;
    kernel.image(image, iota(12));
    EXPECT_THAT(as_floats(kernel.results(4)), ElementsAre(0, 4, 8, 8));
}

TEST(texture, a_cube_has_six_faces) {
    ImageKernel kernel(
        "setp.eq.u32 %p1, %r1, 0;\nselp.f32 %f1, 0f3F800000, 0f00000000, %p1;\n"
        "setp.eq.u32 %p2, %r1, 1;\nselp.f32 %f2, 0fBF800000, 0f00000000, %p2;\n"
        "setp.eq.u32 %p3, %r1, 2;\nselp.f32 %f7, 0fBF800000, 0f00000000, %p3;\n"
        "tex.cube.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%d3, {%f1, %f2, %f7, %f7}];\nmov.b32 %r10, %f3;\n");
    ImageDescription image = image_of(1, 1);
    image.layers = 6;
    image.normalised = true;
    kernel.image(image, iota(6));
    EXPECT_THAT(as_floats(kernel.results(3)), ElementsAre(0, 3, 5));
}

TEST(texture, level_and_gradient_choose_the_only_level) {
    ImageKernel kernel(
        "cvt.rn.f32.u32 %f1, %r1;\n"
        "tex.level.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%d3, {%f1, %f1}], %f1;\n"
        "tex.grad.2d.v4.f32.f32 {%f7, %f4, %f5, %f6}, [%d3, {%f1, %f1}], {%f1, %f1}, {%f1, %f1};\n"
        "add.f32 %f3, %f3, %f7;\nmov.b32 %r10, %f3;\n");
    kernel.image(image_of(2, 2), iota(4));
    EXPECT_THAT(as_floats(kernel.results(2)), ElementsAre(0, 6));
}

TEST(texture, gather_takes_one_channel_of_four_texels) {
    ImageKernel kernel(
        "mov.f32 %f1, 0f3F800000;\n"
        "tld4.g.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%d3, {%f1, %f1}];\n"
        "setp.eq.u32 %p1, %r1, 0;\nselp.f32 %f3, %f3, %f6, %p1;\nmov.b32 %r10, %f3;\n");
    kernel.image(image_of(2, 2, ChannelFormat::f32, 2), iota(8));
    EXPECT_THAT(as_floats(kernel.results(2)), ElementsAre(5, 1));
}

TEST(texture, halves_are_given_alone_or_in_pairs) {
    ImageKernel kernel(
        "cvt.rn.f32.u32 %f1, %r1;\n"
        "tex.1d.v4.f16.f32 {%h1, %h2, %h3, %h4}, [%d3, {%f1}];\n"
        "tex.1d.v2.f16x2.f32 {%r2, %r3}, [%d3, {%f1}];\n"
        "cvt.u32.u16 %r4, %h1;\nadd.u32 %r10, %r2, %r4;\n");
    kernel.image(image_of(2, 0, ChannelFormat::f32, 2), std::vector<float>{1, 2, 0.5f, 0});
    EXPECT_THAT(kernel.results(2), ElementsAre(0x40003c00u + 0x3c00u, 0x3800u + 0x3800u));
}

TEST(texture, a_texref_of_the_module_is_found_by_its_name) {
    ImageKernel kernel("tex.1d.v4.u32.s32 {%r10, %r11, %r12, %r13}, [image, {%r1}];\n",
                       ".global .texref image;\n");
    kernel.image(image_of(3, 0, ChannelFormat::u32), std::vector<std::uint32_t>{10, 20, 30});
    EXPECT_THAT(kernel.results(3), ElementsAre(10, 20, 30));
}

TEST(texture, properties_are_asked_for) {
    ImageKernel kernel(
        "txq.width.b32 %r2, [%d3];\ntxq.height.b32 %r3, [%d3];\ntxq.normalized_coords.b32 %r4, [%d3];\n"
        "mad.lo.u32 %r10, %r2, 100, %r3;\nmad.lo.u32 %r10, %r10, 10, %r4;\n");
    ImageDescription image = image_of(5, 7);
    image.normalised = true;
    kernel.image(image, iota(35));
    EXPECT_THAT(kernel.results(1), ElementsAre(5071));
}

TEST(texture, that_the_launch_has_not_made_is_a_problem) {
    ImageKernel kernel("tex.1d.v4.u32.s32 {%r10, %r11, %r12, %r13}, [%d3, {%r1}];\n");
    kernel.kernel.argument(std::uint64_t{77});
    EXPECT_THAT(kernel.results(1), ElementsAre(0));
    ASSERT_EQ(kernel.run.problems.size(), 1u);
    EXPECT_EQ(kernel.run.problems[0].kind, ProblemKind::out_of_bounds);
    EXPECT_THAT(kernel.run.problems[0].message, ::testing::HasSubstr("the launch has no such texture"));
}

TEST(surface, is_read_and_written_at_bytes_along_x) {
    ImageKernel kernel(
        "shl.b32 %r2, %r1, 2;\nmov.u32 %r3, 1;\n"
        "suld.b.2d.b32.trap {%r4}, [%d3, {%r2, %r3}];\nadd.u32 %r10, %r4, 100;\nmov.u32 %r5, 0;\n"
        "sust.b.2d.b32.trap [%d3, {%r2, %r5}], {%r10};\n");
    kernel.image(surface_of(3, 2), std::vector<std::uint32_t>{0, 0, 0, 1, 2, 3});
    EXPECT_THAT(kernel.results(3), ElementsAre(101, 102, 103));
    EXPECT_THAT(kernel.kernel.contents(1), ElementsAre(101, 102, 103, 1, 2, 3));
    EXPECT_TRUE(kernel.run.problems.empty());
}

TEST(surface, vectors_of_bytes_are_one_access) {
    ImageKernel kernel(
        "shl.b32 %r2, %r1, 2;\n"
        "suld.b.1d.v4.b8.trap {%h1, %h2, %h3, %h4}, [%d3, {%r2}];\n"
        "sust.b.1d.v4.b8.trap [%d3, {%r2}], {%h4, %h3, %h2, %h1};\ncvt.u32.u16 %r10, %h2;\n");
    kernel.image(surface_of(2, 0), std::vector<std::uint32_t>{0x04030201, 0x08070605});
    EXPECT_THAT(kernel.results(2), ElementsAre(2, 6));
    EXPECT_THAT(kernel.kernel.contents(1), ElementsAre(0x01020304, 0x05060708));
}

TEST(surface, outside_traps_clamps_or_reads_zero_as_the_instruction_says) {
    ImageKernel kernel(
        "sub.s32 %r2, %r1, 1;\nshl.b32 %r2, %r2, 2;\n"
        "suld.b.1d.b32.clamp {%r3}, [%d3, {%r2}];\nsuld.b.1d.b32.zero {%r4}, [%d3, {%r2}];\n"
        "mad.lo.u32 %r10, %r3, 100, %r4;\nsust.b.1d.b32.zero [%d3, {%r2}], {%r3};\n");
    kernel.image(surface_of(2, 0), std::vector<std::uint32_t>{3, 4});
    EXPECT_THAT(kernel.results(4), ElementsAre(300, 303, 404, 400));
    EXPECT_TRUE(kernel.run.problems.empty());

    ImageKernel trapping(
        "shl.b32 %r2, %r1, 2;\nmov.u32 %r10, 9;\nsust.b.1d.b32.trap [%d3, {%r2}], {%r10};\n");
    trapping.image(surface_of(2, 0), std::vector<std::uint32_t>{3, 4});
    trapping.results(3);
    ASSERT_EQ(trapping.run.problems.size(), 1u);
    EXPECT_EQ(trapping.run.problems[0].kind, ProblemKind::out_of_bounds);
    EXPECT_THAT(trapping.run.problems[0].message, ::testing::HasSubstr("at byte 8 of row 0"));
    EXPECT_EQ(trapping.run.problems[0].thread.x, 2u);
    EXPECT_THAT(trapping.kernel.contents(1), ElementsAre(9, 9));
}

TEST(surface, layers_and_volumes_lie_one_behind_another) {
    ImageKernel kernel(
        "mov.u32 %r2, 1;\nmov.u32 %r3, 4;\n"
        "suld.b.a2d.b32.trap {%r4}, [%d3, {%r1, %r3, %r2, %r2}];\n"
        "suld.b.3d.b32.trap {%r5}, [%d3, {%r3, %r2, %r1, %r1}];\nmad.lo.u32 %r10, %r4, 100, %r5;\n");
    ImageDescription image = surface_of(2, 2);
    image.layers = 2;
    kernel.image(image, std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7});
    EXPECT_THAT(kernel.results(2), ElementsAre(303, 707));
}

TEST(surface, is_updated_by_all_lanes) {
    ImageKernel kernel(
        "mov.u32 %r2, 0;\nmov.u32 %r10, 4;\n"
        "sured.b.add.1d.u32.trap [%d3, {%r2}], %r1;\n"
        "sured.b.max.1d.s32.trap [%d3, {%r10}], %r1;\n");
    kernel.image(surface_of(2, 0), std::vector<std::uint32_t>{100, 0xffffffffu});
    kernel.results(5);
    EXPECT_THAT(kernel.kernel.contents(1), ElementsAre(110, 4));
}

class Heard final : public trace::Observer {
  public:
    struct Request {
        Space space;
        Operation operation;
        std::uint32_t bytes;
        std::vector<std::uint64_t> addresses;
    };
    std::vector<Request> requests;

    std::unique_ptr<trace::BlockObserver> begin_block(std::uint64_t) override {
        return std::make_unique<Block>(requests);
    }
    void finish(std::uint64_t, std::unique_ptr<trace::BlockObserver>) override {}

  private:
    struct Block final : trace::BlockObserver {
        explicit Block(std::vector<Request>& heard) : requests(heard) {}
        std::vector<Request>& requests;
        void access(int, const trace::Access& access) override {
            if (access.space != Space::texture && access.space != Space::surface) return;
            Request request{access.space, access.operation, access.bytes_per_lane, {}};
            for_each_lane(access.mask, [&](int lane) {
                request.addresses.push_back((*access.addresses)[static_cast<std::size_t>(lane)]);
            });
            requests.push_back(std::move(request));
        }
    };
};

TEST(surface, and_texture_requests_are_reported_with_byte_offsets) {
    ImageKernel kernel(
        "cvt.rn.f32.u32 %f1, %r1;\nmov.f32 %f2, 0f3F800000;\n"
        "tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%d3, {%f1, %f2}];\nmov.b32 %r10, %f3;\n");
    kernel.image(image_of(4, 2), iota(8));
    Heard heard;
    kernel.results(3, &heard);
    ASSERT_EQ(heard.requests.size(), 1u);
    EXPECT_EQ(heard.requests[0].space, Space::texture);
    EXPECT_EQ(heard.requests[0].operation, Operation::load);
    EXPECT_EQ(heard.requests[0].bytes, 16u);
    EXPECT_THAT(heard.requests[0].addresses, ElementsAre(16, 20, 24));
}

}  // namespace
}  // namespace warplens::simt

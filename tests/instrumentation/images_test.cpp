// Textures and surfaces of a launch: declared in a header, in one line, guessed from a source, and the
// messages for invalid ones.
#include <gmock/gmock.h>

#include <cmath>
#include <cstring>

#include "core/half.h"
#include "instrumentation/catalog/arguments.h"
#include "instrumentation/catalog/entry_signature.h"
#include "instrumentation/catalog/header_text.h"
#include "instrumentation/catalog/image_text.h"
#include "instrumentation/catalog/launch_draft.h"
#include "tests/instrumentation/header_text.h"

namespace warplens::instrumentation {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

const std::string blur_source = R"cu(/*
[kernel]
title = "Blur"

[parameters]
W    = { default = 6, min = 1, max = 100 }
edge = { default = "clamp", values = ["clamp", "wrap"] }

[buffers]
pixels = { type = "u8", length = "4 * W * 3", fill = "iota" }
out    = { type = "f32", length = "W", fill = "zero" }

[textures]
noise = { type = "f32", width = "W", height = 2, fill = "random", seed = "7", filter = "linear", address = "edge", normalised = true }
photo = { buffer = "pixels", channels = 4, width = "W", height = "3", reads_normalised = true, filter = "linear" }
sky   = { type = "f16", width = "W", cube = true, fill = "constant", value = "0.5" }

[surfaces]
marks = { type = "i16", width = "W", layers = "2" }

[launch]
arguments = ["noise", "photo", "out", "marks", "struct:{f32=1, texture=sky}"]
grid  = ["1"]
block = ["W"]
*/
extern "C" __global__ void blur() {}
)cu";

std::string blur_with(const std::string& from, const std::string& to) {
    std::string text = blur_source;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

KernelFile blur_kernel() {
    const auto kernel = read_kernel_file("kernels/blur.cu", blur_source);
    EXPECT_TRUE(kernel) << kernel.error().message;
    return kernel.value_or(KernelFile{});
}

/// The error of reading, or, if that succeeds, of preparing.
std::string image_error_with(const std::string& from, const std::string& to,
                             const std::map<std::string, std::string>& overrides = {}) {
    const auto kernel = read_kernel_file("kernels/blur.cu", blur_with(from, to));
    if (!kernel) return kernel.error().message;
    return message_of(prepare_launch(*kernel, resolve_parameters(*kernel, overrides).value(), 1u << 24));
}

TEST(images, a_header_declares_textures_and_surfaces) {
    const KernelFile kernel = blur_kernel();
    ASSERT_EQ(kernel.images.size(), 4u);
    EXPECT_EQ(kernel.images[0].name, "noise");
    EXPECT_TRUE(kernel.images[0].owns_buffer());
    EXPECT_FALSE(kernel.images[1].owns_buffer());
    EXPECT_EQ(kernel.images[1].address, "clamp");
    EXPECT_EQ(kernel.images[3].is_surface, true);
    std::vector<std::string> buffers;
    for (const BufferDeclaration& buffer : kernel.buffers) buffers.push_back(buffer.name);
    EXPECT_THAT(buffers, ElementsAre("pixels", "out", "noise", "sky", "marks"));
}

TEST(images, become_descriptions_with_the_parameters_put_in) {
    const PreparedLaunch launch = prepared_launch(blur_kernel(), {{"edge", "wrap"}});
    ASSERT_EQ(launch.images.size(), 4u);
    const ImageDescription& noise = launch.images[0].description;
    EXPECT_EQ(noise.width, 6u);
    EXPECT_EQ(noise.height, 2u);
    EXPECT_EQ(noise.filter, TextureFilter::linear);
    EXPECT_EQ(noise.address, AddressMode::wrap) << "a parameter says so";
    EXPECT_TRUE(noise.normalised);
    EXPECT_EQ(launch.buffers[launch.images[0].buffer].data.size(), noise.bytes());
    const ImageDescription& photo = launch.images[1].description;
    EXPECT_EQ(photo.format, ChannelFormat::u8) << "as the buffer's elements";
    EXPECT_EQ(photo.channels, 4u);
    EXPECT_EQ(launch.buffers[launch.images[1].buffer].name, "pixels");
    const ImageDescription& sky = launch.images[2].description;
    EXPECT_EQ(sky.height, 6u);
    EXPECT_EQ(sky.layers, 6u);
    EXPECT_EQ(sky.format, ChannelFormat::f16);
    EXPECT_EQ(elements<std::uint16_t>(launch.buffers[launch.images[2].buffer])[215], 0x3800) << "0.5";
    EXPECT_EQ(launch.images[3].description.layers, 2u);
    EXPECT_EQ(launch.images[3].description.height, 0u);
}

TEST(images, handles_stand_where_the_arguments_name_them) {
    const PreparedLaunch launch = prepared_launch(blur_kernel());
    const std::vector<Parameter> parameters{{"p0", "u64", 8, 0},
                                            {"p1", "u64", 8, 8},
                                            {"p2", "u64", 8, 16},
                                            {"p3", "u64", 8, 24},
                                            {"p4", "b8", 16, 32}};
    const std::vector<std::uint64_t> addresses{0x1000, 0x2000, 0x3000, 0x4000, 0x5000};
    const auto bytes = lay_out_arguments(launch, parameters, addresses, {71, 72, 73, 74});
    ASSERT_TRUE(bytes) << bytes.error().message;
    const auto at = [&](std::size_t offset) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes->data() + offset, sizeof(word));
        return word;
    };
    EXPECT_EQ(at(0), 71u);
    EXPECT_EQ(at(8), 72u);
    EXPECT_EQ(at(16), 0x2000u);
    EXPECT_EQ(at(24), 74u);
    EXPECT_EQ(at(40), 73u) << "in the structure";
    std::vector<Parameter> narrow = parameters;
    narrow[0] = {"p0", "u32", 4, 0};
    EXPECT_THAT(message_of(lay_out_arguments(launch, narrow, addresses, {71, 72, 73, 74})),
                AllOf(HasSubstr("argument 1 is the texture `noise`"), HasSubstr("handle of 64 bits")));
    EXPECT_THAT(message_of(lay_out_arguments(launch, parameters, addresses)),
                HasSubstr("0 textures and surfaces were made, but the launch has 4"));
}

TEST(images, each_mistake_is_named_with_its_line) {
    EXPECT_THAT(image_error_with("filter = \"linear\", address", "filter = \"linera\", address"),
                AllOf(StartsWith("kernels/blur.cu:14: "), HasSubstr("did you mean `linear`?")));
    EXPECT_THAT(image_error_with("normalised = true }\nphoto", "normalized = true }\nphoto"),
                HasSubstr("did you mean `normalised`?"));
    EXPECT_THAT(image_error_with("address = \"edge\"", "address = \"W\""),
                HasSubstr("`values` must then be among"));
    EXPECT_THAT(image_error_with("buffer = \"pixels\"", "buffer = \"pixel\""),
                HasSubstr("did you mean `pixels`?"));
    EXPECT_THAT(image_error_with("buffer = \"pixels\"", "buffer = \"pixels\", fill = \"zero\""),
                HasSubstr("whose own declaration says its `fill`"));
    EXPECT_THAT(image_error_with("type = \"f32\", width", "width"),
                HasSubstr("lacks its `type`, or a `buffer`"));
    EXPECT_THAT(image_error_with("type = \"f32\", width", "type = \"f64\", width"),
                HasSubstr("which no texture has"));
    EXPECT_THAT(image_error_with("width = \"W\", height = 2", "height = 2"), HasSubstr("lacks its `width`"));
    EXPECT_THAT(image_error_with("cube = true", "cube = true, height = 6"), HasSubstr("as high as wide"));
    EXPECT_THAT(image_error_with("layers = \"2\"", "filter = \"linear\""),
                AllOf(StartsWith("kernels/blur.cu:19: "), HasSubstr("unknown key `filter`")));
    EXPECT_THAT(image_error_with("noise = {", "out = {"), HasSubstr("`out` is declared twice"));
    EXPECT_THAT(image_error_with("\"noise\", \"photo\"", "\"noise\", \"phto\""),
                HasSubstr("did you mean `photo`?"));
    EXPECT_THAT(image_error_with("texture=sky", "surface=sky"),
                HasSubstr("there is no surface of that name"));
}

TEST(images, what_cuda_would_refuse_or_take_otherwise_is_an_error) {
    EXPECT_THAT(image_error_with("reads_normalised = true, filter", "filter"),
                AllOf(StartsWith("blur: texture `photo`: "), HasSubstr("set reads_normalised")));
    EXPECT_THAT(image_error_with("channels = 4, width", "channels = 3, width"),
                HasSubstr("CUDA has 1, 2 or 4"));
    EXPECT_THAT(image_error_with("width = \"W\", height = \"3\"", "width = \"W\", height = \"4\""),
                HasSubstr("its 24 texels take 96 bytes, but its buffer `pixels` has 72"));
    EXPECT_THAT(image_error_with(", normalised = true }\nphoto", " }\nphoto", {{"edge", "wrap"}}),
                HasSubstr("address wrap takes normalised coordinates"));
    EXPECT_EQ(image_error_with(", normalised = true }\nphoto", " }\nphoto"), "");
    EXPECT_THAT(image_error_with("type = \"i16\", width = \"W\"", "type = \"i16\", width = 40000"),
                HasSubstr("more than a GPU allows"));
    EXPECT_THAT(image_error_with("type = \"i16\", width = \"W\"", "type = \"i16\", width = \"0 * W\""),
                AllOf(HasSubstr("marks"), HasSubstr("it must be 1 to")));
    EXPECT_THAT(image_error_with("buffer = \"pixels\"", "buffer = \"pixels\", type = \"u16\""),
                HasSubstr("its type u16 has 2 bytes"));
}

TEST(images, a_header_written_of_them_reads_back_the_same) {
    const KernelFile kernel = blur_kernel();
    const auto read = read_kernel_file("kernels/blur.cu", with_header(kernel));
    ASSERT_TRUE(read) << read.error().message << header_text(kernel);
    ASSERT_EQ(read->images.size(), 4u);
    EXPECT_EQ(header_text(*read), header_text(kernel));
    const PreparedLaunch before = prepared_launch(kernel), after = prepared_launch(*read);
    ASSERT_EQ(before.buffers.size(), after.buffers.size());
    for (std::size_t i = 0; i < before.buffers.size(); ++i)
        EXPECT_EQ(before.buffers[i].data, after.buffers[i].data) << before.buffers[i].name;
}

TEST(image_text, says_all_of_an_image_in_one_line) {
    const std::string text = "texture:f32x4[W,ceil_div(H, 2)]=random,filter=linear,address=wrap,normalised";
    const auto parsed = parse_image_text(text, "arg0");
    ASSERT_TRUE(parsed) << parsed.error().message;
    EXPECT_EQ(parsed->image.channels, "4");
    EXPECT_EQ(parsed->image.height, "ceil_div(H, 2)");
    EXPECT_TRUE(parsed->image.depth.empty());
    EXPECT_EQ(parsed->texels.length, "(W) * (ceil_div(H, 2)) * (4)");
    EXPECT_EQ(parsed->texels.fill, "random");
    for (const char* one : {"texture:f32x4[W,ceil_div(H, 2)]=random,filter=linear,address=wrap,normalised",
                            "surface:u8x4[640,480]=zero", "texture:u8[16]=const:3,reads_normalised",
                            "texture:f32[64]=formula:i % 7,filter=linear", "texture:u8[16]=random:100",
                            "texture:f16[8]=iota,layers=2,cube", "surface:i32[4,5,6]=random:256"}) {
        const auto again = parse_image_text(one, "x");
        ASSERT_TRUE(again) << again.error().message;
        EXPECT_EQ(image_text(*again), one);
    }
}

TEST(image_text, what_is_wrong_with_it_is_one_sentence) {
    const auto error = [](const std::string& text) { return message_of(parse_image_text(text, "x")); };
    EXPECT_THAT(error("texture:f64[16]"), HasSubstr("types are u8 to i32, f16 and f32"));
    EXPECT_THAT(error("texture:f32x3[16]"), HasSubstr("x2 or x4"));
    EXPECT_THAT(error("texture:f32[16"), HasSubstr("is written texture:"));
    EXPECT_THAT(error("texture:f32[1,2,3,4]"), HasSubstr("one to three extents"));
    EXPECT_THAT(error("texture:f32[16]=noise"),
                HasSubstr("zero, iota, random, random:100, const:3 or formula:i % 7"));
    EXPECT_THAT(error("texture:f32[16],filter=liner"), HasSubstr("did you mean `linear`?"));
    EXPECT_THAT(error("texture:f32[16],smooth"), HasSubstr("smooth is not an option of a texture"));
    EXPECT_THAT(error("surface:f32[16],filter=linear"), HasSubstr("not an option of a surface"));
    EXPECT_THAT(error("texture:f32[16,16],cube"), HasSubstr("one extent"));
}

constexpr const char* sampler_source =
    "extern \"C\" __global__ void shade(cudaTextureObject_t photo, cudaSurfaceObject_t out, int width, int "
    "height) {\n"
    "    uchar4 texel = tex2D<uchar4>(photo, x + 0.5f, y + 0.5f);\n"
    "    surf2Dwrite(shaded(texel), out, 4 * x, y);\n}\n";

EntryFacts shade() {
    return {"shade",
            "shade",
            {{"p0", "u64", 8, 0}, {"p1", "u64", 8, 8}, {"p2", "u32", 4, 16}, {"p3", "u32", 4, 20}},
            0};
}

TEST(launch_guess, a_texture_is_as_large_as_the_launch_and_of_what_is_read) {
    LaunchDraft draft = guess_launch(shade(), sampler_source);
    ASSERT_EQ(draft.arguments.size(), 4u);
    EXPECT_EQ(draft.arguments[0].kind, DraftArgument::Kind::image);
    EXPECT_EQ(draft.arguments[0].written_type, "cudaTextureObject_t");
    EXPECT_EQ(draft.arguments[0].value, "texture:u8x4[width,height]=iota");
    EXPECT_EQ(draft.arguments[1].value, "surface:f32[width,height]=zero");
    EXPECT_TRUE(check_draft(draft).empty());
    EXPECT_THAT(flags_of(draft),
                HasSubstr("--arg texture:u8x4[256,256]=iota --arg surface:f32[256,256]=zero"));

    KernelFile file;
    file.name = "shade";
    file.path = "shade.cu";
    file.source = sampler_source;
    const KernelFile declared = with_launch(file, draft);
    const auto read = read_kernel_file("shade.cu", with_header(declared));
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(read->images.size(), 2u);
    EXPECT_EQ(draft_of(*read, shade()).arguments[0].value, draft.arguments[0].value);
    EXPECT_FALSE(draft_of(*read, shade()).arguments[0].guessed);

    draft.arguments[0].value = "texture:u8x4[width,height]=iota,filter=linear";
    ASSERT_EQ(check_draft(draft).size(), 1u);
    EXPECT_EQ(check_draft(draft)[0].field, "value 0");
    EXPECT_THAT(check_draft(draft)[0].message, HasSubstr("reads_normalised"));
}

TEST(launch_guess, the_call_that_reads_a_texture_shows_its_dimensions) {
    const EntryFacts entry{"k", "k", {{"p0", "u64", 8, 0}, {"p1", "u64", 8, 8}, {"p2", "u64", 8, 16}}, 0};
    const LaunchDraft draft = guess_launch(
        entry,
        "extern \"C\" __global__ void k(cudaTextureObject_t lut, const cudaTextureObject_t volume,\n"
        "                               cudaTextureObject_t sky) {\n"
        "    a = tex1Dfetch<int>(lut, i); b = tex3D<float>(volume, x, y, z); c = texCubemap<float4>(sky, "
        "d);\n}");
    ASSERT_EQ(draft.arguments.size(), 3u);
    EXPECT_EQ(draft.arguments[0].value, "texture:i32[16384]=iota");
    EXPECT_EQ(draft.arguments[1].value, "texture:f32[256,256,16]=random,filter=linear");
    EXPECT_EQ(draft.arguments[2].value, "texture:f32x4[256]=random,cube,filter=linear");
    EXPECT_TRUE(check_draft(draft).empty());
}

TEST(half, every_one_of_them_goes_to_float_and_back) {
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        const auto half = static_cast<std::uint16_t>(bits);
        if ((bits & 0x7fffu) > 0x7c00u) continue;  // NaNs
        ASSERT_EQ(half_from_float(half_to_float(half)), half);
    }
    EXPECT_EQ(half_from_float(std::nanf("")), 0x7fff);
}

TEST(half, between_two_of_them_the_nearest_is_taken_and_the_even_one_of_equals) {
    for (std::uint32_t bits = 0; bits < 0x7bffu; ++bits) {
        const float low = half_to_float(static_cast<std::uint16_t>(bits));
        const float high = half_to_float(static_cast<std::uint16_t>(bits + 1));
        const float middle = (low + high) / 2;
        ASSERT_EQ(half_from_float(middle), bits % 2 == 0 ? bits : bits + 1);
        ASSERT_EQ(half_from_float(std::nextafter(middle, low)), bits);
        ASSERT_EQ(half_from_float(std::nextafter(-middle, -high)), (bits + 1) | 0x8000u);
    }
    EXPECT_EQ(half_from_float(65519.996f), 0x7bff);
    EXPECT_EQ(half_from_float(65520.0f), 0x7c00);
    EXPECT_EQ(half_from_float(1e30f), 0x7c00);
}

}  // namespace
}  // namespace warplens::instrumentation

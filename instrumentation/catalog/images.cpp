#include "instrumentation/catalog/images.h"

#include <algorithm>
#include <tuple>

#include "core/image_words.h"
#include "instrumentation/catalog/fill.h"

namespace warplens::instrumentation {

namespace {

constexpr std::int64_t any_extent = std::int64_t{1} << 31;
constexpr std::uint32_t faces = 6;

/// CUDA programming guide, "Technical Specifications per Compute Capability", 7.5 to 9.0. A texture of one
/// dimension may lie in ordinary memory, and is then this long.
struct MostExtents {
    std::uint32_t width, height, depth, layers;
};
constexpr MostExtents most_1d{1u << 28, 0, 0, 0}, most_2d{131072, 65536, 0, 0},
    most_3d{16384, 16384, 16384, 0}, most_layered_1d{32768, 0, 0, 2048},
    most_layered_2d{32768, 32768, 0, 2048}, most_surface_1d{32768, 0, 0, 0};

MostExtents most_extents(const ImageDescription& image) {
    if (image.depth > 0) return most_3d;
    if (image.layers > 0) return image.height > 0 ? most_layered_2d : most_layered_1d;
    if (image.height > 0) return most_2d;
    return image.is_surface ? most_surface_1d : most_1d;
}

Status check_extents(const ImageDescription& image) {
    if (image.channels == 3) return fail("it has 3 channels; CUDA has 1, 2 or 4");
    const MostExtents most = most_extents(image);
    const std::tuple<const char*, std::uint32_t, std::uint32_t> extents[] = {
        {"width", image.width, most.width},
        {"height", image.height, most.height},
        {"depth", image.depth, most.depth},
        {"number of layers", image.layers, most.layers}};
    for (const auto& [what, extent, largest] : extents)
        if (extent > largest)
            return fail("its {} of {} is more than a GPU allows for an image of these dimensions: {}", what,
                        extent, largest);
    return {};
}

/// What CUDA would refuse, or take otherwise than it is written.
Status check_sampling(const ImageDescription& image) {
    if (image.is_surface) return {};
    const std::string_view type = channel_format_names[static_cast<std::size_t>(image.format)];
    const bool narrow = image.channel_bytes() < 4 && !image.is_float();
    if (image.reads_normalised && !narrow)
        return fail("reads_normalised turns integers of 8 and 16 bits into 0 to 1 or -1 to 1; its type is {}",
                    type);
    if (image.filter == TextureFilter::linear && !image.is_float() && !image.reads_normalised)
        return fail("the linear filter mixes real numbers, and its type is {}: {}", type,
                    narrow ? "set reads_normalised, or take filter point" : "take filter point, or type f32");
    const bool repeats = image.address == AddressMode::wrap || image.address == AddressMode::mirror;
    if (repeats && !image.normalised)
        return fail(
            "address {} takes normalised coordinates, from 0 to 1; without them a GPU clamps, so write "
            "address clamp, or set normalised",
            address_mode_names[static_cast<std::size_t>(image.address)]);
    return {};
}

template <class Enum>
Enum named(const auto& names, const std::string& word) {
    return static_cast<Enum>(std::ranges::find(names, word) - names.begin());
}

/// The word itself, or the value of the parameter of that name.
std::string word_of(const std::string& text, const Values& parameters) {
    const auto found = parameters.find(text);
    return found == parameters.end() ? text : to_string(found->second);
}

Status evaluate(const char* what, const std::string& text, std::int64_t most, Expressions& expressions,
                std::uint32_t& into) {
    if (text.empty()) return {};
    const auto value = expressions.integer(text, 1, most);
    if (!value) return fail("{}: {}", what, value.error().message);
    into = static_cast<std::uint32_t>(*value);
    return {};
}

Result<PreparedImage> prepare_image(const KernelFile& kernel, ImageDeclaration declared,
                                    Expressions& expressions, const PreparedLaunch& launch) {
    const auto found = std::ranges::find(kernel.buffers, declared.buffer, &BufferDeclaration::name);
    if (found == kernel.buffers.end()) return fail("there is no buffer `{}`", declared.buffer);
    PreparedImage prepared;
    prepared.buffer = static_cast<std::size_t>(found - kernel.buffers.begin());
    const PreparedBuffer& buffer = launch.buffers.at(prepared.buffer);
    if (declared.format.empty()) declared.format = buffer.element_type;
    if (std::ranges::find(channel_format_names, declared.format) == channel_format_names.end())
        return fail(
            "the elements of its buffer `{}` are {}, which no texture or surface has; they are u8 to i32, "
            "f16 or f32",
            buffer.name, declared.format);
    if (element_bytes(declared.format) != buffer.element_bytes)
        return fail("its type {} has {} bytes, but an element of its buffer `{}` has {}", declared.format,
                    element_bytes(declared.format), buffer.name, buffer.element_bytes);
    WARPLENS_TRY(auto image, describe_image(declared, launch.parameters, expressions));
    if (image.bytes() > buffer.data.size())
        return fail("its {} texels take {} bytes, but its buffer `{}` has {}", image.texels(), image.bytes(),
                    buffer.name, buffer.data.size());
    prepared.description = std::move(image);
    return prepared;
}

}  // namespace

Result<ImageDescription> describe_image(const ImageDeclaration& declared, const Values& parameters,
                                        Expressions& expressions) {
    ImageDescription image;
    image.name = declared.name;
    image.is_surface = declared.is_surface;
    const auto extent = [&](const char* what, const std::string& text, std::int64_t most,
                            std::uint32_t& into) { return evaluate(what, text, most, expressions, into); };
    Status status = extent("channels", declared.channels, 4, image.channels)
                        .and_then([&] { return extent("width", declared.width, any_extent, image.width); })
                        .and_then([&] { return extent("height", declared.height, any_extent, image.height); })
                        .and_then([&] { return extent("depth", declared.depth, any_extent, image.depth); })
                        .and_then([&] { return extent("layers", declared.layers, 2048, image.layers); });
    if (!status) return tl::unexpected(status.error());
    if (declared.cube) {
        image.height = image.width;
        image.layers = std::max(image.layers, 1u) * faces;
    }
    if (status = check_extents(image); !status) return tl::unexpected(status.error());
    image.format = named<ChannelFormat>(channel_format_names, declared.format);
    image.filter = named<TextureFilter>(texture_filter_names, word_of(declared.filter, parameters));
    image.address = named<AddressMode>(address_mode_names, word_of(declared.address, parameters));
    image.normalised = declared.normalised;
    image.reads_normalised = declared.reads_normalised;
    if (status = check_sampling(image); !status) return tl::unexpected(status.error());
    return image;
}

std::string texel_elements(const ImageDeclaration& image) {
    std::string product = "(" + image.width + ")";
    const auto times = [&](const std::string& factor) {
        if (!factor.empty() && factor != "1") product += " * (" + factor + ")";
    };
    if (image.cube) times(image.width);
    times(image.height);
    times(image.depth);
    times(image.layers);
    if (image.cube) times(std::to_string(faces));
    times(image.channels);
    return product;
}

Result<std::vector<PreparedImage>> prepare_images(const KernelFile& kernel, Expressions& expressions,
                                                  const PreparedLaunch& launch) {
    std::vector<PreparedImage> images;
    for (const ImageDeclaration& declared : kernel.images) {
        auto image = prepare_image(kernel, declared, expressions, launch);
        if (!image)
            return fail("{} `{}`: {}", declared.is_surface ? "surface" : "texture", declared.name,
                        image.error().message);
        images.push_back(std::move(*image));
    }
    return images;
}

}  // namespace warplens::instrumentation

// The CPU engine's texture samples against an H200's (tests/hardware/h200_textures.csv, texture_probes.cu).
#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <vector>

#include <fmt/format.h>

#include "simt/functional/block/sampling.h"
#include "tests/support/folders.h"

namespace warplens {
namespace {

struct Row {
    std::vector<std::string> cells;
    const std::string& operator[](std::size_t column) const { return cells[column]; }
    std::uint32_t number(std::size_t column) const {
        return static_cast<std::uint32_t>(std::stoul(cells[column]));
    }
    std::uint32_t bits(std::size_t column) const {
        return static_cast<std::uint32_t>(std::stoul(cells[column], nullptr, 16));
    }
};

std::vector<Row> read_rows() {
    std::ifstream file(source_folder() + "/tests/hardware/h200_textures.csv");
    std::vector<Row> rows;
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
        std::istringstream text(line);
        Row row;
        for (std::string cell; std::getline(text, cell, ',');) row.cells.push_back(cell);
        rows.push_back(std::move(row));
    }
    return rows;
}

/// As texture_probes.cu fills its images.
std::uint32_t texel_bits(const std::string& format, std::uint32_t i) {
    std::uint32_t m = (i + 1) * 0x9E3779B9u;
    m ^= m >> 15;
    m *= 0x85EBCA6Bu;
    m ^= m >> 13;
    if (format == "f32") return std::bit_cast<std::uint32_t>(static_cast<float>(m >> 8) / 65536.0f - 64.0f);
    if (format == "f16") return 0x3000u + (m & 0x9fffu & ~0x4000u);
    return m;
}

struct Image {
    ImageDescription description;
    std::vector<std::byte> texels;
};

Image image_of(const Row& row) {
    static const std::map<std::string, ChannelFormat> formats{
        {"u8", ChannelFormat::u8},   {"s8", ChannelFormat::s8},   {"u16", ChannelFormat::u16},
        {"s16", ChannelFormat::s16}, {"u32", ChannelFormat::u32}, {"f16", ChannelFormat::f16},
        {"f32", ChannelFormat::f32}};
    static const std::map<std::string, AddressMode> modes{{"wrap", AddressMode::wrap},
                                                          {"clamp", AddressMode::clamp},
                                                          {"mirror", AddressMode::mirror},
                                                          {"border", AddressMode::border}};
    Image image;
    ImageDescription& about = image.description;
    about.format = formats.at(row[1]);
    about.channels = row.number(2);
    about.width = row.number(3);
    about.height = row.number(4);
    (row[0] == "3d" ? about.depth : about.layers) = row.number(5);
    about.filter = row[6] == "linear" ? TextureFilter::linear : TextureFilter::point;
    about.address = modes.at(row[7]);
    about.normalised = row[8] == "1";
    about.reads_normalised = row[9] == "1";
    image.texels.resize(about.bytes());
    for (std::uint32_t i = 0; i * about.channel_bytes() < image.texels.size(); ++i) {
        const std::uint32_t bits = texel_bits(row[1], i);
        std::memcpy(image.texels.data() + i * about.channel_bytes(), &bits, about.channel_bytes());
    }
    return image;
}

simt::TexelBits answer(const Row& row, const Image& image) {
    static const std::map<std::string, simt::ImageShape> shapes{
        {"1d", simt::ImageShape::one},    {"2d", simt::ImageShape::two},
        {"3d", simt::ImageShape::three},  {"a2d", simt::ImageShape::layers_of_two},
        {"cube", simt::ImageShape::cube}, {"fetch", simt::ImageShape::one},
        {"gather", simt::ImageShape::two}};
    simt::SampleAt at;
    at.shape = shapes.at(row[0]);
    for (std::size_t i = 0; i < 3; ++i) at.position[i] = std::bit_cast<float>(row.bits(10 + i));
    const int layer = std::stoi(row[13]);
    at.layer = static_cast<std::uint32_t>(layer);
    at.integers = row[0] == "fetch";
    at.texel[0] = static_cast<std::int32_t>(at.position[0]);
    if (row[0] == "gather")
        return simt::gather(image.description, image.texels.data(), at, static_cast<std::uint32_t>(layer))
            .bits;
    return simt::sample(image.description, image.texels.data(), at).bits;
}

struct Tally {
    int rows = 0, different = 0;
    double largest = 0;
    std::string first;
};

/// By "kind filter format", what differs.
std::map<std::string, Tally> compared() {
    std::map<std::string, Tally> tallies;
    for (const Row& row : read_rows()) {
        const Image image = image_of(row);
        const simt::TexelBits got = answer(row, image);
        Tally& tally = tallies[fmt::format("{} {} {}", row[0], row[6], row[1])];
        ++tally.rows;
        bool same = true;
        for (std::size_t c = 0; c < 4; ++c) {
            const std::uint32_t wanted = row.bits(14 + c);
            if (got[c] == wanted) continue;
            same = false;
            const double apart =
                std::fabs(double{std::bit_cast<float>(got[c])} - std::bit_cast<float>(wanted));
            tally.largest = std::max(tally.largest, apart);
        }
        if (same) continue;
        if (++tally.different == 1)
            tally.first = fmt::format("{} got {:08x} {:08x} {:08x} {:08x}", fmt::join(row.cells, ","), got[0],
                                      got[1], got[2], got[3]);
    }
    return tallies;
}

TEST(textures, sample_points_fetch_gather_and_filter_in_up_to_two_dimensions_as_an_h200_does) {
    for (const auto& [name, tally] : compared()) {
        const bool three_dimensions = name == "3d linear f32", signed_mean = name.starts_with("2d linear s");
        if (three_dimensions || signed_mean) continue;
        EXPECT_EQ(tally.different, 0)
            << name << ": " << tally.different << " of " << tally.rows << ", largest difference "
            << tally.largest << ", first " << tally.first;
    }
}

TEST(textures, differ_from_an_h200_by_one_step_of_a_weight_where_two_weights_are_equally_near) {
    const auto tallies = compared();
    // Texels run from -64 to 192, a weight's step is 1/256 of that.
    const Tally& volume = tallies.at("3d linear f32");
    EXPECT_EQ(volume.rows, 320);
    EXPECT_LE(volume.different, 18) << volume.first;
    EXPECT_LE(volume.largest, 256.0 / 256 * 2) << volume.first;
    for (const char* name : {"2d linear s8", "2d linear s16"}) {  // the last of 16 bits
        EXPECT_LE(tallies.at(name).different, 2) << name << " " << tallies.at(name).first;
        EXPECT_LE(tallies.at(name).largest, 1.01 / 32767) << name;
    }
}

}  // namespace
}  // namespace warplens

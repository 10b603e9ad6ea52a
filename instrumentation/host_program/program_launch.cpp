#include "instrumentation/host_program/program_launch.h"

#include <algorithm>
#include <limits>

#include "core/image.h"
#include "core/image_words.h"
#include "core/json_text.h"

namespace warplens::instrumentation {

namespace {

constexpr std::size_t most_argument_bytes = 32764, most_items = 1 << 20;

std::optional<unsigned> digit(char c) {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
    return std::nullopt;
}

std::optional<std::vector<std::byte>> bytes_of(const std::string& hex) {
    if (hex.size() % 2 != 0 || hex.size() / 2 > most_argument_bytes) return std::nullopt;
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2) {
        const auto high = digit(hex[i]), low = digit(hex[i + 1]);
        if (!high || !low) return std::nullopt;
        bytes.push_back(static_cast<std::byte>(*high * 16 + *low));
    }
    return bytes;
}

bool read_extent(const Json& extent, Dim3& of) {
    if (!extent.is_array() || extent.size() != 3) return false;
    std::uint32_t* const sides[] = {&of.x, &of.y, &of.z};
    for (std::size_t i = 0; i < 3; ++i) {
        const Json& side = extent[i];
        if (!side.is_unsigned() || side.as_unsigned() < 1 || side.as_unsigned() > 0x7fffffff) return false;
        *sides[i] = static_cast<std::uint32_t>(side.as_unsigned());
    }
    return true;
}

bool read_arguments(const Json& message, ProgramLaunch& launch) {
    const Json &arguments = message["arguments"], &pointers = message["pointers"];
    if (!arguments.is_array() || !pointers.is_array() || arguments.size() != pointers.size()) return false;
    std::size_t all = 0;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        auto bytes = bytes_of(arguments[i].as_string());
        if (!arguments[i].is_string() || !bytes || !pointers[i].is_boolean()) return false;
        all += bytes->size();
        if (bytes->empty() || all > most_argument_bytes) return false;
        if (pointers[i].as_bool() && bytes->size() != sizeof(std::uint64_t)) return false;
        launch.arguments.push_back({std::move(*bytes), pointers[i].as_bool()});
    }
    return true;
}

/// "h_A" of "&h_A[i]"; empty where there is none, or it is very long.
std::string first_word(const std::string& text) {
    constexpr std::size_t longest = 64;
    const auto in_word = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    const auto begin = std::ranges::find_if(text, in_word);
    const auto end = std::find_if_not(begin, text.end(), in_word);
    if (end - begin > static_cast<std::ptrdiff_t>(longest)) return {};
    if (begin != end && *begin >= '0' && *begin <= '9') return {};
    return {begin, end};
}

/// In ascending order, apart from each other, within the arena.
bool read_allocations(const Json& allocations, std::uint64_t arena_bytes, ProgramLaunch& launch) {
    if (!allocations.is_array() || allocations.size() > most_items) return false;
    std::uint64_t end = 0;
    for (const Json& given : allocations) {
        ProgramAllocation allocation{given["offset"].as_unsigned(), given["bytes"].as_unsigned(),
                                     given["filled"].as_bool(), first_word(given["name"].as_string())};
        if (!given["offset"].is_unsigned() || !given["bytes"].is_unsigned()) return false;
        if (allocation.offset < end || allocation.offset > arena_bytes ||
            allocation.bytes > arena_bytes - allocation.offset)
            return false;
        end = allocation.offset + allocation.bytes;
        launch.allocations.push_back(allocation);
    }
    return true;
}

bool is_within(const ProgramVariable& variable, std::uint64_t arena_bytes) {
    return variable.offset <= arena_bytes && variable.bytes <= arena_bytes - variable.offset;
}

bool read_variables(const Json& variables, std::uint64_t arena_bytes, ProgramLaunch& launch) {
    if (!variables.is_array() || variables.size() > most_items) return false;
    for (const Json& variable : variables) {
        launch.variables.push_back({variable["name"].as_string(), variable["text"].as_string(),
                                    variable["offset"].as_unsigned(), variable["bytes"].as_unsigned()});
        if (!is_within(launch.variables.back(), arena_bytes)) return false;
    }
    return true;
}

bool read_images(const Json* images, std::uint64_t arena_bytes, ProgramLaunch& launch) {
    constexpr std::uint64_t most_texels = std::uint64_t{1} << 27;  // of an extent
    if (images == nullptr) return true;
    if (!images->is_array() || images->size() > most_items) return false;
    for (const Json& given : *images) {
        ProgramImage image;
        const std::pair<const char*, std::uint64_t*> numbers[] = {
            {"handle", &image.handle}, {"offset", &image.offset},    {"pitch", &image.pitch},
            {"width", &image.width},   {"height", &image.height},    {"depth", &image.depth},
            {"layers", &image.layers}, {"channels", &image.channels}};
        for (const auto& [name, to] : numbers) {
            if (!given[name].is_unsigned()) return false;
            *to = given[name].as_unsigned();
        }
        image.is_surface = given["surface"].as_bool();
        image.cube = given["cube"].as_bool();
        image.normalised = given["normalised"].as_bool();
        image.reads_normalised = given["reads_normalised"].as_bool();
        image.format = given["format"].as_string();
        image.address = given["address"].as_string();
        image.filter = given["filter"].as_string();
        const bool has_words =
            std::ranges::find(channel_format_names, image.format) != channel_format_names.end() &&
            std::ranges::find(address_mode_names, image.address) != address_mode_names.end() &&
            (image.filter == "point" || image.filter == "linear");
        const std::uint64_t extents[] = {image.width, image.height, image.depth, image.layers};
        if (!has_words || image.width == 0 || image.channels == 0 || image.channels > 4 ||
            std::ranges::any_of(extents, [&](std::uint64_t one) { return one > most_texels; }))
            return false;
        const std::uint64_t rows = image.rows();
        if (image.pitch < image.row_bytes() || image.pitch > arena_bytes ||
            rows > arena_bytes / image.pitch + 1 || image.offset > arena_bytes ||
            image.bytes() > arena_bytes - image.offset)
            return false;
        launch.images.push_back(std::move(image));
    }
    return true;
}

}  // namespace

std::uint64_t ProgramImage::row_bytes() const {
    const std::uint64_t channel = format.ends_with('8') ? 1 : format.ends_with("16") ? 2 : 4;
    return width * channels * channel;
}

std::string without_hidden_namespaces(std::string name) {
    for (const std::string_view hidden : {"(anonymous namespace)::", "{anonymous}::"})
        for (std::size_t at = name.find(hidden); at != std::string::npos; at = name.find(hidden))
            name.erase(at, hidden.size());
    return name;
}

std::string ProgramLaunch::plain_name() const {
    const std::string whole = without_hidden_namespaces(function);
    const std::string head = whole.substr(0, std::min(whole.find(" [with "), whole.find('(')));
    int depth = 0;
    std::string name;
    for (const char c : head) {  // without template arguments; a space ends the result's type
        if (c == '<') ++depth;
        if (depth == 0) name += c;
        if (c == '>') --depth;
    }
    const std::size_t space = name.find_last_of(" *&");
    return space == std::string::npos ? name : name.substr(space + 1);
}

Result<ProgramLaunch> read_program_launch(std::string_view line, std::uint64_t arena_bytes) {
    const auto message = parse_json(line);
    if (!message || !message->is_object())
        return fail("the program wrote something else to Warplens than a launch");
    ProgramLaunch launch;
    launch.symbol = (*message)["symbol"].as_string();
    launch.function = (*message)["function"].as_string();
    launch.file = (*message)["file"].as_string();
    launch.line = static_cast<std::uint32_t>(
        std::min<std::uint64_t>((*message)["line"].as_unsigned(), std::numeric_limits<std::uint32_t>::max()));
    const auto wrong = [&](const char* what) {
        return fail("the program's launch in line {} has wrong {}", launch.line, what);
    };
    if (!read_extent((*message)["grid"], launch.geometry.grid)) return wrong("grid extents");
    if (!read_extent((*message)["block"], launch.geometry.block)) return wrong("block extents");
    if (const Json* const cluster = message->find("cluster");
        cluster != nullptr && !read_extent(*cluster, launch.geometry.cluster))
        return wrong("cluster extents");
    const std::uint64_t shared = (*message)["shared"].as_unsigned();
    if (shared > std::numeric_limits<std::uint32_t>::max()) return wrong("shared memory");
    launch.geometry.dynamic_shared_bytes = static_cast<std::uint32_t>(shared);
    launch.geometry.cooperative = (*message)["cooperative"].as_bool();
    launch.arena = (*message)["base"].as_unsigned();
    if (launch.arena > std::numeric_limits<std::uint64_t>::max() - arena_bytes) return wrong("addresses");
    if (!read_arguments(*message, launch)) return wrong("arguments");
    if (!read_allocations((*message)["allocations"], arena_bytes, launch)) return wrong("allocations");
    if (!read_variables((*message)["variables"], arena_bytes, launch)) return wrong("variables");
    if (!read_images(message->find("images"), arena_bytes, launch)) return wrong("textures");
    return launch;
}

std::optional<ProgramVariable> read_program_variable(std::string_view line, std::uint64_t arena_bytes) {
    const auto message = parse_json(line);
    if (!message || !message->is_object() || !message->find("variable")) return std::nullopt;
    ProgramVariable variable{(*message)["variable"].as_string(), "", (*message)["offset"].as_unsigned(),
                             (*message)["bytes"].as_unsigned()};
    if (!is_within(variable, arena_bytes)) return std::nullopt;
    return variable;
}

std::optional<std::string> read_program_library(std::string_view line) {
    constexpr std::size_t longest = 64;
    const auto message = parse_json(line);
    if (!message || !message->is_object()) return std::nullopt;
    const Json* const name = message->find("library");
    if (name == nullptr || !name->is_string()) return std::nullopt;
    return first_word(name->as_string().substr(0, longest));
}

std::optional<ProgramPlace> place_of(std::uint64_t address, const ProgramLaunch& launch) {
    if (address < launch.arena) return std::nullopt;
    const std::uint64_t at = address - launch.arena;
    const auto after = std::ranges::upper_bound(launch.allocations, at, {}, &ProgramAllocation::offset);
    if (after == launch.allocations.begin()) return std::nullopt;
    const ProgramAllocation& allocation = *std::prev(after);
    if (at - allocation.offset >= allocation.bytes) return std::nullopt;
    return ProgramPlace{static_cast<std::size_t>(after - launch.allocations.begin()) - 1,
                        at - allocation.offset};
}

}  // namespace warplens::instrumentation

#include "app/command_line/headerless.h"

#include <charconv>
#include <regex>

namespace warplens::app {
namespace {

/// "64,64,2" -> {"64", "64", "2"}: one to three whole numbers, kept as text because they become expressions.
Result<std::vector<std::string>> parse_extent(const std::string& flag, const std::string& text) {
    static const std::regex form(R"(^(\d{1,10})(?:,(\d{1,10}))?(?:,(\d{1,10}))?$)");
    std::smatch match;
    if (!std::regex_match(text, match, form)) {
        return fail("{} {}: it takes one to three whole numbers, for example {} 32,8", flag, text, flag);
    }
    std::vector<std::string> extent;
    for (std::size_t i = 1; i < match.size(); ++i) {
        if (match[i].matched) extent.push_back(match[i]);
    }
    return extent;
}

/// As the expression that a header would hold: its numbers are signed, and know infinity by another name.
std::string scalar_expression(const std::string& text) {
    if (text == "inf" || text == "+inf") return "math.huge";
    if (text == "-inf") return "-math.huge";
    if (text == "nan") return "0/0";
    std::uint64_t whole = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, whole);
    if (error == std::errc() && stop == end) return std::to_string(static_cast<std::int64_t>(whole));
    return text;
}

/// One --arg: "f32=2.5" adds a scalar, "buffer:f32[1048576]=iota" a buffer named after its position.
Status add_argument(const std::string& text, instrumentation::KernelFile& kernel) {
    static const std::regex scalar(R"(^(i32|u32|i64|u64|f32|f64)=([-+.\w]+)$)");
    static const std::regex buffer(
        R"(^buffer:(u8|i8|u16|i16|u32|i32|u64|i64|f32|f64)\[(\d+)\](?:=(zero|iota|random|const:[-+.\w]+))?$)");
    std::smatch match;
    const std::string name = "arg" + std::to_string(kernel.arguments.size());
    if (std::regex_match(text, match, scalar)) {
        kernel.arguments.push_back(scalar_expression(match[2]));
        return {};
    }
    if (!std::regex_match(text, match, buffer)) {
        return fail(
            "--arg {}: an argument is a scalar such as i32=1024 or f32=2.5, or a buffer such as "
            "buffer:f32[1048576]=iota (zero, iota, random or const:3)",
            text);
    }
    instrumentation::BufferDeclaration declaration;
    declaration.name = name;
    declaration.element_type = match[1];
    declaration.length = match[2];
    const std::string fill = match[3].matched ? std::string(match[3]) : "zero";
    if (fill.starts_with("const:")) {
        declaration.fill = "constant";
        declaration.fill_argument = fill.substr(6);
    } else {
        declaration.fill = fill;
        if (fill == "random") {
            declaration.seed = "1";
            const bool real = declaration.element_type.front() == 'f';
            if (!real) declaration.fill_argument = "256";
        }
    }
    kernel.buffers.push_back(std::move(declaration));
    kernel.arguments.push_back(name);
    return {};
}

}  // namespace

Status apply_launch_flags(const LaunchFlags& flags, instrumentation::KernelFile& kernel) {
    if (!flags.entry.empty()) kernel.entry = flags.entry;
    if (!flags.grid.empty()) {
        auto grid = parse_extent("--grid", flags.grid);
        if (!grid) return tl::unexpected(grid.error());
        kernel.grid = *grid;
    }
    if (!flags.block.empty()) {
        auto block = parse_extent("--block", flags.block);
        if (!block) return tl::unexpected(block.error());
        kernel.block = *block;
    }
    if (flags.dynamic_shared_bytes) kernel.dynamic_shared_bytes = std::to_string(*flags.dynamic_shared_bytes);
    if (kernel.dynamic_shared_bytes.empty()) kernel.dynamic_shared_bytes = "0";
    if (!flags.arguments.empty()) {
        kernel.arguments.clear();
        kernel.buffers.clear();
        kernel.golden.clear();
        for (const std::string& argument : flags.arguments) {
            if (auto status = add_argument(argument, kernel); !status) return status;
        }
    }
    if (kernel.grid.empty() || kernel.block.empty()) {
        return fail(
            "{}: it has no header that says how to launch it, so give --grid, --block and an --arg for every "
            "kernel argument, for example --grid 1024 --block 256 --arg buffer:f32[262144]=iota --arg "
            "i32=262144",
            kernel.path);
    }
    kernel.has_header = true;  // the flags said what a header would
    return {};
}

}  // namespace warplens::app

#include "app/command_line/argument_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "core/number_text.h"
#include "instrumentation/catalog/aggregate.h"
#include "instrumentation/catalog/buffer_text.h"
#include "instrumentation/catalog/image_text.h"
#include "instrumentation/catalog/scalar_type.h"
#include "instrumentation/word_search.h"

namespace warplens::app {
namespace {

/// As the expression that a header would hold: its numbers are signed, and know infinity by another name.
std::string scalar_expression(const std::string& text) {
    static const std::map<std::string, std::string> words{{"inf", "math.huge"},   {"+inf", "math.huge"},
                                                          {"-inf", "-math.huge"}, {"nan", "0/0"},
                                                          {"true", "1"},          {"false", "0"}};
    if (const auto word = words.find(text); word != words.end()) return word->second;
    if (const auto whole = number_from<std::uint64_t>(text))
        return std::to_string(static_cast<std::int64_t>(*whole));
    return text;
}

/// The number of a scalar, in the range of its type.
Status check_scalar(const instrumentation::ScalarType& type, const std::string& text) {
    const auto integer = number_from<std::int64_t>(text);
    const bool is_u64 = type.name == "u64";
    if (!integer && is_u64 && number_from<std::uint64_t>(text)) return {};  // beyond the largest signed one
    char* end = nullptr;
    const double real = std::strtod(text.c_str(), &end);
    if (*end != '\0') return {};  // an expression: its value is checked when it is known
    const bool names_infinity = text.find_first_of("0123456789") == std::string::npos;
    const bool is_real = type.kind == instrumentation::ScalarType::Kind::real;
    if (is_real && names_infinity) return {};
    if (!std::isfinite(real) || (is_u64 && real < 0))
        return fail("--arg {}={}: the number is outside the range of {}", type.name, text, type.name);
    const auto bits =
        bits_of_scalar(type, integer ? instrumentation::Value{*integer} : instrumentation::Value{real});
    if (!bits) return fail("--arg {}={}: {}", type.name, text, bits.error().message);
    return {};
}

/// "buffer:f32[1048576]=iota" as a buffer of that name; false when the text is something else.
bool add_buffer(const std::string& text, const std::string& name, instrumentation::KernelFile& kernel,
                std::string* offset = nullptr) {
    auto buffer = instrumentation::parse_buffer_text(text, name, offset);
    if (buffer) kernel.buffers.push_back(*std::move(buffer));
    return buffer.has_value();
}

/// "texture:f32[256,256]=random,filter=linear" as an image of that name.
Status add_image(const std::string& text, const std::string& name, instrumentation::KernelFile& kernel) {
    auto parsed = instrumentation::parse_image_text(text, name);
    if (!parsed) return fail("--arg {}", parsed.error().message);
    kernel.images.push_back(std::move(parsed->image));
    kernel.buffers.push_back(std::move(parsed->texels));
    return {};
}

/// A structure's members; an image's options, after commas of their own, stay with it.
std::vector<std::string> members_of(const std::string& text) {
    std::vector<std::string> members;
    for (std::string& part : instrumentation::split_members(text)) {
        const bool option = !members.empty() && instrumentation::is_image_text(members.back()) &&
                            instrumentation::is_image_option(part);
        if (option) members.back() += "," + part;
        else members.push_back(std::move(part));
    }
    return members;
}

/// A structure's members are written as arguments are: numbers, buffers (by address) and images (by handle).
Status add_structure(const std::string& text, const std::string& name, instrumentation::KernelFile& kernel) {
    std::string members = text;
    if (text.starts_with("struct:{") && text.ends_with("}")) {
        members = "struct:{";
        int count = 0;
        for (std::string member : members_of(text.substr(8, text.size() - 9))) {
            const std::string own = name + "_" + std::to_string(count);
            if (instrumentation::is_image_text(member)) {
                WARPLENS_TRY(add_image(member, own, kernel));
                member = member.substr(0, member.find(':')) + "=" + own;
            } else if (add_buffer(member, own, kernel)) {
                member = "ptr=" + own;
            }
            members += (count++ == 0 ? "" : ",") + member;
        }
        members += "}";
    }
    const auto aggregate = instrumentation::parse_aggregate(members);
    if (!aggregate) return fail("--arg {}", aggregate.error().message);
    kernel.arguments.push_back(members);
    return {};
}

}  // namespace

Status add_argument(const std::string& text, const std::vector<std::string>& parameters,
                    instrumentation::KernelFile& kernel) {
    const std::string name = "arg" + std::to_string(kernel.arguments.size());
    if (const auto scalar = instrumentation::parse_typed_scalar(text)) {
        WARPLENS_TRY(check_scalar(*scalar->type, scalar->expression));
        kernel.arguments.push_back(
            fmt::format("{}={}", scalar->type->name, scalar_expression(scalar->expression)));
        return {};
    }
    if (instrumentation::is_aggregate(text)) return add_structure(text, name, kernel);
    instrumentation::BufferArgument place = instrumentation::parse_buffer_argument(text);
    if (const auto parameter = std::ranges::find(parameters, place.name); parameter != parameters.end())
        place.name = "arg" + std::to_string(parameter - parameters.begin());
    if (std::ranges::find(kernel.buffers, place.name, &instrumentation::BufferDeclaration::name) !=
        kernel.buffers.end()) {  // "arg0+16" or "data+16"
        kernel.arguments.push_back(to_string(place));
        return {};
    }
    place = {name, ""};
    if (instrumentation::is_image_text(text)) {
        WARPLENS_TRY(add_image(text, name, kernel));
    } else if (!add_buffer(text, name, kernel, &place.offset)) {
        return fail(
            "--arg {}: an argument is a scalar such as i32=1024 or f16=2.5, a buffer such as "
            "buffer:f32[1048576]=iota (zero, iota, random or const:3), a texture or surface such as "
            "texture:f32[256,256]=random,filter=linear, or a structure such as struct:{{f32=1,i32=2}} or "
            "bytes:0000803f",
            text);
    }
    kernel.arguments.push_back(to_string(place));
    return {};
}

void name_by_parameters(const std::vector<std::string>& parameters, instrumentation::KernelFile& kernel) {
    if (parameters.size() != kernel.arguments.size()) return;
    const auto names = [&] {
        std::vector<std::string> all;
        for (const auto& buffer : kernel.buffers) all.push_back(buffer.name);
        for (const auto& image : kernel.images) all.push_back(image.name);
        for (const auto& parameter : kernel.parameters) all.push_back(parameter.name);
        return all;
    };
    for (const std::string& before : names()) {
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            const std::string own = "arg" + std::to_string(i);
            if (before != own && !before.starts_with(own + "_")) continue;
            const std::string name = parameters[i] + before.substr(own.size());
            const auto taken = names();
            if (std::ranges::find(taken, name) != taken.end()) continue;
            for (auto& buffer : kernel.buffers)
                if (buffer.name == before) buffer.name = name;
            for (auto& image : kernel.images) {
                if (image.name == before) image.name = name;
                if (image.buffer == before) image.buffer = name;
            }
            for (std::string& argument : kernel.arguments)
                argument = instrumentation::with_word(argument, before, name);
        }
    }
}

}  // namespace warplens::app

#include "instrumentation/catalog/header_text.h"

#include <algorithm>

#include "instrumentation/catalog/header_comment.h"

namespace warplens::instrumentation {

namespace {

/// As TOML writes a text, and so that it cannot end the comment.
std::string toml_string(const std::string& text) {
    std::string all = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') all.push_back('\\');
        if (c == '/' && all.back() == '*') all += "\\u002f";
        else all.push_back(static_cast<unsigned char>(c) < ' ' ? ' ' : c);
    }
    return all + '"';
}

std::string in_toml(const Value& value) {
    if (const auto* word = std::get_if<std::string>(&value)) return toml_string(*word);
    std::string number = to_string(value);
    const bool whole = number.find_first_not_of("-0123456789") == std::string::npos;
    if (std::holds_alternative<double>(value) && whole) number += ".0";
    return number;
}

std::string list(const std::vector<std::string>& texts) {
    std::string all;
    for (const std::string& text : texts) all += (all.empty() ? "" : ", ") + toml_string(text);
    return "[" + all + "]";
}

std::string parameter_text(const ParameterDeclaration& parameter) {
    std::string text = fmt::format("{} = {{ default = {}", parameter.name, in_toml(parameter.fallback));
    if (!parameter.values.empty()) {
        std::string values;
        for (const Value& value : parameter.values) values += (values.empty() ? "" : ", ") + in_toml(value);
        text += ", values = [" + values + "]";
    }
    const bool real = std::holds_alternative<double>(parameter.fallback);
    const auto bound = [&](const char* key, double value) {
        text += fmt::format(", {} = {}", key,
                            in_toml(real ? Value(value) : Value(static_cast<std::int64_t>(value))));
    };
    if (parameter.minimum) bound("min", *parameter.minimum);
    if (parameter.maximum) bound("max", *parameter.maximum);
    if ((parameter.minimum || parameter.maximum) && parameter.step != (real ? 0 : 1))
        bound("step", parameter.step);
    if (parameter.is_macro) text += ", macro = true";
    if (!parameter.type.empty()) text += ", type = " + toml_string(parameter.type);
    if (!parameter.help.empty()) text += ", help = " + toml_string(parameter.help);
    return text + " }\n";
}

/// Its fill and what belongs to it, each after a comma.
std::string fill_text(const BufferDeclaration& buffer) {
    std::string text = ", fill = " + toml_string(buffer.fill);
    const char* key = buffer.fill == "constant" || buffer.fill == "formula" ? "value"
                      : buffer.fill == "file"                               ? "path"
                                                                            : "below";
    if (buffer.fill == "ring") key = "step";
    if (!buffer.fill_argument.empty())
        text += fmt::format(", {} = {}", key, toml_string(buffer.fill_argument));
    if (!buffer.seed.empty()) text += ", seed = " + toml_string(buffer.seed);
    return text;
}

std::string buffer_text(const BufferDeclaration& buffer) {
    return fmt::format("{} = {{ type = {}, length = {}{} }}\n", buffer.name, toml_string(buffer.element_type),
                       toml_string(buffer.length), fill_text(buffer));
}

std::string one_image_text(const ImageDeclaration& image, const KernelFile& kernel) {
    std::string text = image.name + " = { ";
    const auto own = std::ranges::find(kernel.buffers, image.buffer, &BufferDeclaration::name);
    if (!image.owns_buffer()) text += "buffer = " + toml_string(image.buffer) + ", ";
    if (!image.format.empty()) text += "type = " + toml_string(image.format) + ", ";
    if (image.channels != "1") text += "channels = " + toml_string(image.channels) + ", ";
    text += "width = " + toml_string(image.width);
    for (const auto& [key, extent] : {std::pair{"height", &image.height}, std::pair{"depth", &image.depth},
                                      std::pair{"layers", &image.layers}})
        if (!extent->empty()) text += fmt::format(", {} = {}", key, toml_string(*extent));
    if (image.cube) text += ", cube = true";
    if (image.owns_buffer() && own != kernel.buffers.end()) text += fill_text(*own);
    if (!image.is_surface) {
        text += ", filter = " + toml_string(image.filter) + ", address = " + toml_string(image.address);
        if (image.normalised) text += ", normalised = true";
        if (image.reads_normalised) text += ", reads_normalised = true";
    }
    return text + " }\n";
}

/// [textures] or [surfaces], when there are any.
std::string images_text(const KernelFile& kernel, bool surfaces) {
    std::string text;
    for (const ImageDeclaration& image : kernel.images)
        if (image.is_surface == surfaces) text += one_image_text(image, kernel);
    return text.empty() ? text : (surfaces ? "\n[surfaces]\n" : "\n[textures]\n") + text;
}

/// Declared by an image, and not for itself.
bool is_of_image(const BufferDeclaration& buffer, const KernelFile& kernel) {
    return std::ranges::any_of(kernel.images, [&](const ImageDeclaration& image) {
        return image.owns_buffer() && image.buffer == buffer.name;
    });
}

}  // namespace

std::string header_text(const KernelFile& kernel) {
    std::string text = "/*\n[kernel]\n";
    text += "title = " + toml_string(kernel.title.empty() ? kernel.name : kernel.title) + "\n";
    if (!kernel.views.empty()) text += "views = " + list(kernel.views) + "\n";
    if (!kernel.entry.empty() && kernel.entry != kernel.name)
        text += "entry = " + toml_string(kernel.entry) + "\n";
    if (!kernel.parameters.empty()) text += "\n[parameters]\n";
    for (const ParameterDeclaration& parameter : kernel.parameters) text += parameter_text(parameter);
    std::string buffers;
    for (const BufferDeclaration& buffer : kernel.buffers)
        if (!is_of_image(buffer, kernel)) buffers += buffer_text(buffer);
    if (!buffers.empty()) text += "\n[buffers]\n" + buffers;
    text += images_text(kernel, false) + images_text(kernel, true);
    text += "\n[launch]\narguments = " + list(kernel.arguments) + "\ngrid = " + list(kernel.grid) +
            "\nblock = " + list(kernel.block) + "\n";
    if (!kernel.cluster.empty()) text += "cluster = " + list(kernel.cluster) + "\n";
    if (kernel.cooperative) text += "cooperative = true\n";
    if (!kernel.dynamic_shared_bytes.empty() && kernel.dynamic_shared_bytes != "0")
        text += "dynamic_shared_bytes = " + toml_string(kernel.dynamic_shared_bytes) + "\n";
    return text + "*/\n";
}

std::string with_header(const KernelFile& kernel) {
    const std::string header = header_text(kernel);
    const auto comment = find_header_comment(kernel.source);
    if (!comment) return header + kernel.source;
    // The comment's text stands between its two marks.
    const auto begin = static_cast<std::size_t>(comment->text.data() - kernel.source.data()) - 2;
    const std::size_t end = begin + comment->text.size() + 4;
    std::string source = kernel.source;
    return source.replace(begin, end - begin, header.substr(0, header.size() - 1));
}

}  // namespace warplens::instrumentation

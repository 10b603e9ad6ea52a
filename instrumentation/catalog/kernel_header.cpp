// The TOML of a kernel's header -> KernelFile. Every error names the file, the line and what would be right;
// the first one found is returned. docs/kernel_header.md describes the keys.
#include <algorithm>

#include "instrumentation/catalog/aggregate.h"
#include "instrumentation/catalog/buffer_header.h"
#include "instrumentation/catalog/buffer_text.h"
#include "instrumentation/catalog/header_comment.h"
#include "instrumentation/catalog/header_fields.h"
#include "instrumentation/catalog/header_tree.h"
#include "instrumentation/catalog/images_header.h"
#include "instrumentation/catalog/kernel.h"
#include "instrumentation/catalog/scalar_type.h"
#include "instrumentation/catalog/streams_header.h"
#include "instrumentation/catalog/suggestion.h"
#include "instrumentation/catalog/sweep_header.h"

namespace warplens::instrumentation {

namespace {

class HeaderReader : private HeaderFields {
  public:
    HeaderReader(KernelFile& kernel, std::string path) : HeaderFields(std::move(path)), kernel_(kernel) {}

    Status read(const HeaderNode& root) {
        return known_keys(root, "the header",
                          {"kernel", "parameters", "buffers", "textures", "surfaces", "launch", "golden",
                           "sweep", "streams"})
            .and_then([&] { return read_kernel(root); })
            .and_then([&] { return each_member(root, "parameters", &HeaderReader::read_parameter); })
            .and_then([&] { return each_member(root, "buffers", &HeaderReader::read_buffer); })
            .and_then([&] { return read_images(*this, root, kernel_); })
            .and_then([&] { return read_launch(root); })
            .and_then([&] { return each_member(root, "golden", &HeaderReader::read_golden); })
            .and_then([&] {
                const HeaderNode* const sweep = member(root, "sweep");
                return sweep ? read_sweep(*this, *sweep, kernel_) : Status{};
            })
            .and_then([&] {
                const HeaderNode* const streams = member(root, "streams");
                return streams ? read_streams(*this, *streams, kernel_) : Status{};
            });
    }

  private:
    Status each_member(const HeaderNode& root, const char* key,
                       Status (HeaderReader::*read)(const std::string&, const HeaderNode&)) {
        const HeaderNode* const node = member(root, key);
        if (!node) return {};
        if (!node->table()) return error_at(*node, "[{}] must be a table", key);
        for (const auto& [name, value] : *node->table()) {
            WARPLENS_TRY((this->*read)(name, value));
        }
        return {};
    }

    Status read_expressions(const HeaderNode& table, const char* key, std::vector<std::string>& into) {
        const HeaderNode* const node = member(table, key);
        if (!node) return error_at(table, "[launch] lacks `{}`", key);
        if (!node->array()) {
            into.emplace_back();
            return as_expression(*node, key, into.back());
        }
        for (const HeaderNode& element : *node->array()) {
            into.emplace_back();
            WARPLENS_TRY(as_expression(element, key, into.back()));
        }
        return {};
    }

    Status read_kernel(const HeaderNode& root) {
        const HeaderNode* const node = member(root, "kernel");
        if (!node) return error_at(root, "the header lacks its [kernel] table");
        Status status =
            known_keys(*node, "[kernel]", {"title", "subject", "lesson", "note", "views", "entry", "wrong"})
                .and_then([&] { return read_text(*node, "title", kernel_.title); })
                .and_then([&] { return read_text(*node, "subject", kernel_.subject); })
                .and_then([&] { return read_text(*node, "lesson", kernel_.lesson); })
                .and_then([&] { return read_text(*node, "note", kernel_.note); })
                .and_then([&] { return read_text(*node, "entry", kernel_.entry); })
                .and_then([&] { return read_expression(*node, "wrong", kernel_.wrong); });
        if (!status) return status;
        if (kernel_.title.empty()) kernel_.title = kernel_.name;
        if (kernel_.subject.empty()) kernel_.subject = "Other kernels";
        const HeaderNode* const views = member(*node, "views");
        if (!views) return {};
        const auto rule = "`views` must be a list of names in quotes, such as [\"banks\", \"sectors\"]";
        if (!views->array()) return error_at(*views, "{}", rule);
        for (const HeaderNode& view : *views->array()) {
            const auto* name = std::get_if<std::string>(&view.value);
            if (!name) return error_at(view, "{}", rule);
            kernel_.views.push_back(*name);
        }
        return {};
    }

    Status read_values(const HeaderNode& node, ParameterDeclaration& parameter) const {
        const HeaderNode* const values = member(node, "values");
        if (!values) return {};
        if (!values->array() || values->array()->empty()) {
            return error_at(*values, "`values` of `{}` must be a list such as [8, 16, 32]", parameter.name);
        }
        for (const HeaderNode& element : *values->array()) {
            Value value;
            WARPLENS_TRY(as_value(element, "values", value));
            const auto* integer = std::get_if<std::int64_t>(&value);
            if (integer && std::holds_alternative<double>(parameter.fallback)) {
                value = static_cast<double>(*integer);
            }
            if (value.index() != parameter.fallback.index()) {
                return error_at(element, "the values of `{}` must be of the same kind as its default",
                                parameter.name);
            }
            parameter.values.push_back(value);
        }
        return {};
    }

    Status read_parameter(const std::string& name, const HeaderNode& node) {
        const std::string where = fmt::format("parameter `{}`", name);
        ParameterDeclaration parameter;
        parameter.name = name;
        std::optional<double> step;
        Status status =
            known_keys(node, where, {"default", "min", "max", "step", "values", "macro", "type", "help"})
                .and_then([&] { return check_name(name, node, "parameter", kernel_); })
                .and_then([&] { return read_number(node, "min", parameter.minimum); })
                .and_then([&] { return read_number(node, "max", parameter.maximum); })
                .and_then([&] { return read_number(node, "step", step); })
                .and_then([&] { return read_choice(node, "type", scalar_type_names(), parameter.type); })
                .and_then([&] { return read_text(node, "help", parameter.help); });
        if (!status) return status;
        const HeaderNode* const fallback = member(node, "default");
        if (!fallback) return error_at(node, "{} lacks its `default`", where);
        status = as_value(*fallback, "default", parameter.fallback).and_then([&] {
            return read_values(node, parameter);
        });
        if (!status) return status;
        if (status = read_flag(node, "macro", parameter.is_macro); !status) return status;
        if (step && !(*step > 0)) return error_at(node, "`step` of {} must be above 0", where);
        parameter.step = step.value_or(std::holds_alternative<double>(parameter.fallback) ? 0 : 1);
        const bool ranged = parameter.minimum || parameter.maximum || step;
        if (ranged &&
            (!parameter.values.empty() || std::holds_alternative<std::string>(parameter.fallback))) {
            return error_at(node, "{} has values or is a word, so it takes no min, max or step", where);
        }
        if (parameter.minimum && parameter.maximum && *parameter.minimum > *parameter.maximum) {
            return error_at(node, "`min` of {} is above its `max`", where);
        }
        if (status = check_parameter_value(parameter, parameter.fallback); !status) {
            return error_at(*fallback, "the default of {} does not fit: {}", where, status.error().message);
        }
        kernel_.parameters.push_back(std::move(parameter));
        return {};
    }

    Status read_buffer(const std::string& name, const HeaderNode& node) {
        const std::string where = fmt::format("buffer `{}`", name);
        BufferDeclaration buffer;
        buffer.name = name;
        Names known = buffer_keys();
        known.insert(known.begin() + 1, "length");
        Status status = known_keys(node, where, known)
                            .and_then([&] { return check_name(name, node, "buffer", kernel_); })
                            .and_then([&] { return read_expression(node, "length", buffer.length); })
                            .and_then([&] { return read_elements(*this, node, where, buffer); });
        if (!status) return status;
        if (buffer.element_type.empty() || buffer.length.empty()) {
            return error_at(node, "{} lacks its `{}`", where, buffer.length.empty() ? "length" : "type");
        }
        kernel_.buffers.push_back(std::move(buffer));
        return {};
    }

    Status read_launch(const HeaderNode& root) {
        const HeaderNode* const node = member(root, "launch");
        if (!node)
            return error_at(root, "the header lacks its [launch] table with arguments, grid and block");
        Status status =
            known_keys(*node, "[launch]",
                       {"arguments", "grid", "block", "dynamic_shared_bytes", "cluster", "cooperative"})
                .and_then([&] { return read_arguments(*node); })
                .and_then([&] { return read_expressions(*node, "grid", kernel_.grid); })
                .and_then([&] { return read_expressions(*node, "block", kernel_.block); })
                .and_then([&] { return read_blocks_together(*node); })
                .and_then([&] {
                    return read_expression(*node, "dynamic_shared_bytes", kernel_.dynamic_shared_bytes);
                });
        if (!status) return status;
        if (kernel_.dynamic_shared_bytes.empty()) kernel_.dynamic_shared_bytes.push_back('0');
        for (const auto* key : {"grid", "block"}) {
            const std::size_t count = key[0] == 'g' ? kernel_.grid.size() : kernel_.block.size();
            if (count < 1 || count > 3) {
                return error_at(*member(*node, key), "`{}` must have one to three expressions, x first", key);
            }
        }
        return {};
    }

    /// Clusters, and whether all blocks of the grid wait for each other.
    Status read_blocks_together(const HeaderNode& launch) {
        WARPLENS_TRY(read_flag(launch, "cooperative", kernel_.cooperative));
        const HeaderNode* const node = member(launch, "cluster");
        if (!node) return {};
        WARPLENS_TRY(read_expressions(launch, "cluster", kernel_.cluster));
        if (kernel_.cluster.empty() || kernel_.cluster.size() > 3)
            return error_at(*node, "`cluster` must have one to three expressions, x first");
        return {};
    }

    /// Buffers may bear names that are no Lua expression ("in"), so names are looked up first.
    Status read_arguments(const HeaderNode& launch) {
        const HeaderNode* const node = member(launch, "arguments");
        if (!node || !node->array()) {
            return error_at(node ? *node : launch,
                            "[launch] needs `arguments`: a list of buffers, parameters or expressions");
        }
        for (const HeaderNode& element : *node->array()) {
            std::string& argument = kernel_.arguments.emplace_back();
            const auto* text = std::get_if<std::string>(&element.value);
            if (text && is_identifier(*text)) {
                argument = *text;
                Names names;
                for (const ParameterDeclaration& parameter : kernel_.parameters) {
                    names.push_back(parameter.name);
                }
                for (const BufferDeclaration& buffer : kernel_.buffers) names.push_back(buffer.name);
                for (const ImageDeclaration& image : kernel_.images)
                    if (!image.owns_buffer()) names.push_back(image.name);
                if (contains(names, argument)) continue;
                return error_at(element,
                                "the argument `{}` is not a buffer, image or parameter{} (declared: {})",
                                argument, did_you_mean(argument, names), listed(names));
            }
            if (const BufferArgument place = parse_buffer_argument(text ? *text : ""); !place.offset.empty())
                if (std::ranges::find(kernel_.buffers, place.name, &BufferDeclaration::name) !=
                    kernel_.buffers.end()) {
                    argument = *text;
                    continue;
                }
            if (text && is_aggregate(*text)) {
                argument = *text;
                if (const auto read = parse_aggregate(argument); !read)
                    return error_at(element, "{}", read.error().message);
                continue;
            }
            if (const auto typed = text ? parse_typed_scalar(*text) : std::nullopt) {
                if (Status status = as_expression({element.line, typed->expression}, "arguments", argument);
                    !status)
                    return status;
                argument = *text;
                continue;
            }
            WARPLENS_TRY(as_expression(element, "arguments", argument));
        }
        return {};
    }

    Status read_golden(const std::string& name, const HeaderNode& node) {
        const std::string where = fmt::format("[golden.{}]", name);
        GoldenDeclaration golden;
        golden.buffer = name;
        std::optional<double> tolerance;
        Status status = known_keys(node, where, {"lua", "tolerance"})
                            .and_then([&] { return read_text(node, "lua", golden.lua); })
                            .and_then([&] { return read_number(node, "tolerance", tolerance); });
        if (!status) return status;
        golden.tolerance = tolerance.value_or(0);
        if (golden.lua.empty()) return error_at(node, "{} lacks its `lua`", where);
        if (golden.tolerance < 0) return error_at(node, "the tolerance of {} must be 0 or more", where);
        Names buffers;
        for (const BufferDeclaration& buffer : kernel_.buffers) buffers.push_back(buffer.name);
        if (!contains(buffers, name)) {
            return error_at(node, "{} names no buffer{} (buffers: {})", where, did_you_mean(name, buffers),
                            listed(buffers));
        }
        kernel_.golden.push_back(std::move(golden));
        return {};
    }

    KernelFile& kernel_;
};

std::string stem_of(const std::string& path) {
    const std::size_t slash = path.find_last_of("/\\");
    std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
    if (const std::size_t dot = name.rfind('.'); dot != std::string::npos && dot > 0) name.resize(dot);
    return name;
}

}  // namespace

Result<KernelFile> read_kernel_file(std::string path, std::string source) {
    KernelFile kernel;
    kernel.name = stem_of(path);
    if (path.ends_with(".ptx")) kernel.language = Language::ptx;
    if (path.ends_with(".cubin")) kernel.language = Language::cubin;
    kernel.path = std::move(path);
    kernel.source = std::move(source);
    const auto comment = kernel.language == Language::cubin ? std::optional<HeaderComment>()
                                                            : find_header_comment(kernel.source);
    if (!comment) {
        kernel.has_header = false;
        kernel.title = kernel.name;
        return kernel;
    }
    kernel.entry = kernel.name;
    WARPLENS_TRY(const auto root, parse_header_tree(comment->text, kernel.path, comment->first_line));
    HeaderReader reader(kernel, kernel.path);
    WARPLENS_TRY(reader.read(root));
    return kernel;
}

}  // namespace warplens::instrumentation

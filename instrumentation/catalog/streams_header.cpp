#include "instrumentation/catalog/streams_header.h"

#include <algorithm>
#include <array>

#include "instrumentation/catalog/suggestion.h"

namespace warplens::instrumentation {

namespace {

using OperationKind = StreamOperationKind;

class StreamsReader {
  public:
    StreamsReader(HeaderFields& fields, KernelFile& kernel) : fields_(fields), kernel_(kernel) {}

    Status read(const HeaderNode& node) {
        for (const ParameterDeclaration& parameter : kernel_.parameters)
            if (contains({"chunk", "first", "count"}, parameter.name))
                return fields_.error_at(
                    node, "[streams] gives `{}` a meaning of its own; call the parameter otherwise",
                    parameter.name);
        return fields_.known_keys(node, "[streams]", {"chunks", "first", "count", "operations", "variants"})
            .and_then([&] { return fields_.read_expression(node, "chunks", streams_.chunks); })
            .and_then([&] { return fields_.read_expression(node, "first", streams_.first); })
            .and_then([&] { return fields_.read_expression(node, "count", streams_.count); })
            .and_then([&] { return each(node, "operations", &StreamsReader::read_operation); })
            .and_then([&] { return each(node, "variants", &StreamsReader::read_variant); })
            .map([&] {
                if (streams_.chunks.empty()) streams_.chunks = "1";
                kernel_.streams = std::move(streams_);
            });
    }

  private:
    Status each(const HeaderNode& node, const char* key, Status (StreamsReader::*read)(const HeaderNode&)) {
        const HeaderNode* const list = HeaderFields::member(node, key);
        if (!list || !list->array() || list->array()->empty())
            return fields_.error_at(
                list ? *list : node, "[streams] needs `{}`: a list of inline tables such as {}", key,
                key[0] == 'o' ? "{ copy_in = \"x\" }" : "{ name = \"one stream\", streams = 1 }");
        for (const HeaderNode& element : *list->array()) WARPLENS_TRY((this->*read)(element));
        return {};
    }

    Status read_operation(const HeaderNode& node) {
        if (!node.table())
            return fields_.error_at(node, "an operation must be a table such as {{ copy_in = \"x\" }}");
        static constexpr std::array keys{std::pair{"copy_in", OperationKind::copy_in},
                                         std::pair{"launch", OperationKind::launch},
                                         std::pair{"copy_out", OperationKind::copy_out}};
        const HeaderNode* what = nullptr;
        StreamOperationDeclaration operation;
        for (const auto& [key, kind] : keys) {
            const HeaderNode* const found = HeaderFields::member(node, key);
            if (!found) continue;
            if (what)
                return fields_.error_at(node, "an operation is one of copy_in, launch and copy_out, not two");
            what = found;
            operation.kind = kind;
        }
        if (!what) {
            const Names known{"copy_in", "launch", "copy_out"};
            std::string near;
            for (const auto& entry : *node.table())
                if (near.empty()) near = did_you_mean(entry.key, known);
            return fields_.error_at(node, "an operation needs one of copy_in, launch and copy_out{}", near);
        }
        Status status = operation.kind == OperationKind::launch ? read_launch(node, *what, operation)
                                                                : read_copy(node, *what, operation);
        return status.and_then([&] { return fields_.read_text(node, "name", operation.name); }).map([&] {
            streams_.operations.push_back(std::move(operation));
        });
    }

    Status read_copy(const HeaderNode& node, const HeaderNode& what, StreamOperationDeclaration& copy) {
        const auto* name = std::get_if<std::string>(&what.value);
        Names buffers;
        for (const BufferDeclaration& buffer : kernel_.buffers) buffers.push_back(buffer.name);
        if (!name || !contains(buffers, *name))
            return fields_.error_at(what, "a copy names a buffer{} (buffers: {})",
                                    name ? did_you_mean(*name, buffers) : "", listed(buffers));
        copy.buffer = *name;
        Status status = fields_.known_keys(node, "a copy", {"copy_in", "copy_out", "first", "count", "name"})
                            .and_then([&] { return fields_.read_expression(node, "first", copy.first); })
                            .and_then([&] { return fields_.read_expression(node, "count", copy.count); });
        if (!status) return status;
        if ((copy.first.empty() && streams_.first.empty()) || (copy.count.empty() && streams_.count.empty()))
            return fields_.error_at(node, "the copy of `{}` lacks `first` and `count`, and so does [streams]",
                                    copy.buffer);
        return {};
    }

    Status read_launch(const HeaderNode& node, const HeaderNode& what, StreamOperationDeclaration& launch) {
        const auto* flag = std::get_if<bool>(&what.value);
        if (!flag || !*flag) return fields_.error_at(what, "`launch` must be true");
        return fields_.known_keys(node, "a launch", {"launch", "arguments", "grid", "block", "name"})
            .and_then([&] { return read_list(node, "arguments", launch.arguments); })
            .and_then([&] { return read_list(node, "grid", launch.grid); })
            .and_then([&] { return read_list(node, "block", launch.block); })
            .and_then([&]() -> Status {
                if (!launch.arguments.empty() && launch.arguments.size() != kernel_.arguments.size())
                    return fields_.error_at(*HeaderFields::member(node, "arguments"),
                                            "the launch gives {} arguments and [launch] {}",
                                            launch.arguments.size(), kernel_.arguments.size());
                if (launch.grid.size() > 3 || launch.block.size() > 3)
                    return fields_.error_at(node,
                                            "`grid` and `block` have one to three expressions, x first");
                return {};
            });
    }

    Status read_list(const HeaderNode& node, const char* key, std::vector<std::string>& into) {
        const HeaderNode* const list = HeaderFields::member(node, key);
        if (!list) return {};
        if (!list->array() || list->array()->empty())
            return fields_.error_at(*list, "`{}` must be a list of expressions", key);
        for (const HeaderNode& element : *list->array()) {
            std::string& text = into.emplace_back();
            const auto* name = std::get_if<std::string>(&element.value);
            // Buffers may bear names that are not an expression ("in").
            if (name && std::any_of(kernel_.buffers.begin(), kernel_.buffers.end(),
                                    [&](const BufferDeclaration& buffer) { return buffer.name == *name; })) {
                text = *name;
            } else if (Status status = fields_.as_expression(element, key, text); !status) {
                return status;
            }
        }
        return {};
    }

    Status check_braces(const HeaderNode& node, const char* key, const std::string& text) {
        for (std::size_t at = 0; (at = text.find('{', at)) != std::string::npos;) {
            const std::size_t end = text.find('}', at);
            if (end == std::string::npos)
                return fields_.error_at(node, "`{}` opens a brace and does not close it: {}", key, text);
            const HeaderNode inner{node.line, text.substr(at + 1, end - at - 1)};
            std::string expression;
            WARPLENS_TRY(fields_.as_expression(inner, key, expression));
            at = end;
        }
        return {};
    }

    Status read_flag(const HeaderNode& node, const char* key, bool& into) {
        const HeaderNode* const found = HeaderFields::member(node, key);
        if (!found) return {};
        const auto* flag = std::get_if<bool>(&found->value);
        if (!flag) return fields_.error_at(*found, "`{}` must be true or false", key);
        into = *flag;
        return {};
    }

    Status read_variant(const HeaderNode& node) {
        StreamVariantDeclaration variant;
        Status status =
            fields_
                .known_keys(node, "a variant of [streams]",
                            {"name", "title", "streams", "chunks", "repeats", "graph", "pageable"})
                .and_then([&] { return fields_.read_text(node, "name", variant.name); })
                .and_then([&] { return fields_.read_text(node, "title", variant.title); })
                .and_then([&] { return check_braces(node, "name", variant.name); })
                .and_then([&] { return check_braces(node, "title", variant.title); })
                .and_then([&] { return fields_.read_expression(node, "streams", variant.streams); })
                .and_then([&] { return fields_.read_expression(node, "chunks", variant.chunks); })
                .and_then([&] { return fields_.read_expression(node, "repeats", variant.repeats); })
                .and_then([&] { return read_flag(node, "graph", variant.graph); })
                .and_then([&] { return read_flag(node, "pageable", variant.pageable); });
        if (!status) return status;
        if (variant.name.empty()) return fields_.error_at(node, "a variant of [streams] lacks its `name`");
        if (variant.graph && variant.pageable)
            return fields_.error_at(node, "`{}`: a graph needs pinned memory, so it cannot be pageable too",
                                    variant.name);
        if (variant.streams.empty()) variant.streams = "1";
        if (variant.repeats.empty()) variant.repeats = "1";
        streams_.variants.push_back(std::move(variant));
        return {};
    }

    HeaderFields& fields_;
    KernelFile& kernel_;
    StreamsDeclaration streams_;
};

}  // namespace

Status read_streams(HeaderFields& fields, const HeaderNode& node, KernelFile& kernel) {
    return StreamsReader(fields, kernel).read(node);
}

}  // namespace warplens::instrumentation

#include "instrumentation/catalog/sweep_header.h"

#include <algorithm>

#include "instrumentation/catalog/suggestion.h"

namespace warplens::instrumentation {
namespace {

/// The texts of a list. `rule`: what is right.
Status read_list(HeaderFields& fields, const HeaderNode& table, const char* key, const char* rule,
                 std::vector<std::string>& into) {
    const HeaderNode* const list = HeaderFields::member(table, key);
    if (!list) return {};
    if (!list->array() || list->array()->empty()) return fields.error_at(*list, "{}", rule);
    for (const HeaderNode& element : *list->array()) {
        const auto* text = std::get_if<std::string>(&element.value);
        if (!text) return fields.error_at(element, "{}", rule);
        into.push_back(*text);
    }
    return {};
}

/// "bytes", or "hops=1024,2048".
Status read_axis(HeaderFields& fields, const HeaderNode& node, const std::string& text, KernelFile& kernel) {
    SweepDeclaration::Axis axis;
    const auto equals = text.find('=');
    axis.parameter = text.substr(0, equals);
    Names names;
    for (const auto& parameter : kernel.parameters) names.push_back(parameter.name);
    if (!contains(names, axis.parameter))
        return fields.error_at(node, "[sweep] `over`: there is no parameter `{}`{}", axis.parameter,
                               did_you_mean(axis.parameter, names));
    for (auto from = equals; from != std::string::npos;) {
        const auto comma = text.find(',', from + 1);
        axis.values.push_back(text.substr(from + 1, comma - from - 1));
        from = comma;
        const auto allowed = resolve_parameters(kernel, {{axis.parameter, axis.values.back()}});
        if (!allowed) return fields.error_at(node, "[sweep] `over`: {}", allowed.error().message);
    }
    kernel.sweep->over.push_back(std::move(axis));
    return {};
}

}  // namespace

Status read_sweep(HeaderFields& fields, const HeaderNode& node, KernelFile& kernel) {
    const auto rule =
        "`over` of [sweep] must be a list of one or two parameters, such as [\"n\", \"TILE=8,16\"]";
    kernel.sweep.emplace();
    std::vector<std::string> over;
    Status read = fields.known_keys(node, "[sweep]", {"over", "metrics"}).and_then([&] {
        return read_list(fields, node, "over", rule, over);
    });
    if (!read) return read;
    if (over.empty() || over.size() > 2) return fields.error_at(node, "{}", rule);
    for (const std::string& axis : over)
        if (read = read_axis(fields, node, axis, kernel); !read) return read;
    return read_list(fields, node, "metrics",
                     "`metrics` of [sweep] must be a list of names in quotes, such as [\"schedule.cycles\"]",
                     kernel.sweep->metrics);
}

}  // namespace warplens::instrumentation

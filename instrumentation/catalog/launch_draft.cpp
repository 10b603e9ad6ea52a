#include "instrumentation/catalog/launch_draft.h"

#include <algorithm>
#include <optional>

#include "core/number_text.h"
#include "instrumentation/catalog/aggregate.h"
#include "instrumentation/catalog/buffer_text.h"
#include "instrumentation/catalog/doubtful_arguments.h"
#include "instrumentation/catalog/expressions.h"
#include "instrumentation/catalog/host_launch.h"
#include "instrumentation/catalog/image_text.h"
#include "instrumentation/catalog/images.h"
#include "instrumentation/catalog/launch_parts.h"
#include "instrumentation/catalog/scalar_type.h"

namespace warplens::instrumentation {

namespace {

using ArgumentKind = DraftArgument::Kind;

/// The number that a scalar's field holds; the error says what may stand there.
Result<Value> number_of(const DraftArgument& argument) {
    const std::string& text = argument.value;
    const bool is_real = is_real_type(argument.scalar_type);
    std::optional<Value> value;
    if (const auto integer = number_from<std::int64_t>(text))
        value = is_real ? Value{static_cast<double>(*integer)} : Value{*integer};
    else if (const auto real = number_from<double>(text); real && is_real) value = *real;
    if (!value) return fail("{}", is_real ? "a number such as 2.5" : "an integer such as 1024");
    const ScalarType* const type = find_scalar_type(argument.scalar_type);
    if (!type) return *value;
    WARPLENS_TRY(bits_of_scalar(*type, *value));
    return *value;
}

/// Trailing ones are left out; at least x stays.
std::vector<std::string> extent(const std::vector<std::string>& texts) {
    std::vector<std::string> extent;
    for (const std::string& text : texts) extent.push_back(text.empty() ? "1" : text);
    while (extent.size() > 1 && extent.back() == "1") extent.pop_back();
    if (extent.empty()) extent.emplace_back("1");
    return extent;
}

/// Empty where there are no clusters.
std::vector<std::string> cluster_extent(const LaunchDraft& draft) {
    std::vector<std::string> cluster = extent(draft.cluster);
    if (cluster == std::vector<std::string>{"1"}) cluster.clear();
    return cluster;
}

/// "PTX ISA: Cluster Dimension Directives", and what a GPU takes at most, asked for by an attribute.
constexpr std::int64_t most_blocks_in_cluster = 16;

/// Once each extent is a number: what is wrong with the cluster as a whole, by the field that it is about.
std::optional<DraftError> check_cluster(Dim3 grid, Dim3 of) {
    if (of.count() > static_cast<std::uint64_t>(most_blocks_in_cluster))
        return DraftError{"cluster 0", fmt::format("a cluster of {} has {} blocks; a GPU takes up to {}",
                                                   to_string(of), of.count(), most_blocks_in_cluster)};
    const std::uint32_t grids[] = {grid.x, grid.y, grid.z}, clusters[] = {of.x, of.y, of.z};
    for (std::size_t i = 0; i < 3; ++i)
        if (grids[i] % clusters[i] != 0)
            return DraftError{
                "cluster " + std::to_string(i),
                fmt::format("a grid of {} blocks cannot be cut into clusters of {}: each extent must "
                            "be a multiple",
                            to_string(grid), to_string(of))};
    return std::nullopt;
}

/// Of the other types the compiled kernel says enough.
bool says_more_than_ptx(std::string_view type) { return type == "bool" || type == "f16" || type == "bf16"; }

ParameterDeclaration parameter_of(const DraftArgument& argument) {
    ParameterDeclaration parameter;
    parameter.name = argument.name;
    parameter.fallback = number_of(argument).value_or(std::int64_t{0});
    parameter.step = is_real_type(argument.scalar_type) ? 0 : 1;
    if (says_more_than_ptx(argument.scalar_type) || is_untyped(argument))
        parameter.type = argument.scalar_type;
    parameter.help = argument.written_type;
    return parameter;
}

/// A buffer as a header declares it.
BufferDeclaration buffer_of(const DraftArgument& argument) {
    BufferDeclaration buffer;
    buffer.name = argument.name, buffer.element_type = argument.element_type;
    buffer.length = argument.length;
    buffer.fill = argument.fill;
    buffer.guessed_length = has_guessed_length(argument), buffer.address = argument.address;
    buffer.file_part = argument.file_part;
    if (argument.guessed) buffer.written = argument.written;
    if (argument.fill == "constant" || argument.fill == "formula" || argument.fill == "file")
        buffer.fill_argument = argument.value;
    if (argument.fill == "random") fill_randomly(buffer, argument.value);
    return buffer;
}

/// With its extents as numbers, so that it needs no quotes.
std::string image_flag(const DraftArgument& argument, const auto& number) {
    auto parsed = parse_image_text(argument.value, argument.name);
    if (!parsed) return "'" + argument.value + "'";
    for (std::string* text : {&parsed->image.width, &parsed->image.height, &parsed->image.depth,
                              &parsed->image.layers, &parsed->texels.fill_argument})
        if (!text->empty()) *text = number(*text);
    return image_text(*parsed);
}

/// A sentence; empty: nothing is.
std::string wrong_with_image(const DraftArgument& argument, Expressions& expressions) {
    const auto parsed = parse_image_text(argument.value, argument.name);
    if (!parsed) return parsed.error().message;
    const auto made = describe_image(parsed->image, {}, expressions);
    return made ? "" : made.error().message;
}

}  // namespace

bool is_untyped(const DraftArgument& argument) {
    const std::string& type = argument.written_type;
    return (argument.kind == ArgumentKind::scalar || argument.kind == ArgumentKind::buffer) &&
           (type == "b8" || type == "b16" || type == "b32" || type == "b64");
}

std::vector<std::string> types_that_fit(const DraftArgument& argument) {
    std::vector<std::string> types;
    if (!is_untyped(argument)) return types;
    if (argument.written_type == "b64") types.emplace_back("buffer");
    for (const ScalarType& type : scalar_types())
        if (argument.written_type == "b" + std::to_string(8 * type.bytes)) types.emplace_back(type.name);
    return types;
}

void set_type(DraftArgument& argument, const std::string& type) {
    argument.guessed = false;
    argument.value = "1";
    if (type == "buffer") {
        argument.kind = ArgumentKind::buffer;
        if (argument.element_type.empty()) argument.element_type = "f32";
        if (argument.length.empty()) argument.length = "1024";
        argument.fill = "zero";
        return;
    }
    argument.kind = ArgumentKind::scalar;
    argument.scalar_type = type;
}

KernelFile with_launch(KernelFile file, const LaunchDraft& draft) {
    file.has_header = true;
    file.entry = draft.entry;
    file.arguments.clear();
    file.buffers.clear();
    file.images.clear();
    file.golden.clear();
    std::erase_if(file.parameters, [](const ParameterDeclaration& declared) { return !declared.is_macro; });
    for (const DraftArgument& argument : draft.arguments) {
        if (argument.kind == ArgumentKind::structure) {
            file.arguments.push_back(argument.value);
            continue;
        }
        if (argument.kind == ArgumentKind::buffer) {
            const bool own = argument.shares.empty();
            file.arguments.push_back(
                to_string(BufferArgument{own ? argument.name : argument.shares, argument.offset}));
            if (own) file.buffers.push_back(buffer_of(argument));
            continue;
        }
        file.arguments.push_back(argument.name);
        if (argument.kind == ArgumentKind::scalar) {
            file.parameters.push_back(parameter_of(argument));
            continue;
        }
        if (argument.kind == ArgumentKind::image) {
            if (auto parsed = parse_image_text(argument.value, argument.name)) {
                file.images.push_back(std::move(parsed->image));
                file.buffers.push_back(std::move(parsed->texels));
            }
            continue;
        }
    }
    for (const DraftArgument& target : draft.targets) file.buffers.push_back(buffer_of(target));
    file.grid = extent(draft.grid);
    file.block = extent(draft.block);
    file.dynamic_shared_bytes = draft.dynamic_shared_bytes.empty() ? "0" : draft.dynamic_shared_bytes;
    file.cluster = cluster_extent(draft);
    file.cooperative = draft.cooperative;
    file.doubt = doubtful_indices(draft);
    file.guessed_shared = draft.shared_guessed, file.linked = draft.linked;
    return file;
}

namespace {

/// Every field of a form, each error under the field's name.
class DraftCheck {
  public:
    explicit DraftCheck(const LaunchDraft& draft) : draft_(draft) {}

    std::vector<DraftError> errors() {
        check_values();
        auto expressions = Expressions::over(file_, values_);
        if (!expressions) return {{"value 0", expressions.error().message}};
        for (std::size_t i = 0; i < draft_.arguments.size(); ++i) check_memory(i, *expressions);
        check_extents(*expressions);
        if (errors_.empty()) check_geometry(*expressions);
        const std::string& shared = draft_.dynamic_shared_bytes;
        keep_error("shared", expressions->integer(shared.empty() ? "0" : shared, 0, 227 * 1024));
        return std::move(errors_);
    }

  private:
    void keep_error(const std::string& field, const auto& result) {
        if (!result) errors_.push_back({field, result.error().message});
    }

    /// Scalars, which expressions may name, and structures.
    void check_values() {
        for (std::size_t i = 0; i < draft_.arguments.size(); ++i) {
            const DraftArgument& argument = draft_.arguments[i];
            const std::string field = "value " + std::to_string(i);
            if (argument.kind == ArgumentKind::scalar) {
                const auto value = number_of(argument);
                keep_error(field, value);
                file_.parameters.push_back(parameter_of(argument));
                values_[argument.name] = value.value_or(std::int64_t{1});
            } else if (argument.kind == ArgumentKind::structure) {
                const auto aggregate = parse_aggregate(argument.value);
                keep_error(field, aggregate);
                if (aggregate && aggregate->bytes != argument.bytes)
                    errors_.push_back({field, fmt::format("these are {} bytes, and the kernel takes {}",
                                                          aggregate->bytes, argument.bytes)});
            }
        }
    }

    void check_memory(std::size_t i, Expressions& expressions) {
        constexpr std::int64_t most_elements = std::int64_t{1} << 40;
        const DraftArgument& argument = draft_.arguments[i];
        const std::string number = std::to_string(i);
        if (argument.kind == ArgumentKind::image) {
            if (const std::string wrong = wrong_with_image(argument, expressions); !wrong.empty())
                errors_.push_back({"value " + number, wrong});
        }
        if (argument.kind != ArgumentKind::buffer) return;
        keep_error("length " + number, expressions.integer(argument.length, 0, most_elements));
        if (!argument.offset.empty())
            keep_error("offset " + number, expressions.integer(argument.offset, 0, most_elements));
        if (argument.fill == "constant") keep_error("value " + number, expressions.number(argument.value));
    }

    void check_extents(Expressions& expressions) {
        constexpr std::int64_t most_grid[] = {0x7fffffff, 65535, 65535}, most_block[] = {1024, 1024, 64};
        for (std::size_t i = 0; i < 3; ++i) {
            const auto check = [&](const std::vector<std::string>& texts, const char* what,
                                   std::int64_t most) {
                if (i < texts.size() && !texts[i].empty())
                    keep_error(what + std::to_string(i), expressions.integer(texts[i], 1, most));
            };
            check(draft_.grid, "grid ", most_grid[i]);
            check(draft_.block, "block ", most_block[i]);
            check(draft_.cluster, "cluster ", most_blocks_in_cluster);
        }
    }

    void check_geometry(Expressions& expressions) {
        const auto geometry = evaluate_geometry(extent(draft_.grid), extent(draft_.block), "0", expressions);
        keep_error("block 0", geometry);
        if (!geometry) return;
        Dim3 cluster;
        std::uint32_t* const extents[] = {&cluster.x, &cluster.y, &cluster.z};
        const std::vector<std::string> texts = extent(draft_.cluster);
        for (std::size_t i = 0; i < texts.size() && i < 3; ++i)
            *extents[i] = static_cast<std::uint32_t>(
                expressions.integer(texts[i], 1, most_blocks_in_cluster).value_or(1));
        if (auto error = check_cluster(geometry->grid, cluster)) errors_.push_back(std::move(*error));
    }

    const LaunchDraft& draft_;
    KernelFile file_;
    Values values_;
    std::vector<DraftError> errors_;
};

}  // namespace

std::vector<DraftError> check_draft(const LaunchDraft& draft) { return DraftCheck(draft).errors(); }

LaunchDraft draft_of(const KernelFile& kernel, const EntryFacts& entry,
                     const std::vector<EntryFacts>& entries) {
    const auto code = host_code_of(kernel, entries.empty() ? std::vector<EntryFacts>{entry} : entries);
    LaunchDraft draft = guess_launch(entry, kernel, code, entries);
    const auto three = [](std::vector<std::string> texts) {
        texts.resize(3);
        return texts;
    };
    if (!kernel.grid.empty()) draft.grid = three(kernel.grid), draft.grid_guessed = false;
    if (!kernel.block.empty()) draft.block = three(kernel.block), draft.block_guessed = false;
    if (!kernel.cluster.empty()) draft.cluster = three(kernel.cluster);
    if (kernel.cooperative) draft.cooperative = true, draft.cooperative_guessed = false;
    if (!kernel.dynamic_shared_bytes.empty()) {
        draft.dynamic_shared_bytes = kernel.dynamic_shared_bytes;
        draft.shared_guessed = false;
    }
    if (kernel.arguments.size() != draft.arguments.size()) return draft;
    for (std::size_t i = 0; i < draft.arguments.size(); ++i) {
        DraftArgument& row = draft.arguments[i];
        const std::string& given = kernel.arguments[i];
        const BufferArgument place = parse_buffer_argument(given);
        const auto buffer = std::ranges::find(kernel.buffers, place.name, &BufferDeclaration::name);
        const auto parameter = std::ranges::find(kernel.parameters, given, &ParameterDeclaration::name);
        row.guessed = false;
        if (row.kind == ArgumentKind::buffer && buffer != kernel.buffers.end()) {
            row.element_type = buffer->element_type;
            row.length = buffer->length;
            row.fill = buffer->fill;
            row.offset = place.offset;
            row.contents.clear();
            row.contents_guessed = false;
            row.written.reset();
            row.value = buffer->fill == "constant" || buffer->fill == "formula" ? buffer->fill_argument : "";
            const auto same = [&](const std::string& other) {
                return parse_buffer_argument(other).name == place.name;
            };
            const auto first = std::ranges::find_if(kernel.arguments, same);
            row.shares =
                &*first == &given
                    ? ""
                    : draft.arguments[static_cast<std::size_t>(first - kernel.arguments.begin())].name;
        } else if (const auto image = std::ranges::find(kernel.images, given, &ImageDeclaration::name);
                   image != kernel.images.end()) {
            const auto texels = std::ranges::find(kernel.buffers, image->buffer, &BufferDeclaration::name);
            row.kind = ArgumentKind::image;
            if (texels != kernel.buffers.end()) row.value = image_text({*image, *texels});
        } else if (row.kind == ArgumentKind::scalar && parameter != kernel.parameters.end()) {
            row.value = to_string(parameter->fallback);
        } else if (const auto typed = parse_typed_scalar(given);
                   typed && (row.kind == ArgumentKind::scalar || is_untyped(row))) {
            row.kind = ArgumentKind::scalar;
            row.scalar_type = typed->type->name;
            row.value = typed->expression;
        } else if (row.kind != ArgumentKind::buffer) {
            row.value = given;
        }
    }
    return draft;
}

std::string flags_of(const LaunchDraft& draft) {
    KernelFile file = with_launch(KernelFile(), draft);
    Values values;
    for (const ParameterDeclaration& parameter : file.parameters) values[parameter.name] = parameter.fallback;
    auto expressions = Expressions::over(file, values);
    if (!expressions) return {};
    const auto number = [&](const std::string& text) {
        const auto value = expressions->number(text);
        return value ? to_string(*value) : text;
    };
    const auto joined = [&](const std::vector<std::string>& texts) {
        std::string all;
        for (const std::string& text : texts) all += (all.empty() ? "" : ",") + number(text);
        return all;
    };
    std::string flags = "--grid " + joined(file.grid) + " --block " + joined(file.block);
    if (file.dynamic_shared_bytes != "0") flags += " --dynamic-shared " + number(file.dynamic_shared_bytes);
    if (!file.cluster.empty()) flags += " --cluster " + joined(file.cluster);
    if (file.cooperative) flags += " --cooperative";
    for (const DraftArgument& argument : draft.arguments) {
        flags += " --arg ";
        if (argument.kind == ArgumentKind::structure) {
            flags += "'" + argument.value + "'";
        } else if (argument.kind == ArgumentKind::image) {
            flags += image_flag(argument, number);
        } else if (argument.kind == ArgumentKind::scalar) {
            flags += argument.scalar_type + "=" + argument.value;
        } else if (!argument.shares.empty()) {
            const auto first = std::ranges::find(draft.arguments, argument.shares, &DraftArgument::name);
            flags += first == draft.arguments.end() ? argument.shares
                                                    : fmt::format("arg{}", first - draft.arguments.begin());
            if (!argument.offset.empty()) flags += "+" + number(argument.offset);
        } else if (argument.fill == "formula") {
            flags +=
                fmt::format("'buffer:{}[{}]{}=formula:{}'", argument.element_type, number(argument.length),
                            argument.offset.empty() ? "" : "+" + number(argument.offset), argument.value);
        } else {
            const std::string fill = argument.fill == "constant" ? "const:" + number(argument.value)
                                     : argument.fill == "file"   ? "file:" + argument.value
                                     : argument.fill == "random" && !argument.value.empty()
                                         ? "random:" + number(argument.value)
                                         : argument.fill;
            flags += fmt::format("buffer:{}[{}]{}={}", argument.element_type, number(argument.length),
                                 argument.offset.empty() ? "" : "+" + number(argument.offset), fill);
        }
    }
    return flags;
}

}  // namespace warplens::instrumentation

#include "instrumentation/catalog/host_launch.h"

#include <algorithm>
#include <cstdlib>

#include "core/symbol_name.h"
#include "instrumentation/catalog/entry_signature.h"
#include "instrumentation/catalog/lua_sandbox.h"
#include "instrumentation/catalog/scalar_type.h"
#include "instrumentation/compile/included_files.h"
#include "instrumentation/word_search.h"

namespace warplens::instrumentation {

namespace {

using host_code::Filling;
using host_code::HostArgument;
using host_code::HostCode;
using host_code::HostLaunch;
using host_code::Origin;

/// "512" of "(unsigned int)512", "1" of "(bool)1" and "true": as template arguments are compared.
std::string plain_argument(std::string text) {
    std::erase(text, ' ');
    if (const auto close = text.rfind(')'); text.starts_with('(') && close != std::string::npos)
        text.erase(0, close + 1);
    if (!text.empty() && text[0] >= '0' && text[0] <= '9')  // "256u" of the demangler
        while (text.ends_with('u') || text.ends_with('l')) text.pop_back();
    if (text == "true") return "1";
    if (text == "false") return "0";
    return text == "unsigned" ? "unsignedint" : text;
}

/// What stands between the outermost < and > of "reduce<int, (unsigned int)512>".
std::vector<std::string> template_arguments_of(const std::string& name) {
    std::vector<std::string> arguments;
    int depth = 0;
    for (const char c : name) {
        if (c == '(' && depth == 0) break;
        if (c == '<' && depth++ == 0) {
            arguments.emplace_back();
            continue;
        }
        if (c == '>' && --depth == 0) break;
        if (depth == 0) continue;
        if (c == ',' && depth == 1) arguments.emplace_back();
        else arguments.back() += c;
    }
    return arguments;
}

bool is_launch_of(const HostLaunch& launch, const EntryFacts& entry) {
    const std::size_t colons = launch.kernel.rfind(':');
    const std::string last = colons == std::string::npos ? launch.kernel : launch.kernel.substr(colons + 1);
    if (plain_name(entry.symbol) != last) return false;
    if (launch.arguments.size() > entry.parameters.size()) return false;
    const std::vector<std::string> made = template_arguments_of(entry.name);
    if (launch.template_arguments.size() > made.size()) return made.empty();
    for (std::size_t i = 0; i < launch.template_arguments.size(); ++i)
        if (plain_argument(launch.template_arguments[i]) != plain_argument(made[i])) return false;
    return true;
}

std::string where(const Origin& origin, const HostCode& code) {
    if (origin.line == 0) return {};
    if (origin.file == 0 || origin.file >= code.files.size()) return "line " + std::to_string(origin.line);
    return code.files[origin.file] + ":" + std::to_string(origin.line);
}

/// An expression over the launch's integers that has this value, so that a turned knob keeps the launch
/// whole; the number itself where there is none.
class Relations {
  public:
    void add(const std::string& name, std::int64_t value) {
        if (value > 1) names_.emplace_back(lua_name(name), value);
    }

    std::string length(std::int64_t value) const {
        for (const auto& [name, number] : names_)
            if (number == value && value > 8) return name;
        for (std::size_t i = 0; i < names_.size(); ++i)
            for (std::size_t j = i; j < names_.size(); ++j) {
                const auto& [a, x] = names_[i];
                const auto& [b, y] = names_[j];
                if (x <= 8 || y <= 8 || x > (std::int64_t{1} << 31) || y > (std::int64_t{1} << 31)) continue;
                if (x * y == value && (i != j || names_.size() == 1)) return a + " * " + b;
            }
        for (const auto& [a, x] : names_)
            if (x > 8 && x < (std::int64_t{1} << 31) && x * x == value) return a + " * " + a;
        return std::to_string(value);
    }

    std::string blocks(std::int64_t grid, std::int64_t block) const {
        for (const auto& [name, number] : names_)
            if (grid > 1 && block > 0 && (number + block - 1) / block == grid)
                return "ceil_div(" + name + ", " + std::to_string(block) + ")";
        return std::to_string(grid);
    }

  private:
    std::vector<std::pair<std::string, std::int64_t>> names_;
};

void take_scalar(DraftArgument& row, const HostArgument& given, const std::string& from) {
    const bool is_real = is_real_type(row.scalar_type);
    if (given.kind == HostArgument::Kind::integer)
        row.value = is_real ? fmt::format("{}.0", given.integer) : std::to_string(given.integer);
    else if (given.kind == HostArgument::Kind::real && is_real) row.value = fmt::format("{}", given.real);
    else if (given.kind == HostArgument::Kind::real)
        row.value = std::to_string(static_cast<std::int64_t>(given.real));
    else return;
    row.from = from;
}

void take_filling(DraftArgument& row, const HostArgument& given) {
    const bool is_half = row.written_type.find("half") != std::string::npos ||
                         row.written_type.find("bfloat") != std::string::npos;
    if (given.filling == Filling::zero) {
        row.fill = "zero";
    } else if (given.filling == Filling::constant && !given.constant.empty() && !is_half) {
        row.fill = "constant";
        row.value = given.constant;
    } else if (given.filling == Filling::ramp && !is_half) {
        row.fill = "iota";
    } else if (given.filling == Filling::random && !is_half) {
        row.fill = "random";
        if (given.below && row.element_type[0] != 'f') row.value = std::to_string(*given.below);
    }
}

void take_buffer(DraftArgument& row, const HostArgument& given, const std::string& from,
                 const Relations& relations) {
    if (given.kind != HostArgument::Kind::memory) return;
    const ScalarType* const type = find_scalar_type(row.element_type);
    if (given.bytes && type != nullptr && *given.bytes >= type->bytes) {
        row.length = relations.length(*given.bytes / type->bytes);
        row.from = from;
    }
    take_filling(row, given);
}

/// "struct:{i32=96, i32=64, ptr=A_elements}" and the buffers it points to; the row stays where a member is
/// not known.
void take_structure(LaunchDraft& draft, DraftArgument& row, const HostArgument& given, const HostCode& code) {
    static constexpr std::pair<std::string_view, std::string_view> types[] = {
        {"int", "i32"},     {"unsigned int", "u32"}, {"unsigned", "u32"}, {"float", "f32"},
        {"double", "f64"},  {"size_t", "u64"},       {"long", "i64"},     {"bool", "bool"},
        {"char", "i8"},     {"short", "i16"},        {"int32_t", "i32"},  {"uint32_t", "u32"},
        {"int64_t", "i64"}, {"uint64_t", "u64"},     {"uint8_t", "u8"},   {"unsigned char", "u8"}};
    const auto type_of = [&](const std::string& written) -> std::string {
        for (const auto& [word, type] : types)
            if (word == written) return std::string(type);
        return {};
    };
    if (given.kind != HostArgument::Kind::structure || given.members.empty()) return;
    std::string text;
    std::vector<DraftArgument> targets;
    for (const HostArgument& member : given.members) {
        const std::string type = type_of(member.type);
        text += text.empty() ? "" : ", ";
        if (member.type.ends_with('*')) {
            DraftArgument target;
            target.name = row.name + "_" + member.name;
            target.kind = DraftArgument::Kind::buffer;
            target.element_type = type_of(host_code::pointed_to(member.type));
            target.written_type = member.type;
            if (target.element_type.empty()) target.element_type = "u8";
            take_buffer(target, member, where(member.origin, code), {});
            if (target.length.empty()) return;
            text += "ptr=" + target.name;
            targets.push_back(std::move(target));
        } else if (!type.empty() && member.kind == HostArgument::Kind::integer) {
            text += fmt::format("{}={}", type, member.integer);
        } else if (!type.empty() && member.kind == HostArgument::Kind::real) {
            text += fmt::format("{}={}", type, member.real);
        } else {
            return;
        }
    }
    row.value = "struct:{" + text + "}";
    row.from = where(given.origin, code);
    draft.targets.insert(draft.targets.end(), targets.begin(), targets.end());
}

}  // namespace

HostCode host_code_of(const KernelFile& kernel) {
    if (kernel.language != Language::cuda || kernel.source.find("<<<") == std::string::npos) {
        if (kernel.source.find("cudaLaunch") == std::string::npos) return {};
    }
    std::vector<std::string> folders = kernel.include_paths;
    return host_code::read_host_code(source_and_headers(kernel.path, kernel.source, folders), kernel.defines);
}

const EntryFacts* first_launched(const HostCode& code, const std::vector<EntryFacts>& entries) {
    for (const HostLaunch& launch : code.launches) {
        const auto found = std::ranges::find_if(
            entries, [&](const EntryFacts& entry) { return is_launch_of(launch, entry); });
        if (found != entries.end()) return &*found;
    }
    return nullptr;
}

LaunchDraft guess_launch(const EntryFacts& entry, const KernelFile& kernel, const HostCode& code) {
    LaunchDraft draft = guess_launch(entry, kernel.source);
    const HostLaunch* launch = nullptr;
    for (const HostLaunch& other : code.launches) {
        if (!is_launch_of(other, entry)) continue;
        // One with its extents known is better than an earlier one without.
        if (launch == nullptr || (!launch->grid[0] && other.grid[0])) launch = &other;
    }
    if (launch == nullptr) return draft;
    draft.from = where(launch->origin, code);
    Relations relations;
    for (std::size_t i = 0; i < std::min(launch->arguments.size(), draft.arguments.size()); ++i) {
        DraftArgument& row = draft.arguments[i];
        if (row.kind != DraftArgument::Kind::scalar) continue;
        take_scalar(row, launch->arguments[i], where(launch->arguments[i].origin, code));
        if (launch->arguments[i].kind == HostArgument::Kind::integer && !is_real_type(row.scalar_type))
            relations.add(row.name, launch->arguments[i].integer);
    }
    for (std::size_t i = 0; i < std::min(launch->arguments.size(), draft.arguments.size()); ++i)
        if (draft.arguments[i].kind == DraftArgument::Kind::structure)
            take_structure(draft, draft.arguments[i], launch->arguments[i], code);
        else if (draft.arguments[i].kind == DraftArgument::Kind::buffer)
            take_buffer(draft.arguments[i], launch->arguments[i], where(launch->arguments[i].origin, code),
                        relations);
    const auto fits = [](const auto& extent) {
        return std::ranges::all_of(extent, [](const auto& side) { return side && *side > 0; });
    };
    if (fits(launch->block)) {
        for (std::size_t i = 0; i < 3; ++i) draft.block[i] = std::to_string(*launch->block[i]);
        draft.block_from = where(launch->block_origin, code);
    }
    if (fits(launch->grid)) {
        for (std::size_t i = 0; i < 3; ++i)
            draft.grid[i] = fits(launch->block) ? relations.blocks(*launch->grid[i], *launch->block[i])
                                                : std::to_string(*launch->grid[i]);
        draft.grid_from = where(launch->grid_origin, code);
    }
    if (launch->dynamic_shared_bytes && *launch->dynamic_shared_bytes >= 0)
        draft.dynamic_shared_bytes = std::to_string(*launch->dynamic_shared_bytes);
    if (launch->cooperative) draft.cooperative = draft.cooperative_guessed = true;
    return draft;
}

std::vector<std::string> guessed_values(const LaunchDraft& draft, const KernelFile& kernel,
                                        const HostCode& code) {
    const auto source = [](const std::string& from) {
        return from.empty() ? std::string(" (from names and types)") : " (" + from + ")";
    };
    const auto extent = [](const std::vector<std::string>& texts) {
        std::string text;
        for (const std::string& side : texts)
            if (!side.empty()) text += (text.empty() ? "" : " x ") + side;
        while (text.ends_with(" x 1")) text.resize(text.size() - 4);
        return text;
    };
    std::vector<std::string> sentences;
    sentences.push_back(
        fmt::format("{}: the launch of {} is guessed from {}: grid {}{}, block {}{}{}", kernel.path,
                    draft.entry, draft.from, extent(draft.grid), source(draft.grid_from), extent(draft.block),
                    source(draft.block_from),
                    draft.dynamic_shared_bytes == "0"
                        ? ""
                        : fmt::format(", {} bytes of dynamic shared memory", draft.dynamic_shared_bytes)));
    std::string arguments;
    for (const DraftArgument& row : draft.arguments) {
        arguments += arguments.empty() ? "arguments: " : ", ";
        if (row.kind == DraftArgument::Kind::buffer)
            arguments += fmt::format("{} {}[{}]={}", row.name, row.element_type, row.length,
                                     row.value.empty() ? row.fill : row.fill + ":" + row.value);
        else arguments += fmt::format("{}={}", row.name, row.value);
        arguments += source(row.from);
    }
    if (!arguments.empty()) sentences.push_back(arguments);
    for (const auto& [name, origin] : code.copied_symbols)
        if (has_word(kernel.source, name))
            sentences.push_back(fmt::format(
                "`{}`, which the host fills in {}, holds what its declaration says: 0 without an initializer",
                name, where(origin, code)));
    sentences.push_back(
        "change them with --set NAME=VALUE, --grid, --block, --dynamic-shared and --arg; another kernel "
        "with --kernel");
    return sentences;
}

}  // namespace warplens::instrumentation

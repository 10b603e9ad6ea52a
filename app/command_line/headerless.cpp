#include "app/command_line/headerless.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "app/command_line/argument_flags.h"
#include "app/command_line/run_program.h"
#include "app/command_line/run_watch.h"
#include "app/command_line/target.h"
#include "app/pipeline/program_number.h"
#include "core/number_text.h"
#include "core/symbol_name.h"
#include "instrumentation/catalog/aggregate.h"
#include "instrumentation/catalog/doubtful_arguments.h"
#include "instrumentation/catalog/entry_signature.h"
#include "instrumentation/catalog/host_launch.h"
#include "instrumentation/catalog/launch_draft.h"
#include "instrumentation/catalog/scalar_type.h"

namespace warplens::app {
namespace {

/// "64,64,2" -> {"64", "64", "2"}: one to three whole numbers, kept as text because they become expressions.
Result<std::vector<std::string>> parse_extent(const std::string& flag, const std::string& text) {
    const std::vector<std::string> extent = instrumentation::split_members(text);
    const auto is_extent = [](const std::string& part) {
        return number_from<std::uint32_t>(part).has_value();
    };
    if (extent.size() > 3 || !std::ranges::all_of(extent, is_extent))
        return fail("{} {}: it takes one to three whole numbers, for example {} 32,8", flag, text, flag);
    return extent;
}

/// The kernel that --kernel names, or the only one; null: none, or several.
const instrumentation::EntryFacts* chosen_entry(const std::vector<instrumentation::EntryFacts>& found,
                                                const std::string& name) {
    const instrumentation::EntryFacts* chosen = found.size() == 1 ? &found.front() : nullptr;
    for (const instrumentation::EntryFacts& entry : found)
        if (entry.name == name || entry.symbol == name) chosen = &entry;
    const auto called_so = [&](const auto& entry) { return is_called(entry.symbol, name); };
    if (!chosen && std::ranges::count_if(found, called_so) == 1)
        chosen = &*std::ranges::find_if(found, called_so);
    return chosen;
}

/// "scale(float* data, float factor, int n)"
std::string signature_of(const instrumentation::EntryFacts& entry, const std::string& source) {
    const std::string name = entry.name.substr(0, entry.name.ends_with(')') ? entry.name.rfind('(') : -1);
    std::vector<std::string> parameters;
    for (const auto& parameter : instrumentation::arguments_of(entry, source))
        parameters.push_back(parameter.written_type + " " + parameter.name);
    return fmt::format("{}({})", name, fmt::join(parameters, ", "));
}

/// Whether the kernel has as many parameters, of the arguments' sizes.
bool takes_arguments(const instrumentation::EntryFacts& entry, const std::vector<std::string>& arguments) {
    constexpr std::size_t address = 8;  // bytes, also of a handle
    return std::ranges::equal(arguments, entry.parameters, [](const auto& text, const Parameter& parameter) {
        if (const auto scalar = instrumentation::parse_typed_scalar(text))
            return scalar->type->bytes == parameter.bytes;
        if (!instrumentation::is_aggregate(text)) return parameter.bytes == address;
        const auto structure = instrumentation::parse_aggregate(text);
        return structure && structure->bytes == parameter.bytes;
    });
}

/// What else gives the launch: only CUDA has host code.
const char* or_run(const instrumentation::KernelFile& kernel) {
    return kernel.language == instrumentation::Language::cuda
               ? ". --run-program takes the launch from a run of the file's program"
               : "";
}

/// The flags to give for a file without a header: for the file's own kernel, if that is known.
std::string what_is_missing(const instrumentation::KernelFile& kernel, const FindEntries& entries) {
    const auto found = entries(kernel);
    if (!found) return found.error().message;
    std::vector<std::string> names;
    for (const instrumentation::EntryFacts& entry : *found)
        names.push_back(kernel.entry.empty() ? signature_of(entry, kernel.source) : entry.name);
    const instrumentation::EntryFacts* const chosen = chosen_entry(*found, kernel.entry);
    if (!chosen && kernel.entry.empty())
        return fmt::format("{}: the file has several kernels; give --kernel with the name of one: {}{}",
                           kernel.path, fmt::join(names, ", "), or_run(kernel));
    if (!chosen)
        return fmt::format("{}: --kernel {} names none of its kernels, or several; they are {}", kernel.path,
                           kernel.entry, fmt::join(names, ", "));
    const std::string signature = signature_of(*chosen, kernel.source);
    const std::string flags = instrumentation::flags_of(instrumentation::draft_of(kernel, *chosen));
    if (kernel.grid.empty() || kernel.block.empty())
        return fmt::format(
            "{}: it has no header that defines the launch of {}, so give --grid, --block and an --arg for "
            "every argument; a guess: {}{}",
            kernel.path, signature, flags, or_run(kernel));
    return fmt::format("{}: {} takes {} arguments, and --arg gives {}; a guess: {}", kernel.path, signature,
                       chosen->parameters.size(), kernel.arguments.size(), flags);
}

/// As they are; buffers of --arg are called as the parameters of the kernel, where it is known.
Status put_flags(const LaunchFlags& flags, instrumentation::KernelFile& kernel) {
    if (!flags.entry.empty()) kernel.entry = flags.entry;
    if (!flags.grid.empty()) {
        WARPLENS_TRY(auto grid, parse_extent("--grid", flags.grid));
        kernel.grid = grid;
    }
    if (!flags.block.empty()) {
        WARPLENS_TRY(auto block, parse_extent("--block", flags.block));
        kernel.block = block;
    }
    if (!flags.cluster.empty()) {
        WARPLENS_TRY(auto cluster, parse_extent("--cluster", flags.cluster));
        kernel.cluster = cluster;
    }
    if (flags.cooperative) kernel.cooperative = true;
    if (flags.dynamic_shared_bytes) kernel.dynamic_shared_bytes = std::to_string(*flags.dynamic_shared_bytes);
    if (kernel.dynamic_shared_bytes.empty()) kernel.dynamic_shared_bytes = "0";
    if (!flags.arguments.empty()) {
        kernel.arguments.clear();
        kernel.buffers.clear();
        kernel.images.clear();
        kernel.golden.clear();
        const auto parameters = instrumentation::declared_names(kernel.source, kernel.entry);
        for (const std::string& argument : flags.arguments) {
            WARPLENS_TRY(add_argument(argument, parameters, kernel));
        }
        name_by_parameters(parameters, kernel);
    }
    if (kernel.grid.empty() || kernel.block.empty()) return {};
    kernel.has_header = true;  // the flags replace a header
    return {};
}

/// Of a file with several kernels of which none is named, the one that takes the arguments of --arg; of
/// several the one that the file's own host code launches longest.
Status choose_by_arguments(const LaunchFlags& flags, instrumentation::KernelFile& kernel,
                           const FindEntries& entries) {
    const auto found = entries(kernel);
    if (!found || found->size() < 2) return {};  // refused where it is loaded
    std::vector<instrumentation::EntryFacts> fitting;
    Status read;
    for (const instrumentation::EntryFacts& entry : *found) {
        instrumentation::KernelFile asked = kernel;
        asked.entry = entry.symbol;
        read = put_flags(flags, asked);
        if (read && takes_arguments(entry, asked.arguments)) fitting.push_back(entry);
    }
    if (fitting.empty() && !read) return read;
    const instrumentation::EntryFacts* chosen = fitting.size() == 1 ? &fitting.front() : nullptr;
    if (fitting.size() > 1)
        chosen = instrumentation::longest_launched(instrumentation::host_code_of(kernel, fitting), fitting);
    if (chosen) {
        kernel.entry = chosen->symbol;
        return {};
    }
    std::vector<std::string> signatures;
    for (const auto& entry : fitting.empty() ? *found : fitting)
        signatures.push_back(signature_of(entry, kernel.source));
    return fail("{}: {} of the file's kernels take{} the arguments of --arg; give --kernel, one of {}",
                kernel.path, fitting.empty() ? "none" : "several", fitting.empty() ? "s" : "",
                fmt::join(signatures, ", "));
}

/// "block x" of "block 0", "the length of out" of "length 1": of instrumentation::DraftError::field.
std::string field_words(const std::string& field, const instrumentation::LaunchDraft& draft) {
    if (field == "shared") return "dynamic shared memory";
    const std::size_t space = field.find(' ');
    const std::string what = field.substr(0, space);
    const auto index =
        space == std::string::npos ? std::nullopt : number_from<std::size_t>(field.substr(space + 1));
    if (!index) return field;
    if (what == "grid" || what == "block" || what == "cluster")
        return fmt::format("{} {}", what, "xyz"[std::min<std::size_t>(*index, 2)]);
    if (*index >= draft.arguments.size()) return field;
    return fmt::format("the {} of {}", what, draft.arguments[*index].name);
}

/// The launch as the file's program makes it when it runs. Without a symbol it is one of the kernel that
/// works longest.
Status run_for_inputs(const LaunchFlags& flags, instrumentation::KernelFile& kernel,
                      const std::string& symbol, const std::vector<instrumentation::EntryFacts>& entries,
                      std::vector<std::string>* guesses) {
    ProgramInputsRequest request;
    request.kernel = kernel;
    request.entries = entries;
    request.symbol = symbol;
    request.or_another = flags.entry.empty();
    request.number = flags.program_launch;
    request.cancelled = should_stop;
    const auto pipeline = make_pipeline();
    WARPLENS_TRY(auto inputs, run_program(*pipeline, request));
    WARPLENS_TRY(const auto settings, settings_of(flags));
    for (const auto& [name, value] : settings) {
        const auto row =
            std::ranges::find(inputs.draft.arguments, name, &instrumentation::DraftArgument::name);
        if (row == inputs.draft.arguments.end() || row->value == value ||
            length_from(inputs.draft, name).empty())
            continue;
        const auto now = number_from<std::uint64_t>(row->value), then = number_from<std::uint64_t>(value);
        if (!now || !then) continue;
        request.argument = {name, *now, *then};
        WARPLENS_TRY(inputs, run_program(*pipeline, request));
        if (inputs.number)  // the next setting's run has it as well
            request.kernel.source =
                with_number(request.kernel.source, *inputs.number).value_or(request.kernel.source);
    }
    kernel.source = request.kernel.source;
    kernel = with_inputs(std::move(kernel), inputs);
    if (guesses) *guesses = std::move(inputs.said);
    return {};
}

/// Fills in what neither the file nor a flag says from the launch in the file's host code, if there is one.
Status complete_from_host_code(const LaunchFlags& flags, instrumentation::KernelFile& kernel,
                               const FindEntries& entries, std::vector<std::string>* guesses) {
    if (flags.program_launch == 0 && instrumentation::host_code_of(kernel).launches.empty()) return {};
    WARPLENS_TRY(const auto found, entries(kernel));
    const auto code = instrumentation::host_code_of(kernel, found);
    const instrumentation::EntryFacts* chosen = chosen_entry(found, kernel.entry);
    if (!chosen && kernel.entry.empty()) chosen = instrumentation::longest_launched(code, found);
    // Of several instances of a template, the one that is launched.
    if (!chosen) {
        std::vector<instrumentation::EntryFacts> named;
        for (const auto& entry : found)
            if (plain_name(entry.symbol) == kernel.entry) named.push_back(entry);
        if (const auto* launched = instrumentation::longest_launched(code, named))
            chosen = &*std::ranges::find(found, launched->symbol, &instrumentation::EntryFacts::symbol);
    }
    if (flags.program_launch != 0 && (chosen != nullptr || kernel.entry.empty()))
        return run_for_inputs(flags, kernel, chosen != nullptr ? chosen->symbol : "", found, guesses);
    if (!chosen) return {};
    instrumentation::KernelFile asked = kernel;
    if (!flags.dynamic_shared_bytes) asked.dynamic_shared_bytes.clear();
    const instrumentation::LaunchDraft draft = instrumentation::draft_of(asked, *chosen, found);
    if (draft.from.empty()) return {};
    const auto errors = instrumentation::check_draft(draft);
    if (!errors.empty()) {
        const instrumentation::DraftError& error = errors.front();
        const std::string extent = error.field.substr(0, error.field.find(' '));  // "block" of "block 0"
        if ((extent == "grid" && !flags.grid.empty()) || (extent == "block" && !flags.block.empty()))
            return fail("--{}: {}", extent, error.message);
        return fail("{}: the launch in {}: {}: {}; give --grid, --block and --arg", kernel.path, draft.from,
                    field_words(error.field, draft), error.message);
    }
    // Buffers that flags gave stay as they are.
    const bool has_arguments = !kernel.arguments.empty();
    instrumentation::KernelFile completed = instrumentation::with_launch(kernel, draft);
    if (has_arguments) {
        completed.arguments = kernel.arguments;
        completed.buffers = kernel.buffers;
        completed.images = kernel.images;
    }
    std::vector<std::string> doubts = instrumentation::unfilled_variables(kernel, code);
    if (!has_arguments)
        std::ranges::move(instrumentation::doubtful_arguments(draft), std::back_inserter(doubts));
    completed.note = fmt::to_string(fmt::join(doubts, ". "));
    if (guesses) *guesses = instrumentation::guessed_values(draft, kernel, code);
    kernel = std::move(completed);
    return {};
}

}  // namespace

bool has_launch_flags(const LaunchFlags& flags) {
    return !flags.grid.empty() || !flags.block.empty() || !flags.cluster.empty() || flags.cooperative ||
           !flags.arguments.empty() || flags.dynamic_shared_bytes.has_value();
}

bool arguments_choose_kernel(const LaunchFlags& flags) {
    return flags.entry.empty() && !flags.arguments.empty();
}

Status apply_partial_launch_flags(const LaunchFlags& flags, instrumentation::KernelFile& kernel,
                                  const FindEntries& entries) {
    if (!kernel.has_header && kernel.entry.empty() && arguments_choose_kernel(flags))
        WARPLENS_TRY(choose_by_arguments(flags, kernel, entries));
    return put_flags(flags, kernel);
}

Status apply_launch_flags(const LaunchFlags& flags, instrumentation::KernelFile& kernel,
                          const FindEntries& entries, std::vector<std::string>* guesses) {
    const bool has_own_header = kernel.has_header;
    if (flags.program_launch != 0 && (has_own_header || has_launch_flags(flags)))
        return fail("{}: --run-program takes the launch from the program, and {}", kernel.path,
                    has_own_header ? "the file's header declares one" : "flags describe one: leave them out");
    WARPLENS_TRY(apply_partial_launch_flags(flags, kernel, entries));
    const bool is_whole = kernel.has_header && !kernel.arguments.empty();
    if (!has_own_header && !is_whole) WARPLENS_TRY(complete_from_host_code(flags, kernel, entries, guesses));
    if (!kernel.has_header) return fail("{}", what_is_missing(kernel, entries));
    if (has_own_header && flags.arguments.empty()) return {};
    const auto found = entries(kernel);
    if (!found) return {};  // refused where it is loaded
    const instrumentation::EntryFacts* const chosen = chosen_entry(*found, kernel.entry);
    if (!chosen) return {};
    if (!has_own_header && chosen->parameters.size() != kernel.arguments.size())
        return fail("{}", what_is_missing(kernel, entries));
    if (flags.arguments.empty()) return {};
    std::vector<std::string> names;  // of the kernel that the host code launches, where none was named
    for (const auto& parameter : instrumentation::arguments_of(*chosen, kernel.source))
        names.push_back(parameter.name);
    name_by_parameters(names, kernel);
    return {};
}

}  // namespace warplens::app

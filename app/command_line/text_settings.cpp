#include "app/command_line/text_settings.h"

#include "app/pipeline/text_numbers.h"

namespace warplens::app {

Status apply_flags_and_numbers(const LaunchFlags& flags, instrumentation::KernelFile& kernel,
                               const FindEntries& entries, std::map<std::string, std::string>& settings,
                               std::vector<std::string>* guesses) {
    instrumentation::KernelFile read = kernel;
    WARPLENS_TRY(apply_launch_flags(flags, kernel, entries, guesses));
    if (!flags.target.ends_with(".cu")) return {};
    auto changed = take_text_settings(read.source, kernel, settings);
    if (!changed && guesses) guesses->clear();
    if (!changed) return tl::unexpected(changed.error());
    if (changed->said.empty()) return {};
    kernel = std::move(read);
    kernel.source = std::move(changed->source);
    WARPLENS_TRY(apply_launch_flags(flags, kernel, entries, guesses));
    if (guesses)
        for (const std::string& said : changed->said) guesses->push_back(kernel.path + ": " + said);
    return {};
}

}  // namespace warplens::app

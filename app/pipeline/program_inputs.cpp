#include "app/pipeline/program_inputs.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>

#include "analysis/wording.h"
#include "app/pipeline/program_number.h"
#include "app/pipeline/program_session.h"
#include "core/whole_file.h"
#include "core/whole_path.h"
#include "instrumentation/compile/compile_cache.h"
#include "instrumentation/compile/compiler.h"
#include "instrumentation/host_program/program_draft.h"

namespace warplens::app {
namespace {

namespace catalog = instrumentation;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

/// The program, up to the wanted launch.
class RunToLaunch {
  public:
    RunToLaunch(Pipeline& pipeline, const ProgramInputsRequest& request)
        : pipeline_(pipeline), request_(request), wanted_(request.symbol) {}

    Result<ProgramInputs> inputs() {
        const auto begin = Clock::now();
        WARPLENS_TRY(session_, ProgramSession::build(pipeline_, request_));
        for (;;) {
            WARPLENS_TRY(session_->start());
            WARPLENS_TRY(const auto met, run_to_wanted());
            if (met) return taken(*met, Clock::now() - begin);
            if (!request_.or_another || met_ > 0 || longest_.empty()) return fail("{}", why_none());
            wanted_ = std::exchange(longest_, {});
            executed_ = 0;
            missing_.clear();
        }
    }

  private:
    using Launch = ProgramSession::Launch;

    /// Nothing: the program has ended before.
    Result<std::optional<Launch>> run_to_wanted() {
        for (;;) {
            auto launch = session_->next();
            if (!launch)
                return fail("{}: {}; it had launched {}", request_.kernel.path, launch.error().message,
                            names_launched());
            if (!*launch) return std::optional<Launch>();
            const catalog::EntryFacts* const entry = (*launch)->entry;
            if (entry != nullptr && entry->symbol == wanted_ && ++met_ == request_.number) return launch;
            WARPLENS_TRY(execute(**launch));
        }
    }

    std::string names_launched() const {
        return launched_.empty() ? "nothing" : fmt::to_string(fmt::join(launched_, ", "));
    }

    std::string why_none() const {
        const auto found = std::ranges::find(request_.entries, wanted_, &catalog::EntryFacts::symbol);
        const std::string name = found == request_.entries.end() ? wanted_ : found->name;
        if (met_ > 0)
            return fmt::format("{}: the program launches {} {} time{} here, and launch {} is asked for",
                               request_.kernel.path, name, met_, met_ == 1 ? "" : "s", request_.number);
        if (wanted_.empty())
            return fmt::format("{}: the program launched no kernel here", request_.kernel.path);
        return fmt::format("{}: the program ended here without a launch of {}; it launched {}",
                           request_.kernel.path, name, names_launched());
    }

    /// What cannot be executed is said, and the program goes on.
    Status execute(const Launch& launch) {
        launched_.insert(launch.name);
        if (launch.entry != nullptr) {
            const auto threads = static_cast<double>(launch.made.geometry.grid.count()) *
                                 static_cast<double>(launch.made.geometry.block.count());
            const double work = launch.entry->instructions * threads;
            if (work > longest_work_) longest_work_ = work, longest_ = launch.entry->symbol;
        }
        const auto done = session_->execute(launch, {});
        if (session_->is_cancelled()) return fail("the run was cancelled");
        const std::string what = fmt::format("{} in line {}", launch.name, launch.made.line);
        if (!done) missing_.insert({what, done.error().message});
        else if (!(*done)->problems.empty()) missing_.insert({what, (*done)->problems.front().message});
        else ++executed_;
        return session_->go_on();
    }

    /// The wanted launch: its memory goes into files.
    Result<ProgramInputs> taken(const Launch& launch, Seconds seconds) {
        const std::vector<VariableContents> variables = session_->variables_at(launch);
        auto draft = session_->draft_of(launch, variables);
        if (!draft) return fail("{}: {}", request_.kernel.path, draft.error().message);
        WARPLENS_TRY(keep_memory(*draft, launch));
        ProgramInputs inputs;
        inputs.draft = std::move(draft->draft);
        inputs.initializers = initializers_of(launch.made);
        inputs.variables = variables;
        inputs.said.push_back(sentence(launch, seconds));
        std::vector<std::string> lacks;
        for (const auto& [what, why] : missing_) {
            lacks.push_back(what);
            inputs.said.push_back(
                fmt::format("not executed, so what it writes is missing: {}: {}", what, why));
        }
        if (!lacks.empty()) inputs.note = fmt::format("Inputs lack what {} writes", fmt::join(lacks, ", "));
        return inputs;
    }

    /// What the buffers hold goes into files: one for each argument, one for all memory behind them, which
    /// can be many thousand pieces.
    Status keep_memory(catalog::ProgramDraft& draft, const Launch& launch) {
        std::unordered_map<std::string, catalog::DraftArgument*> arguments, targets;
        for (catalog::DraftArgument& row : draft.draft.arguments) arguments.emplace(row.name, &row);
        for (catalog::DraftArgument& row : draft.draft.targets) targets.emplace(row.name, &row);
        const std::string behind = (fs::path(request_.folder) / "memory behind the arguments.bin").string();
        WARPLENS_TRY(auto all, WholeFile::create(behind));
        std::uint64_t written = 0;
        for (const catalog::ProgramBuffer& buffer : draft.buffers) {
            if (!buffer.filled) continue;
            const std::vector<std::byte> bytes = session_->bytes_of(buffer, launch);
            if (const auto row = arguments.find(buffer.name); row != arguments.end()) {
                WARPLENS_TRY(keep(*row->second, bytes));
            } else if (const auto target = targets.find(buffer.name); target != targets.end()) {
                WARPLENS_TRY(all.append(std::span<const std::byte>(bytes)));
                fill(*target->second, behind);
                target->second->file_part = written;
                written += bytes.size();
            }
        }
        return written > 0 ? all.keep() : Status();
    }

    Status keep(catalog::DraftArgument& row, const std::vector<std::byte>& bytes) const {
        const std::string path = (fs::path(request_.folder) / (row.name + ".bin")).string();
        WARPLENS_TRY(write_regular_file(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
        if (row.kind == catalog::DraftArgument::Kind::image) {
            WARPLENS_TRY(row.value, catalog::with_texels_of_file(row, path));
            return {};
        }
        fill(row, path);
        return {};
    }

    void fill(catalog::DraftArgument& row, const std::string& path) const {
        row.fill = "file";
        row.value = path;
        row.contents_guessed = !missing_.empty();
    }

    std::string sentence(const Launch& launch, Seconds seconds) const {
        std::string before;
        if (executed_ > 0)
            before = fmt::format("; the CPU engine executed the {} before it",
                                 executed_ == 1 ? std::string("launch")
                                                : fmt::format("{} launches", analysis::grouped(executed_)));
        return fmt::format(
            "{}: the inputs are the program's own: it was built and run here for {:.1f} s, up to {} of {} in "
            "line {}{}",
            request_.kernel.path, seconds.count(),
            request_.number == 1 ? "the first launch" : fmt::format("launch {}", request_.number),
            launch.name, launch.made.line, before);
    }

    Pipeline& pipeline_;
    const ProgramInputsRequest& request_;
    std::unique_ptr<ProgramSession> session_;
    std::string wanted_, longest_;  // symbols; the latter of all that the program launched
    double longest_work_ = 0;       // instructions of all its threads, roughly
    std::uint32_t met_ = 0;
    std::uint64_t executed_ = 0;
    std::set<std::string> launched_;
    std::set<std::pair<std::string, std::string>> missing_;  // launches that were not executed, and why
};

}  // namespace

instrumentation::KernelFile with_inputs(instrumentation::KernelFile kernel, const ProgramInputs& inputs) {
    kernel = catalog::with_launch(std::move(kernel), inputs.draft);
    kernel.initializers = inputs.initializers;
    kernel.variables = inputs.variables;
    kernel.note = inputs.note;
    return kernel;
}

std::string program_folder(const instrumentation::KernelFile& kernel) {
    std::error_code error;
    const std::string cache = catalog::default_cache_folder();
    const fs::path base = cache.empty() ? fs::temp_directory_path(error) / "warplens" : fs::path(cache);
    return (base / "programs" / catalog::cache_key({whole_path(kernel.path)})).string();
}

Result<ProgramInputs> program_inputs(Pipeline& pipeline, const ProgramInputsRequest& request) {
    if (request.argument) return inputs_with_argument(pipeline, request);
    return RunToLaunch(pipeline, request).inputs();
}

}  // namespace warplens::app

#include "app/pipeline/program_inputs.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "analysis/wording.h"
#include "core/whole_file.h"
#include "core/whole_path.h"
#include "instrumentation/catalog/host_launch.h"
#include "instrumentation/compile/compile_cache.h"
#include "instrumentation/compile/compiler.h"
#include "instrumentation/host_program/build_program.h"
#include "instrumentation/host_program/program_draft.h"
#include "instrumentation/host_program/running_program.h"

namespace warplens::app {
namespace {

namespace catalog = instrumentation;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

std::vector<std::pair<std::string, std::string>> initializers_of(const catalog::ProgramLaunch& launch) {
    std::vector<std::pair<std::string, std::string>> initializers;
    for (const catalog::ProgramVariable& variable : launch.variables)
        if (!variable.initializer.empty()) initializers.emplace_back(variable.name, variable.initializer);
    return initializers;
}

/// The program, up to the wanted launch.
class RunToLaunch {
  public:
    RunToLaunch(Pipeline& pipeline, const ProgramInputsRequest& request)
        : pipeline_(pipeline),
          request_(request),
          code_(catalog::host_code_of(request.kernel, request.entries)),
          wanted_(request.symbol) {}

    Result<ProgramInputs> inputs() {
        const auto begin = Clock::now();
        const catalog::KernelFile& kernel = request_.kernel;
        WARPLENS_TRY(const std::string program,
                     catalog::build_program({kernel.path, kernel.source, kernel.include_paths, kernel.defines,
                                             request_.headers, request_.folder},
                                            request_.cancelled));
        const catalog::ProgramRun run{program, fs::path(whole_path(kernel.path)).parent_path().string(),
                                      (fs::path(request_.folder) / "output").string(),
                                      Seconds(request_.program_seconds)};
        for (;;) {
            WARPLENS_TRY(program_, catalog::RunningProgram::start(run));
            WARPLENS_TRY(const auto met, run_to_wanted());
            if (met) return taken(met->launch, *met->entry, Clock::now() - begin);
            if (!request_.or_another || met_ > 0 || longest_.empty()) return fail("{}", why_none());
            wanted_ = std::exchange(longest_, {});
            executed_ = 0;
            missing_.clear();
        }
    }

  private:
    struct Met {
        catalog::ProgramLaunch launch;
        const catalog::EntryFacts* entry;
    };

    /// Nothing: the program has ended before.
    Result<std::optional<Met>> run_to_wanted() {
        for (;;) {
            auto launch = program_->next_launch(request_.cancelled);
            if (!launch)
                return fail("{}: {}; it had launched {}", request_.kernel.path, launch.error().message,
                            names_launched());
            if (!*launch) return std::optional<Met>();
            const catalog::EntryFacts* const entry = catalog::entry_of(**launch, request_.entries);
            if (entry != nullptr && entry->symbol == wanted_ && ++met_ == request_.number)
                return Met{std::move(**launch), entry};
            WARPLENS_TRY(execute(**launch, entry));
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
        return fmt::format("{}: the program ended here without a launch of {}; it launched {}",
                           request_.kernel.path, name, names_launched());
    }

    Result<catalog::ProgramDraft> draft_of(const catalog::ProgramLaunch& launch,
                                           const catalog::EntryFacts& entry) const {
        return catalog::with_program_launch(catalog::guess_launch(entry, request_.kernel, code_), launch);
    }

    std::span<std::byte> bytes_of(const catalog::ProgramBuffer& buffer,
                                  const catalog::ProgramLaunch& launch) {
        return program_->memory(launch.allocations[buffer.allocation]).subspan(buffer.offset, buffer.bytes);
    }

    /// What cannot be executed is said, and the program goes on.
    Status execute(const catalog::ProgramLaunch& launch, const catalog::EntryFacts* entry) {
        const std::string name = entry != nullptr ? entry->name : launch.plain_name();
        launched_.insert(name);
        if (entry != nullptr) {
            const auto threads = static_cast<double>(launch.geometry.grid.count()) *
                                 static_cast<double>(launch.geometry.block.count());
            const double work = entry->instructions * threads;
            if (work > longest_work_) longest_work_ = work, longest_ = entry->symbol;
        }
        const auto begin = Clock::now();
        const Status done = left().count() <= 0 ? fail("launches before took {:.0f} s", engine_time_.count())
                            : entry == nullptr  ? fail("it is none of the kernels that were compiled")
                                                : execute_entry(launch, *entry);
        engine_time_ += Clock::now() - begin;
        if (request_.cancelled && request_.cancelled()) return fail("the run was cancelled");
        if (done) ++executed_;
        else missing_.insert({fmt::format("{} in line {}", name, launch.line), done.error().message});
        return program_->go_on();
    }

    Seconds left() const { return Seconds(request_.engine_seconds) - engine_time_; }

    /// By the CPU engine, on the program's memory.
    Status execute_entry(const catalog::ProgramLaunch& launch, const catalog::EntryFacts& entry) {
        WARPLENS_TRY(const auto draft, draft_of(launch, entry));
        LaunchRequest asked;
        asked.kernel = std::make_shared<const catalog::KernelFile>(
            with_inputs(request_.kernel, {draft.draft, initializers_of(launch), "", {}}));
        WARPLENS_TRY(auto loaded, pipeline_.load(asked));
        for (const catalog::ProgramBuffer& buffer : draft.buffers) {
            const auto of =
                std::ranges::find(loaded.prepared.buffers, buffer.name, &catalog::PreparedBuffer::name);
            if (of == loaded.prepared.buffers.end() || of->data.size() < buffer.bytes)
                return fail("its buffer {} could not be made", buffer.name);
            std::ranges::copy(bytes_of(buffer, launch), of->data.begin());
        }
        for (const Variable& variable : loaded.program.variables)
            if (variable.space == Space::global && !variable.name.starts_with('$'))
                variables_.insert(variable.name);
        ExecuteOptions options;
        options.check_golden = false;
        options.cancelled = [this, deadline = Clock::now() + left()] {
            return Clock::now() > deadline || (request_.cancelled && request_.cancelled());
        };
        WARPLENS_TRY(const auto executed, pipeline_.execute(std::move(loaded), options));
        for (const catalog::ProgramBuffer& buffer : draft.buffers)
            if (const simt::Allocation* const after = executed.memory.find(buffer.name))
                std::copy_n(after->data.begin(), buffer.bytes, bytes_of(buffer, launch).begin());
        if (!executed.report->problems.empty()) return fail("{}", executed.report->problems.front().message);
        return {};
    }

    /// The wanted launch: its memory goes into files.
    Result<ProgramInputs> taken(const catalog::ProgramLaunch& launch, const catalog::EntryFacts& entry,
                                Seconds seconds) {
        auto draft = draft_of(launch, entry);
        if (!draft) return fail("{}: {}", request_.kernel.path, draft.error().message);
        for (const catalog::ProgramBuffer& buffer : draft->buffers)
            if (buffer.filled) WARPLENS_TRY(keep(buffer, launch, draft->draft));
        ProgramInputs inputs;
        inputs.draft = std::move(draft->draft);
        inputs.initializers = initializers_of(launch);
        inputs.said.push_back(sentence(launch, entry, seconds));
        std::vector<std::string> lacks;
        for (const auto& [what, why] : missing_) {
            lacks.push_back(what);
            inputs.said.push_back(
                fmt::format("not executed, so what it writes is missing: {}: {}", what, why));
        }
        if (executed_ > 0 && !variables_.empty())
            inputs.said.push_back(fmt::format(
                "launches before may have written to variables of the device, which is missing: {}",
                fmt::join(variables_, ", ")));
        for (const catalog::ProgramVariable& variable : launch.variables)
            if (variable.initializer.empty())
                inputs.said.push_back(
                    fmt::format("`{}` holds what its declaration says: what the program copies to a variable "
                                "of this type "
                                "cannot be passed on",
                                variable.name));
        if (!lacks.empty()) inputs.note = fmt::format("Inputs lack what {} writes", fmt::join(lacks, ", "));
        return inputs;
    }

    Status keep(const catalog::ProgramBuffer& buffer, const catalog::ProgramLaunch& launch,
                catalog::LaunchDraft& draft) {
        const std::string path = (fs::path(request_.folder) / (buffer.name + ".bin")).string();
        const auto bytes = bytes_of(buffer, launch);
        WARPLENS_TRY(write_regular_file(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
        for (auto* rows : {&draft.arguments, &draft.targets})
            for (catalog::DraftArgument& row : *rows) {
                if (row.name != buffer.name) continue;
                row.fill = "file";
                row.value = path;
                row.contents_guessed = !missing_.empty();
            }
        return {};
    }

    std::string sentence(const catalog::ProgramLaunch& launch, const catalog::EntryFacts& entry,
                         Seconds seconds) const {
        std::string before;
        if (executed_ > 0)
            before = fmt::format("; the CPU engine executed the {} before it",
                                 executed_ == 1 ? std::string("launch")
                                                : fmt::format("{} launches", analysis::grouped(executed_)));
        return fmt::format(
            "{}: the inputs are the program's own: it was built and run here for {:.1f} s, up to {} of {} in "
            "line {}{}",
            request_.kernel.path, seconds.count(),
            request_.number == 1 ? "the first launch" : fmt::format("launch {}", request_.number), entry.name,
            launch.line, before);
    }

    Pipeline& pipeline_;
    const ProgramInputsRequest& request_;
    const catalog::host_code::HostCode code_;
    std::unique_ptr<catalog::RunningProgram> program_;
    std::string wanted_, longest_;  // symbols; the latter of all that the program launched
    double longest_work_ = 0;       // instructions of all its threads, roughly
    std::uint32_t met_ = 0;
    std::uint64_t executed_ = 0;
    std::set<std::string> launched_, variables_;
    std::set<std::pair<std::string, std::string>> missing_;  // launches that were not executed, and why
    Seconds engine_time_{0};
};

}  // namespace

instrumentation::KernelFile with_inputs(instrumentation::KernelFile kernel, const ProgramInputs& inputs) {
    kernel = catalog::with_launch(std::move(kernel), inputs.draft);
    kernel.initializers = inputs.initializers;
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
    if (request.kernel.language != catalog::Language::cuda)
        return fail("{}: only a .cu file has host code to run", request.kernel.path);
    return RunToLaunch(pipeline, request).inputs();
}

}  // namespace warplens::app

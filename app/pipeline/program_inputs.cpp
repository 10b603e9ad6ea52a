#include "app/pipeline/program_inputs.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <memory>

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

/// The program while it runs up to the wanted launch.
class RunUpTo {
  public:
    RunUpTo(Pipeline& pipeline, const ProgramInputsRequest& request)
        : pipeline_(pipeline),
          request_(request),
          code_(catalog::host_code_of(request.kernel, request.entries)) {}

    Result<ProgramInputs> inputs() {
        const auto begin = Clock::now();
        catalog::ProgramRequest build;
        build.path = request_.kernel.path;
        build.source = request_.kernel.source;
        build.include_paths = request_.kernel.include_paths;
        build.defines = request_.kernel.defines;
        build.headers = request_.headers;
        build.folder = request_.folder;
        WARPLENS_TRY(const std::string program, catalog::build_program(build, request_.cancelled));
        const fs::path folder = fs::path(whole_path(request_.kernel.path)).parent_path();
        WARPLENS_TRY(program_, catalog::RunningProgram::start(
                                   {program, folder.string(), (fs::path(request_.folder) / "output").string(),
                                    std::chrono::duration<double>(request_.program_seconds)}));
        for (;;) {
            auto launch = program_->next_launch(request_.cancelled);
            if (!launch) return fail("{}: {}", request_.kernel.path, launch.error().message);
            if (!*launch) return fail("{}", why_none());
            const catalog::EntryFacts* const entry = catalog::entry_of(**launch, request_.entries);
            if (entry != nullptr && entry->symbol == request_.symbol && ++met_ == request_.number)
                return taken(**launch, *entry, Clock::now() - begin);
            WARPLENS_TRY(execute(**launch, entry));
        }
    }

  private:
    std::string why_none() const {
        std::vector<std::string> names;
        for (const std::string& name : launched_)
            if (std::ranges::find(names, name) == names.end()) names.push_back(name);
        const std::string wanted = wanted_entry() == nullptr ? request_.symbol : wanted_entry()->name;
        if (met_ > 0)
            return fmt::format("{}: the program launches {} {} time{} here, and launch {} is asked for",
                               request_.kernel.path, wanted, met_, met_ == 1 ? "" : "s", request_.number);
        return fmt::format("{}: the program ended here without a launch of {}; it launches {}",
                           request_.kernel.path, wanted,
                           names.empty() ? "nothing" : fmt::to_string(fmt::join(names, ", ")));
    }

    const catalog::EntryFacts* wanted_entry() const {
        const auto found = std::ranges::find(request_.entries, request_.symbol, &catalog::EntryFacts::symbol);
        return found == request_.entries.end() ? nullptr : &*found;
    }

    Result<catalog::ProgramDraft> draft_of(const catalog::ProgramLaunch& launch,
                                           const catalog::EntryFacts& entry) const {
        return catalog::with_program_launch(catalog::guess_launch(entry, request_.kernel, code_), launch);
    }

    catalog::KernelFile with_variables(catalog::KernelFile kernel,
                                       const catalog::ProgramLaunch& launch) const {
        for (const catalog::ProgramVariable& variable : launch.variables)
            if (!variable.initializer.empty())
                kernel.initializers.emplace_back(variable.name, variable.initializer);
        return kernel;
    }

    /// By the CPU engine, on the program's memory. What cannot be executed is said, and the program goes on.
    Status execute(const catalog::ProgramLaunch& launch, const catalog::EntryFacts* entry) {
        launched_.push_back(entry != nullptr ? entry->name : launch.plain_name());
        const auto begin = Clock::now();
        Status done = engine_time_.count() > request_.engine_seconds
                          ? fail("the launches before took {:.0f} s", engine_time_.count())
                      : entry == nullptr ? fail("it is none of the kernels that were compiled")
                                         : execute_entry(launch, *entry);
        engine_time_ += Clock::now() - begin;
        if (request_.cancelled && request_.cancelled()) return fail("the run was cancelled");
        if (done) {
            ++executed_;
        } else {
            missing_.push_back(
                fmt::format("{} in line {}: {}", launched_.back(), launch.line, done.error().message));
        }
        return program_->go_on();
    }

    Status execute_entry(const catalog::ProgramLaunch& launch, const catalog::EntryFacts& entry) {
        WARPLENS_TRY(const auto draft, draft_of(launch, entry));
        LaunchRequest asked;
        asked.kernel = std::make_shared<const catalog::KernelFile>(
            with_variables(catalog::with_launch(request_.kernel, draft.draft), launch));
        WARPLENS_TRY(auto loaded, pipeline_.load(asked));
        for (const catalog::ProgramBuffer& buffer : draft.buffers) {
            const auto of =
                std::ranges::find(loaded.prepared.buffers, buffer.name, &catalog::PreparedBuffer::name);
            if (of != loaded.prepared.buffers.end())
                std::ranges::copy(bytes_of(buffer, launch), of->data.begin());
        }
        ExecuteOptions options;
        options.check_golden = false;
        options.cancelled =
            [&, deadline = Clock::now() +
                           std::chrono::duration<double>(request_.engine_seconds - engine_time_.count())] {
                return Clock::now() > deadline || (request_.cancelled && request_.cancelled());
            };
        WARPLENS_TRY(const auto executed, pipeline_.execute(std::move(loaded), options));
        for (const catalog::ProgramBuffer& buffer : draft.buffers)
            if (const simt::Allocation* const after = executed.memory.find(buffer.name))
                std::copy_n(after->data.begin(), buffer.bytes, bytes_of(buffer, launch).begin());
        if (!executed.report->problems.empty())
            return fail("it has a problem: {}", executed.report->problems.front().message);
        return {};
    }

    std::span<std::byte> bytes_of(const catalog::ProgramBuffer& buffer,
                                  const catalog::ProgramLaunch& launch) {
        return program_->memory(launch.allocations[buffer.allocation]).subspan(buffer.offset, buffer.bytes);
    }

    /// The wanted launch: its memory goes into files.
    Result<ProgramInputs> taken(const catalog::ProgramLaunch& launch, const catalog::EntryFacts& entry,
                                std::chrono::duration<double> seconds) {
        auto draft = draft_of(launch, entry);
        if (!draft) return fail("{}: {}", request_.kernel.path, draft.error().message);
        for (const catalog::ProgramBuffer& buffer : draft->buffers) {
            if (!buffer.filled) continue;
            const std::string path = (fs::path(request_.folder) / (buffer.name + ".bin")).string();
            const auto bytes = bytes_of(buffer, launch);
            WARPLENS_TRY(
                write_regular_file(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
            for (auto* rows : {&draft->draft.arguments, &draft->draft.targets})
                for (catalog::DraftArgument& row : *rows) {
                    if (row.name != buffer.name) continue;
                    row.fill = "file";
                    row.value = path;
                    row.contents_guessed = !missing_.empty();
                }
        }
        ProgramInputs inputs;
        inputs.kernel = with_variables(catalog::with_launch(request_.kernel, draft->draft), launch);
        inputs.said.push_back(sentence(launch, entry, seconds));
        for (const std::string& missing : missing_)
            inputs.said.push_back("not executed, so that what it writes is missing: " + missing);
        for (const catalog::ProgramVariable& variable : launch.variables)
            if (variable.initializer.empty())
                inputs.said.push_back(
                    fmt::format("`{}` holds what its declaration says: its type has no form to pass what the "
                                "program copies to it",
                                variable.name));
        if (!missing_.empty())
            inputs.kernel.note =
                fmt::format("Inputs lack what {} would write", fmt::join(names_missing(), ", "));
        return inputs;
    }

    std::vector<std::string> names_missing() const {
        std::vector<std::string> names;
        for (const std::string& missing : missing_) names.push_back(missing.substr(0, missing.find(": ")));
        return names;
    }

    std::string sentence(const catalog::ProgramLaunch& launch, const catalog::EntryFacts& entry,
                         std::chrono::duration<double> seconds) const {
        std::string before;
        if (executed_ > 0)
            before = fmt::format("; the CPU engine executed the {} before it",
                                 executed_ == 1 ? std::string("launch")
                                                : fmt::format("{} launches", analysis::grouped(executed_)));
        return fmt::format(
            "{}: inputs are the program's own: it was built and run here for {:.1f} s, up to {} "
            "of {} in line {}{}",
            request_.kernel.path, seconds.count(),
            request_.number == 1 ? std::string("the first launch")
                                 : fmt::format("launch {}", request_.number),
            entry.name, launch.line, before);
    }

    Pipeline& pipeline_;
    const ProgramInputsRequest& request_;
    const catalog::host_code::HostCode code_;
    std::unique_ptr<catalog::RunningProgram> program_;
    std::uint32_t met_ = 0;
    std::uint64_t executed_ = 0;
    std::vector<std::string> launched_, missing_;
    std::chrono::duration<double> engine_time_{0};
};

}  // namespace

std::string program_folder(const instrumentation::KernelFile& kernel) {
    std::error_code error;
    const std::string cache = catalog::default_cache_folder();
    const fs::path base = cache.empty() ? fs::temp_directory_path(error) / "warplens" : fs::path(cache);
    return (base / "programs" / catalog::cache_key({whole_path(kernel.path)})).string();
}

Result<ProgramInputs> program_inputs(Pipeline& pipeline, const ProgramInputsRequest& request) {
    if (request.kernel.language != catalog::Language::cuda)
        return fail("{}: only a .cu file has host code to run", request.kernel.path);
    return RunUpTo(pipeline, request).inputs();
}

}  // namespace warplens::app

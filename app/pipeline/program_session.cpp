#include "app/pipeline/program_session.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/pipeline/earlier_runs.h"
#include "core/variable_contents.h"
#include "core/whole_path.h"
#include "instrumentation/catalog/host_launch.h"
#include "instrumentation/host_program/build_program.h"

namespace warplens::app {

namespace catalog = instrumentation;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

std::vector<std::pair<std::string, std::string>> initializers_of(const catalog::ProgramLaunch& launch) {
    std::vector<std::pair<std::string, std::string>> initializers;
    for (const catalog::ProgramVariable& variable : launch.variables)
        if (!variable.initializer.empty()) initializers.emplace_back(variable.name, variable.initializer);
    return initializers;
}

ProgramSession::ProgramSession(Pipeline& pipeline, const ProgramInputsRequest& request)
    : pipeline_(pipeline), request_(request), code_(catalog::host_code_of(request.kernel, request.entries)) {}

Result<std::unique_ptr<ProgramSession>> ProgramSession::build(Pipeline& pipeline,
                                                              const ProgramInputsRequest& request) {
    const catalog::KernelFile& kernel = request.kernel;
    if (kernel.language != catalog::Language::cuda)
        return fail("{}: only a .cu file has host code to run", kernel.path);
    std::unique_ptr<ProgramSession> session(new ProgramSession(pipeline, request));
    WARPLENS_TRY(session->run_.program,
                 catalog::build_program({kernel.path, kernel.source, kernel.include_paths, kernel.defines,
                                         request.headers, request.folder},
                                        request.cancelled));
    session->run_.folder = fs::path(whole_path(kernel.path)).parent_path().string();
    session->run_.output = (fs::path(request.folder) / "output").string();
    session->run_.time_limit = std::chrono::duration<double>(request.program_seconds);
    return session;
}

Status ProgramSession::start() {
    variables_.forget();
    run_.on_variable = [this](const std::string& name, std::span<std::byte> memory) {
        variables_.give(name, memory);
    };
    WARPLENS_TRY(program_, catalog::RunningProgram::start(run_));
    return {};
}

Result<std::optional<ProgramSession::Launch>> ProgramSession::next() {
    WARPLENS_TRY(auto made, program_->next_launch(request_.cancelled));
    if (!made) return std::optional<Launch>();
    Launch launch{std::move(*made), nullptr, ""};
    launch.entry = catalog::entry_of(launch.made, request_.entries);
    launch.name = launch.entry != nullptr ? launch.entry->name : launch.made.plain_name();
    return launch;
}

Result<catalog::ProgramDraft> ProgramSession::draft_of(const Launch& launch) const {
    return catalog::with_program_launch(catalog::guess_launch(*launch.entry, request_.kernel, code_),
                                        launch.made);
}

std::vector<std::byte> ProgramSession::bytes_of(const catalog::ProgramBuffer& buffer, const Launch& launch) {
    const auto memory = program_->memory(launch.made.allocations[buffer.allocation]).subspan(buffer.offset);
    std::vector<std::byte> bytes;
    bytes.reserve(buffer.bytes);
    for (std::uint64_t row = 0; bytes.size() < buffer.bytes; ++row) {
        const auto from = memory.subspan(row * buffer.pitch, buffer.row_bytes);
        bytes.insert(bytes.end(), from.begin(), from.end());
    }
    return bytes;
}

void ProgramSession::take_back(const catalog::ProgramBuffer& buffer, const Launch& launch,
                               std::span<const std::byte> bytes) {
    const auto memory = program_->memory(launch.made.allocations[buffer.allocation]).subspan(buffer.offset);
    for (std::uint64_t row = 0; row * buffer.row_bytes < buffer.bytes; ++row)
        std::ranges::copy(bytes.subspan(row * buffer.row_bytes, buffer.row_bytes),
                          memory.subspan(row * buffer.pitch).begin());
}

Result<std::shared_ptr<analysis::LaunchReport>> ProgramSession::execute(const Launch& launch,
                                                                        ExecuteOptions options) {
    if (launch.entry == nullptr) return fail("it is none of the kernels that were compiled");
    if (left().count() <= 0) return fail("launches before took {:.0f} s", used_.count());
    const auto begin = Clock::now();
    WARPLENS_TRY(const auto draft, draft_of(launch));
    LaunchRequest asked;
    const std::vector<VariableContents> variables = variables_at(launch);
    for (std::string& name : pointers_of(variables, launch.made))
        if (std::ranges::find(pointers_, name) == pointers_.end()) pointers_.push_back(std::move(name));
    // Without initializers, so that it need not be compiled again when they change.
    ProgramInputs inputs;
    inputs.draft = draft.draft;
    inputs.variables = variables;
    asked.kernel = std::make_shared<const catalog::KernelFile>(with_inputs(request_.kernel, inputs));
    asked.cancelled = request_.cancelled;
    WARPLENS_TRY(auto loaded, pipeline_.load(asked));
    EarlierContents contents;
    contents.buffers.resize(loaded.prepared.buffers.size());
    std::vector<VariableContents> given = variables;
    for (const catalog::ProgramBuffer& buffer : draft.buffers) {
        const auto of =
            std::ranges::find(loaded.prepared.buffers, buffer.name, &catalog::PreparedBuffer::name);
        if (of == loaded.prepared.buffers.end() || of->data.size() != buffer.bytes)
            return fail("its buffer {} could not be made", buffer.name);
        contents.buffers[static_cast<std::size_t>(of - loaded.prepared.buffers.begin())] =
            std::make_shared<const std::vector<std::byte>>(bytes_of(buffer, launch));
        given.push_back(
            {buffer.name, contents.buffers[static_cast<std::size_t>(of - loaded.prepared.buffers.begin())]});
    }
    const std::vector<std::string> with_addresses = pointers_of(given, launch.made);
    take_earlier(loaded, std::move(contents));
    const Program module = loaded.program;
    options.check_golden = false;
    options.cancelled = [this, deadline = Clock::now() + left()] {
        return Clock::now() > deadline || is_cancelled();
    };
    const auto executed = pipeline_.execute(std::move(loaded), options);
    used_ += Clock::now() - begin;
    if (!executed) return tl::unexpected(executed.error());
    // The engine has the launch's memory at other addresses than the program.
    if (!with_addresses.empty() && !executed->report->problems.empty())
        return fail(
            "`{}` holds addresses of the program's memory, which a run of the program does not pass on",
            with_addresses.front());
    for (const catalog::ProgramBuffer& buffer : draft.buffers)
        if (const simt::Allocation* const after = executed->memory.find(buffer.name);
            after && !buffer.is_read)
            take_back(buffer, launch, {after->data.data(), buffer.bytes});
    variables_.after(launch.made, *program_, module, executed->memory);
    return executed->report;
}

}  // namespace warplens::app

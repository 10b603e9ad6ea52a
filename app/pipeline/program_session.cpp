#include "app/pipeline/program_session.h"

#include <algorithm>
#include <filesystem>
#include <unordered_map>
#include <utility>

#include "app/pipeline/earlier_runs.h"
#include "core/variable_contents.h"
#include "core/whole_path.h"
#include "instrumentation/catalog/host_launch.h"
#include "instrumentation/host_program/build_program.h"
#include "instrumentation/host_program/program_entry.h"

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

Result<catalog::ProgramDraft> ProgramSession::draft_of(const Launch& launch,
                                                       const std::vector<VariableContents>& variables) const {
    catalog::ProgramContents contents;
    contents.memory = [this](const catalog::ProgramAllocation& allocation) {
        return std::span<const std::byte>(program_->memory(allocation));
    };
    for (const VariableContents& variable : variables) contents.others.emplace_back(*variable.bytes);
    return catalog::with_program_launch(catalog::guess_launch(*launch.entry, request_.kernel, code_),
                                        launch.made, contents);
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
    const std::vector<VariableContents> variables = variables_at(launch);
    WARPLENS_TRY(const auto draft, draft_of(launch, variables));
    LaunchRequest asked;
    // Without initializers, so that it need not be compiled again when they change.
    ProgramInputs inputs;
    inputs.draft = draft.draft;
    inputs.variables = variables;
    asked.kernel = std::make_shared<const catalog::KernelFile>(with_inputs(request_.kernel, inputs));
    asked.cancelled = request_.cancelled;
    WARPLENS_TRY(auto loaded, pipeline_.load(asked));
    EarlierContents contents;
    contents.buffers.resize(loaded.prepared.buffers.size());
    std::unordered_map<std::string, std::size_t> numbers;
    for (std::size_t i = 0; i < loaded.prepared.buffers.size(); ++i)
        numbers.emplace(loaded.prepared.buffers[i].name, i);
    for (const catalog::ProgramBuffer& buffer : draft.buffers) {
        const auto of = numbers.find(buffer.name);
        if (of == numbers.end() || loaded.prepared.buffers[of->second].data.size() != buffer.bytes)
            return fail("its buffer {} could not be made", buffer.name);
        contents.buffers[of->second] =
            std::make_shared<const std::vector<std::byte>>(bytes_of(buffer, launch));
    }
    take_earlier(loaded, std::move(contents));
    const Program module = loaded.program;
    options.check_golden = false;
    options.cancelled = [this, deadline = Clock::now() + left()] {
        return Clock::now() > deadline || is_cancelled();
    };
    const auto executed = pipeline_.execute(std::move(loaded), options);
    used_ += Clock::now() - begin;
    if (!executed) return tl::unexpected(executed.error());
    std::unordered_map<std::string_view, const simt::Allocation*> left_in;
    for (const simt::Allocation& allocation : executed->memory.allocations())
        left_in.emplace(allocation.name, &allocation);
    for (const catalog::ProgramBuffer& buffer : draft.buffers)
        if (const auto after = left_in.find(buffer.name); after != left_in.end() && !buffer.is_read)
            take_back(buffer, launch, {after->second->data.data(), buffer.bytes});
    variables_.after(launch.made, *program_, module, executed->memory);
    return executed->report;
}

}  // namespace warplens::app

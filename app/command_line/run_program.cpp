#include "app/command_line/run_program.h"

#include <filesystem>
#include <utility>

#include "instrumentation/catalog/catalogue.h"

namespace warplens::app {

namespace {

Status add_places(ProgramInputsRequest& request) {
    WARPLENS_TRY(const auto folders, instrumentation::installed_folders());
    request.headers = (std::filesystem::path(folders.assets) / "host_program").string();
    request.folder = program_folder(request.kernel);
    return {};
}

}  // namespace

Result<ProgramInputs> run_program(Pipeline& pipeline, ProgramInputsRequest request) {
    WARPLENS_TRY(add_places(request));
    return program_inputs(pipeline, request);
}

Result<ProgramLaunches> run_whole_program(Pipeline& pipeline, ProgramInputsRequest request,
                                          const std::function<void(const ProgramLaunches&)>& so_far) {
    WARPLENS_TRY(add_places(request));
    return program_launches(pipeline, request, so_far);
}

}  // namespace warplens::app

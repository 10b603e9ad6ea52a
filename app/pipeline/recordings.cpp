#include "app/pipeline/recordings.h"

#include <filesystem>

#include "core/json_text.h"
#include "core/read_file.h"
#include "core/whole_file.h"
#include "instrumentation/compile/shipped_ptx.h"
#include "trace/file/trace_file.h"

namespace warplens::app {

namespace fs = std::filesystem;
namespace instr = instrumentation;
namespace {

Result<Json> read_json(const fs::path& path) {
    WARPLENS_TRY(const auto text, read_file(path.string()));
    auto json = parse_json(text);
    if (!json) return fail("{} is not JSON", path.string());
    return std::move(*json);
}

Result<Settings> settings_of(const Json& json) {
    Settings settings;
    if (!json.is_object()) return fail("settings are an object");
    for (const auto& [name, value] : json.members()) {
        if (!value.is_string()) return fail("the value of {} is not a string", name);
        settings[name] = value.as_string();
    }
    return settings;
}

Settings printed(const instr::Values& values) {
    Settings settings;
    for (const auto& [name, value] : values) settings[name] = instr::to_string(value);
    return settings;
}

std::string names_of(const RecordedKernel& recorded) {
    std::string names;
    for (const auto& recording : recorded.recordings) names += (names.empty() ? "" : "; ") + recording.name;
    return names;
}

}  // namespace

Result<RecordedKernel> parse_recorded_kernel(std::string_view text) {
    const auto parsed = parse_json(text);
    if (!parsed) return fail("it is not JSON");
    const Json& json = *parsed;
    RecordedKernel recorded;
    if (!json.is_object() || !json.contains("source_hash") || !json["source_hash"].is_string() ||
        !json.contains("recordings") || !json["recordings"].is_object())
        return fail("it holds no source_hash and recordings");
    recorded.source_hash = json["source_hash"].as_string();
    for (const auto& [name, parameters] : json["recordings"].members()) {
        auto settings = settings_of(parameters);
        if (!settings) return fail("{}: {}", name, settings.error().message);
        recorded.recordings.push_back({name, std::move(*settings)});
    }
    return recorded;
}

std::string recording_name(const instr::KernelFile& kernel, const Settings& parameters) {
    std::string name;
    for (const auto& parameter : kernel.parameters) {
        const auto found = parameters.find(parameter.name);
        if (found == parameters.end() || found->second == instr::to_string(parameter.fallback)) continue;
        name += (name.empty() ? "" : ",") + parameter.name + "=" + found->second;
    }
    return name.empty() ? "default" : name;
}

std::string recording_path(const std::string& folder, const std::string& kernel, const std::string& name) {
    return (fs::path(folder) / kernel / (name + ".wltrace")).string();
}

Result<RecordedKernel> read_recorded_kernel(const std::string& folder, const std::string& kernel) {
    const fs::path path = fs::path(folder) / (kernel + ".json");
    WARPLENS_TRY(const auto text, read_file(path.string()));
    auto recorded = parse_recorded_kernel(text);
    if (!recorded) return fail("{}: {}", path.string(), recorded.error().message);
    return recorded;
}

Status write_recorded_kernel(const std::string& folder, const std::string& kernel,
                             const RecordedKernel& recorded) {
    Json json;
    json["source_hash"] = recorded.source_hash;
    json["recordings"] = Json::object();
    for (const auto& recording : recorded.recordings)
        json["recordings"][recording.name] = recording.parameters;
    const fs::path path = fs::path(folder) / (kernel + ".json");
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    return write_whole_file(path.string(), json_text(json, 1) + "\n");
}

Result<std::shared_ptr<const trace::Trace>> load_recording(const std::string& folder,
                                                           const instr::KernelFile& kernel,
                                                           const Settings& overrides) {
    std::error_code error;
    if (folder.empty() || !fs::exists(fs::path(folder) / (kernel.name + ".json"), error))
        return fail(
            "there is no recording of {}; the CPU engine executes it (--engine simt), and a GPU records it "
            "(--engine cuda)",
            kernel.name);
    WARPLENS_TRY(auto recorded, read_recorded_kernel(folder, kernel.name));
    if (recorded.source_hash != instr::source_hash(kernel.source))
        return fail(
            "the recordings of {} were made from another version of its source; use --engine simt, or "
            "record it again on a GPU",
            kernel.name);
    WARPLENS_TRY(auto values, instr::resolve_parameters(kernel, overrides));
    const Settings wanted = printed(values);
    for (const auto& recording : recorded.recordings) {
        if (recording.parameters != wanted) continue;
        WARPLENS_TRY(auto file, trace::TraceFile::open(recording_path(folder, kernel.name, recording.name)));
        WARPLENS_TRY(auto trace, file.read_all());
        return std::make_shared<const trace::Trace>(std::move(trace));
    }
    return fail("{} was not recorded with {}; recorded are: {}", kernel.name, recording_name(kernel, wanted),
                names_of(recorded));
}

Result<std::map<std::string, std::vector<Settings>>> settings_to_record(const std::string& folder) {
    const fs::path path = fs::path(folder) / "settings.json";
    WARPLENS_TRY(auto json, read_json(path));
    if (!json.is_object()) return fail("{}: it is not an object of kernels", path.string());
    std::map<std::string, std::vector<Settings>> all;
    for (const auto& [kernel, list] : json.members()) {
        if (!list.is_array()) return fail("{}: {} has no list of settings", path.string(), kernel);
        for (const Json& one : list) {
            auto settings = settings_of(one);
            if (!settings) return fail("{}: {}: {}", path.string(), kernel, settings.error().message);
            all[kernel].push_back(std::move(*settings));
        }
    }
    return all;
}

}  // namespace warplens::app

// Recordings: traces of the catalogue's kernels that a GPU made beforehand, found by kernel and parameters,
// so that a machine without a GPU opens measured data by name. In assets/recordings, KERNEL.json lists the
// recorded parameters and the hash of the source, KERNEL/NAME.wltrace is one recording, and settings.json
// lists what to record. `warplens-record recordings` makes them on a GPU.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/catalog/kernel.h"
#include "trace/trace.h"

namespace warplens::app {

using Settings = std::map<std::string, std::string>;  // by parameter, printed

struct RecordedKernel {
    std::string source_hash;  // instrumentation::source_hash of the kernel's file
    struct Recording {
        std::string name;     // "default", or what differs from it: "PAD=1"
        Settings parameters;  // all of them
    };
    std::vector<Recording> recordings;
};

/// What differs from the kernel's defaults, "PAD=1,n=4096"; "default" when nothing does.
std::string recording_name(const instrumentation::KernelFile& kernel, const Settings& parameters);

/// KERNEL.json.
Result<RecordedKernel> parse_recorded_kernel(std::string_view json);
/// `folder` is assets/recordings.
Result<RecordedKernel> read_recorded_kernel(const std::string& folder, const std::string& kernel);
Status write_recorded_kernel(const std::string& folder, const std::string& kernel,
                             const RecordedKernel& recorded);
std::string recording_path(const std::string& folder, const std::string& kernel, const std::string& name);

/// The recording of the kernel with these parameters, the others at their defaults. The error says what is
/// missing: the kernel, this state of its source, or these settings (and which ones exist).
Result<std::shared_ptr<const trace::Trace>> load_recording(
    const std::string& folder, const instrumentation::KernelFile& kernel,
    const std::map<std::string, std::string>& overrides);

/// What is to be recorded, from settings.json: of each kernel, the parameters that are set.
Result<std::map<std::string, std::vector<Settings>>> settings_to_record(const std::string& folder);

}  // namespace warplens::app

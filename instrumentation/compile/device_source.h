// DeviceSource: what NVRTC is given of a file that may hold host code: the source and the user's headers with
// that code set aside, and the kernels that the host code launches, so that instances of templates are made.
// After a failed attempt more can be set aside. instrumentation/host_code/ knows what is host code.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "instrumentation/compile/compiler.h"
#include "instrumentation/compile/included_files.h"
#include "instrumentation/host_code/device_code.h"

namespace warplens::instrumentation {

class DeviceSource {
  public:
    DeviceSource(CompileRequest request, std::vector<std::string> toolkit_folders);

    /// With the source as it is to be compiled.
    const CompileRequest& request() const { return request_; }
    bool has_host_code() const { return code_.changed; }
    /// The source and the user's headers as they lie on the disk. Empty when lines alone do not tell which
    /// ones the compiler reads.
    std::vector<host_code::File> files_read() const {
        return complete_ ? on_disk_ : std::vector<host_code::File>();
    }
    /// Whether the source or a header of the user's has the word, be it in a comment.
    bool says(std::string_view word) const;
    /// What the host code puts into the files before they are compiled: lambdas, and variables with their
    /// contents.
    const std::vector<std::string>& added() const { return added_; }
    /// Headers of the user's that differ from what lies on the disk.
    std::vector<std::pair<std::string, std::string>> headers() const;
    /// "reduce<256>": launched instances of templates, and kernels that only this file sees.
    const std::vector<std::string>& kernels() const { return kernels_; }

    /// Sets aside what the log of a failed compilation complains about, as far as it is not marked for the
    /// device.
    void set_aside(const std::string& log);
    /// Whether the last set_aside() changed anything, so that another attempt is worth it.
    bool changed() const { return changed_; }

    /// The source's lambdas for the device were left out, since the compiler refused them.
    bool gave_up_lambdas() const { return gave_up_lambdas_; }

    /// The error names an included header that lies where it is searched for and cannot be read.
    Status check_headers() const;
    /// A clause for an error message: headers that were not found; empty when there are none.
    std::string what_is_missing() const;
    /// Why nothing was compiled, and what to write.
    std::string why_no_kernel() const;

  private:
    void separate();

    CompileRequest request_;
    std::vector<std::string> toolkit_folders_, defines_;
    std::vector<std::string> added_;
    std::vector<host_code::File> files_, on_disk_;  // with and without what the host puts into variables
    std::vector<UnusableHeader> unusable_;
    bool complete_ = true;
    std::set<host_code::Place> refused_;
    host_code::DeviceCode code_;
    std::vector<std::string> kernels_;
    std::string lambdas_;  // at the end of the source
    bool gave_up_lambdas_ = false;
    bool changed_ = false;
    std::size_t attempts_ = 0;
};

}  // namespace warplens::instrumentation

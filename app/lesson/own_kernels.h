// Own kernels: the files of a teacher's own that the runs of a lesson name instead of a kernel of the
// catalogue. The lesson's parser has made their paths from the lesson's folder; each needs a header.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "instrumentation/catalog/kernel.h"

namespace warplens::app {

/// A file, and not a name of the catalogue.
bool is_own_kernel(const std::string& kernel);
/// "mine" of "course/mine.cu"; a name of the catalogue is its own title.
std::string kernel_title(const std::string& kernel);

class OwnKernels {
  public:
    /// The same object until the file is written again. The error names the file and what it needs.
    Result<std::shared_ptr<const instrumentation::KernelFile>> find(const std::string& path);

  private:
    struct Read {
        std::filesystem::file_time_type written;
        std::shared_ptr<const instrumentation::KernelFile> kernel;
    };
    std::map<std::string, Read> read_;
};

}  // namespace warplens::app

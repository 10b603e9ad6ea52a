// WholeFile: a file that exists under its name only once it is whole. It is written beside it under another
// name and renamed when kept; whatever goes wrong before leaves the folder as it was, an older file of that
// name included.
#pragma once

#include <cstddef>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>

#include "core/result.h"

namespace warplens {

class WholeFile {
  public:
    /// Errors, here and below, name the path and what the system said.
    static Result<WholeFile> create(std::string path);
    ~WholeFile();
    WholeFile(WholeFile&& other) noexcept;
    WholeFile& operator=(WholeFile&&) = delete;

    Status append(std::span<const std::byte> bytes);
    Status append(std::string_view text);
    /// Everything on the disk, then in one step under its name.
    Status keep();

  private:
    WholeFile(std::string path, std::string partial, std::FILE* file);

    std::string path_, partial_;
    std::FILE* file_;
    bool exists_ = true;  // the partial one
};

/// The whole file at once.
Status write_whole_file(const std::string& path, std::string_view bytes);

}  // namespace warplens

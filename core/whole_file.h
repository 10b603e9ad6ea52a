// WholeFile: a regular file that exists under its name only when it is complete. It is written in the same
// folder under another name and renamed when kept; an earlier error leaves the folder as it was, including an
// older file of that name. A symbolic link is followed and stays, and an older file's mode is kept.
// A device, a FIFO or standard output ("-") is written to directly.
#pragma once

#include <cstddef>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>

#include "core/leftovers.h"
#include "core/result.h"

namespace warplens {

/// "-", /dev/stdout and its other names.
bool is_standard_output(std::string_view path);
/// Standard output, or a device or FIFO that exists: nothing is renamed to it.
bool is_written_directly(const std::string& path);

class WholeFile {
  public:
    /// Errors, here and below, name the path and the system's message.
    static Result<WholeFile> create(std::string path);
    ~WholeFile();
    WholeFile(WholeFile&& other) noexcept;
    WholeFile& operator=(WholeFile&&) = delete;

    Status append(std::span<const std::byte> bytes);
    Status append(std::string_view text);
    /// Writes everything to the disk, then renames the file in one step.
    Status keep();

  private:
    WholeFile(std::string path, std::FILE* file) : path_(std::move(path)), file_(file) {}

    std::string path_;              // as given
    std::string target_, partial_;  // empty where the file is written to directly
    std::FILE* file_;
    Leftover leftover_;
};

/// The error that WholeFile::create would give, before anything is created: asked before a long run whose
/// result goes there.
Status can_be_written(const std::string& path);

/// The whole file at once.
Status write_whole_file(const std::string& path, std::string_view bytes);

/// The same for a file that the program keeps by itself: what lies there and is not a regular file is
/// refused, since to open a FIFO waits for a reader, and nobody asked for it.
Status write_regular_file(const std::string& path, std::string_view bytes);

}  // namespace warplens

// The user's own headers: what a source includes, directly or through them, as far as it lies beside the
// source or in a folder given with -I. Found by reading the #include lines alone, so that one inside #if
// counts too. What a toolkit or the compiler brings is left out. For watching files and for telling whether
// code compiled before is still right.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "instrumentation/host_code/preprocess.h"

namespace warplens::instrumentation {

/// A header that lies where it is searched for and cannot be read: a FIFO, a device, one without permission
/// or too large. A folder is passed over, as compilers do.
struct UnusableHeader {
    std::string name;    // as the #include writes it
    std::string reason;  // names the path
};

struct IncludedFiles {
    std::vector<std::string> paths;  // as found, in the order met, each once; readable regular files
    std::vector<std::string> names;  // of the same, as the #include writes them
    std::vector<UnusableHeader> unusable;
    /// False: what is included does not follow from these lines. A name is put together by macros, a line is
    /// written in an unusual way, __has_include asks what there is, or there are too many files.
    bool complete = true;
};

/// `path` is where the source lies or would lie; it needs not exist.
IncludedFiles find_included_files(const std::string& path, const std::string& source,
                                  const std::vector<std::string>& include_paths);

/// One #include line of the source itself, and what it brings: the file it names, then those after it, as
/// far as no line above has brought them.
struct IncludeLine {
    std::uint32_t line = 0;  // from 1
    std::vector<std::string> paths;
};
std::vector<IncludeLine> include_lines(const std::string& path, const std::string& source,
                                       const std::vector<std::string>& include_paths);

/// The source, and after it those files under the names that #include lines give them.
struct SourceFiles {
    std::vector<host_code::File> files;
    std::vector<UnusableHeader> unusable;
    bool complete = true;  // as in IncludedFiles
};
SourceFiles source_and_headers(const std::string& path, const std::string& source,
                               const std::vector<std::string>& include_paths);

/// Names and contents of those files as a short text that differs when any of them does. Empty when there are
/// none.
std::string fingerprint(const IncludedFiles& included);

}  // namespace warplens::instrumentation

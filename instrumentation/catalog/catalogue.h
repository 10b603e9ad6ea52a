// The catalogue: every kernel file of a folder, and where the program's own folders lie.
#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "instrumentation/catalog/kernel.h"

namespace warplens::instrumentation {

/// All .cu files of the folder that have a header, grouped by subject in the order of its curriculum.txt
/// (curriculum.h), without one by name. An unreadable kernel is an error that names it.
Result<std::vector<KernelFile>> read_catalogue(const std::string& folder);

/// A kernel of the catalogue by name; the error suggests the nearest name.
Result<const KernelFile*> find_kernel(const std::vector<KernelFile>& catalogue, const std::string& name);

/// The text of a .cu or .ptx file. Errors say what the path is instead, or why it cannot be read.
Result<std::string> read_kernel_text(const std::string& path);
/// The same, or the bytes of a .cubin file.
Result<std::string> read_kernel_source(const std::string& path);
/// Whether the file holds machine code, which is not text: a .cubin.
inline bool is_machine_code(const std::string& path) { return path.ends_with(".cubin"); }

/// Reads one .cu, .ptx or .cubin file, in or out of the catalogue.
Result<KernelFile> load_kernel_file(const std::string& path);

struct InstalledFolders {
    std::string kernels;
    std::string assets;
    std::string lessons;  // need not exist: the recorder comes without
};

/// $WARPLENS_HOME, else the nearest folder from the executable's upwards that holds kernels/ and assets/.
Result<InstalledFolders> installed_folders();

}  // namespace warplens::instrumentation

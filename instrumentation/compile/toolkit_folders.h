// Where a CUDA Toolkit may lie on this machine, best first: named by the environment, around nvcc on PATH, in
// the usual places, or spread over the system's own folders as a distribution packages it. Only folders that
// exist are named; nothing is loaded here.
#pragma once

#include <string>
#include <vector>

namespace warplens::instrumentation {

/// The roots of a search; what a machine has, unless a test says otherwise.
struct ToolkitPlaces {
    std::vector<std::string> named;  // $CUDA_HOME, $CUDA_PATH
    std::string path;                // $PATH
    std::vector<std::string> usual;  // /usr/local/cuda, /opt/cuda, /usr/local/cuda-13.0, …
    std::string system = "/usr";     // of a distribution's package

    static ToolkitPlaces of_this_machine();
};

/// Toolkit roots such as /usr/local/cuda-13.0, without duplicates; the system's is not among them.
std::vector<std::string> toolkit_roots(const ToolkitPlaces& places);

/// The first folder that holds cuda_fp16.h and cooperative_groups.h, with its cccl folder where it has one.
/// `beside_compiler`, where libnvrtc lies, is looked at first: its headers are of its own version. Empty when
/// there is none.
std::vector<std::string> toolkit_include_folders(const ToolkitPlaces& places,
                                                 const std::string& beside_compiler);

/// A program of the toolkit such as "ptxas"; empty when there is none.
std::string toolkit_program(const ToolkitPlaces& places, const std::string& name);

}  // namespace warplens::instrumentation

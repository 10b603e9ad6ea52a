// EarlierLaunch: a launch that the program makes before the one that is shown and that may have written what
// its buffers hold. It is run before it (app/pipeline/earlier_runs.h), and what it leaves in the buffers
// takes the place of a guess.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace warplens::instrumentation {

struct KernelFile;
struct EarlierLaunch;

/// What a buffer holds, of which a launch has written some.
struct WrittenContents {
    std::shared_ptr<const EarlierLaunch> by;  // the last one
    std::string buffer;                       // of that launch
    std::uint64_t offset = 0;                 // in it, bytes
    /// Parameters of that launch, and those of this one that are the same number of the program.
    std::map<std::string, std::string> same = {};
};
bool operator==(const WrittenContents& a, const WrittenContents& b);

struct EarlierLaunch {
    std::size_t number = 0;                    // in the program's order
    std::string name;                          // "kernel `scan` in line 30"
    std::string key;                           // equal ones compute the same
    std::shared_ptr<const KernelFile> kernel;  // its buffers say in turn what was written before it
    std::vector<std::string> guesses;          // that it reads, directly or through launches before it
    bool random = false;  // it reads random numbers of the program's range, which are not the program's own
};

}  // namespace warplens::instrumentation

// Libraries whose algorithms the host computes here, where on a GPU they would launch kernels: Warplens is
// told of each, once, so that a list of the program's kernels can say what is not in it.
#pragma once

#include <mutex>
#include <set>
#include <string>

#include "arena.h"
#include "json_text.h"
#include "parent.h"

namespace warplens_program {

/// Within an algorithm of a library that is built on another one.
inline thread_local int inside_library = 0;

/// Must stay alive while the library's algorithm runs.
class LibraryCall {
  public:
    explicit LibraryCall(const char* name) {
        if (inside_library++ == 0) tell(name);
    }
    ~LibraryCall() { --inside_library; }
    LibraryCall(const LibraryCall&) = delete;
    LibraryCall& operator=(const LibraryCall&) = delete;

  private:
    static void tell(const char* name) {
        static std::mutex& mutex = *new std::mutex;
        static std::set<std::string>& told = *new std::set<std::string>;
        const std::lock_guard<std::mutex> lock(mutex);
        if (!Arena::instance().shared() || !told.insert(name).second) return;
        std::string line = "{\"library\":";
        append_json_text(line, name);
        Parent::instance().ask(line + "}");
    }
};

}  // namespace warplens_program

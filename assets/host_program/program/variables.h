// Variables: those variables of the device that host code filled with cudaMemcpyToSymbol, for the line of a
// launch.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "initializer_text.h"

namespace warplens_program {

class Variables {
  public:
    static Variables& instance() {
        static Variables& variables = *new Variables;  // stays until the end, for destructors of the program
        return variables;
    }

    /// Remembers a variable under the name that the host code writes. Its contents are read at each launch.
    template <class Variable>
    void add(const std::string& name, const Variable& variable) {
        const std::lock_guard<std::mutex> lock(mutex_);
        variables_[name] = {&variable, [](const void* address) {
                                return initializer_text(*static_cast<const Variable*>(address));
                            }};
    }

    /// A variable whose type is not known where it is filled, as in cudaMemcpyToSymbol((void*)&x, …).
    void add_without_type(const std::string& name, const void* address) {
        const std::lock_guard<std::mutex> lock(mutex_);
        variables_[name] = {address, [](const void*) { return std::string(); }};
    }

    /// Calls visit(name, initializer) for each variable.
    template <class Visit>
    void for_each(Visit&& visit) {
        const std::lock_guard<std::mutex> lock(mutex_);
        for (const auto& entry : variables_) visit(entry.first, entry.second.text(entry.second.address));
    }

  private:
    struct Variable {
        const void* address;
        std::string (*text)(const void*);
    };
    std::mutex mutex_;
    std::map<std::string, Variable> variables_;
};

}  // namespace warplens_program

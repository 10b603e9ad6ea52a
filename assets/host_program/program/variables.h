// Variables: those variables of the device that host code reads or writes. Each has its memory in the arena,
// where Warplens leaves what kernels store in it.
#pragma once

#include <cstddef>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

#include "arena.h"
#include "initializer_text.h"
#include "json_text.h"
#include "parent.h"

namespace warplens_program {

class Variables {
  public:
    static Variables& instance() {
        static Variables& variables = *new Variables;  // stays until the end, for destructors of the program
        return variables;
    }

    /// The memory of a variable under the name that the host code writes; null when there is no room.
    template <class Variable>
    char* memory_of(const std::string& name, const Variable& variable) {
        return memory_of(name, &variable, sizeof variable, [](const void* address) {
            return initializer_text(*static_cast<const Variable*>(address));
        });
    }

    /// Of a variable whose type is not known where it is used, as in cudaMemcpyToSymbol((void*)&x, …), of
    /// which `bytes` are used.
    char* memory_of(const std::string& name, const void* address, std::size_t bytes) {
        return memory_of(name, address, bytes, [](const void*) { return std::string(); });
    }

    /// A variable that the host uses as one of its own, __managed__.
    template <class Variable>
    bool manage(const std::string& name, Variable& variable) {
        char* const memory = memory_of(name, variable);
        const std::lock_guard<std::mutex> lock(mutex_);
        variables_[name].managed = memory == nullptr ? nullptr : &variable;
        return true;
    }

    /// Before and after a launch: the host's own copy of managed variables.
    void copy_managed(bool to_device) {
        const std::lock_guard<std::mutex> lock(mutex_);
        for (auto& entry : variables_) {
            const Variable& variable = entry.second;
            if (variable.managed == nullptr) continue;
            if (to_device) std::memcpy(variable.memory, variable.managed, variable.bytes);
            else std::memcpy(variable.managed, variable.memory, variable.bytes);
        }
    }

    /// Calls visit(name, offset in the arena, bytes, initializer) for each variable.
    template <class Visit>
    void for_each(Visit&& visit) {
        constexpr std::size_t most_bytes_as_text = 65536;
        const std::lock_guard<std::mutex> lock(mutex_);
        for (const auto& entry : variables_) {
            const Variable& variable = entry.second;
            if (variable.memory == nullptr) continue;
            const bool is_long = variable.bytes > most_bytes_as_text;
            visit(entry.first, reinterpret_cast<std::uintptr_t>(variable.memory) - Arena::instance().base(),
                  variable.bytes, is_long ? std::string() : variable.text(variable.memory));
        }
    }

  private:
    using Text = std::string (*)(const void*);
    struct Variable {
        char* memory = nullptr;
        std::size_t bytes = 0;
        Text text = nullptr;
        void* managed = nullptr;
    };

    char* memory_of(const std::string& name, const void* address, std::size_t bytes, Text text) {
        const std::lock_guard<std::mutex> lock(mutex_);
        Variable& variable = variables_[name];
        if (variable.memory != nullptr && bytes <= variable.bytes) return variable.memory;
        char* const memory = static_cast<char*>(Arena::instance().allocate(bytes, MemoryKind::device));
        if (memory == nullptr) return nullptr;
        Arena::instance().name(memory, "variable " + name);
        Arena::instance().mark_filled(memory);
        std::memcpy(memory, address, bytes);
        if (variable.memory != nullptr) std::memcpy(memory, variable.memory, variable.bytes);
        else ask_for_contents(name, memory, bytes);
        variable = {memory, bytes, text, nullptr};
        return memory;
    }

    /// A kernel may have stored in it before the host uses it: Warplens then puts that into the memory.
    static void ask_for_contents(const std::string& name, const char* memory, std::size_t bytes) {
        Arena& arena = Arena::instance();
        if (!arena.shared()) return;
        std::string line = "{\"variable\":";
        append_json_text(line, name);
        line += ",\"offset\":" + std::to_string(reinterpret_cast<std::uintptr_t>(memory) - arena.base()) +
                ",\"bytes\":" + std::to_string(bytes) + "}";
        Parent::instance().ask(line);
    }

    std::mutex mutex_;
    std::map<std::string, Variable> variables_;
};

}  // namespace warplens_program

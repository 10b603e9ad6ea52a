// cudaMemcpyToSymbol and its siblings. They are macros, so that the name of the variable is known.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

#include "../program/expression_name.h"
#include "../program/launch.h"
#include "../program/variables.h"
#include "copies.h"

namespace warplens_program {

/// The variable that an argument stands for: the one itself, or as in earlier versions of CUDA its address.
template <class Visit, class Symbol>
cudaError_t with_variable(Symbol&& symbol, Visit&& visit) {
    using Plain = std::remove_reference_t<Symbol>;
    if constexpr (std::is_lvalue_reference_v<Symbol>) {
        // A text instead of a variable: the name of a variable, which CUDA no longer takes.
        if constexpr (std::is_array_v<Plain> && std::is_same_v<std::remove_extent_t<Plain>, const char>)
            return ended(cudaErrorInvalidSymbol);
        else return visit(symbol);
    } else if constexpr (std::is_pointer_v<Plain>) {
        if constexpr (std::is_void_v<std::remove_pointer_t<Plain>>) return visit(symbol, 0);
        else return visit(*symbol);
    } else {
        return ended(cudaErrorInvalidSymbol);
    }
}

/// Where `bytes` of a variable lie, `offset` bytes from its beginning.
struct SymbolMemory {
    char* address = nullptr;
    cudaError_t error = cudaSuccess;  // with null
};
template <class Variable>
SymbolMemory memory_of_symbol(const std::string& name, std::size_t offset, std::size_t bytes,
                              const Variable& variable) {
    if (offset > sizeof variable || bytes > sizeof variable - offset) return {nullptr, cudaErrorInvalidValue};
    char* const memory = Variables::instance().memory_of(name, variable);
    if (memory == nullptr) return {nullptr, cudaErrorMemoryAllocation};
    return {memory + offset, cudaSuccess};
}
/// Of a variable whose type is not known.
inline SymbolMemory memory_of_symbol(const std::string& name, std::size_t offset, std::size_t bytes,
                                     const void* variable, int) {
    char* const memory = Variables::instance().memory_of(name, variable, offset + bytes);
    if (memory == nullptr) return {nullptr, cudaErrorMemoryAllocation};
    return {memory + offset, cudaSuccess};
}

/// The name in the second of a call's arguments.
inline std::string name_of_second(const char* arguments) {
    const std::string all = without_spaces_around(arguments);
    const std::size_t first = first_argument(all).size();
    const std::size_t comma = all.find(',', first);
    return comma == std::string::npos ? std::string() : expression_name(all.c_str() + comma + 1);
}

template <class Symbol>
cudaError_t copy_to_symbol(const char* arguments, Symbol&& symbol, const void* from, std::size_t bytes,
                           std::size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                           cudaStream_t = nullptr) {
    if (sticky_error != cudaSuccess) return ended(cudaSuccess);
    if (from == nullptr || (kind == cudaMemcpyHostToDevice && !is_side_of_copy(from, bytes, false)) ||
        (kind == cudaMemcpyDeviceToDevice && !is_side_of_copy(from, bytes, true)))
        return ended(cudaErrorInvalidValue);
    const auto copy = [&](auto& variable, auto... without_type) {
        const SymbolMemory memory =
            memory_of_symbol(expression_name(arguments), offset, bytes, variable, without_type...);
        if (memory.address == nullptr) return ended(memory.error);
        std::memmove(memory.address, from, bytes);
        return ended(cudaSuccess);
    };
    return with_variable(std::forward<Symbol>(symbol), copy);
}

template <class Symbol>
cudaError_t copy_from_symbol(const char* arguments, void* to, Symbol&& symbol, std::size_t bytes,
                             std::size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                             cudaStream_t = nullptr) {
    if (sticky_error != cudaSuccess) return ended(cudaSuccess);
    if (to == nullptr || !is_side_of_copy(to, bytes, kind == cudaMemcpyDeviceToDevice))
        return ended(cudaErrorInvalidValue);
    const auto copy = [&](auto& variable, auto... without_type) {
        const SymbolMemory memory =
            memory_of_symbol(name_of_second(arguments), offset, bytes, variable, without_type...);
        if (memory.address == nullptr) return ended(memory.error);
        std::memmove(to, memory.address, bytes);
        Arena::instance().mark_filled(to);
        return ended(cudaSuccess);
    };
    return with_variable(std::forward<Symbol>(symbol), copy);
}

/// The pointer is one into the variable's memory, for copies, and for kernels that do not use the variable.
template <class Pointer, class Symbol>
cudaError_t address_of_symbol(const char* arguments, Pointer** pointer, Symbol&& symbol) {
    if (pointer == nullptr) return ended(cudaErrorInvalidValue);
    const auto find = [&](auto& variable, auto... without_type) {
        const SymbolMemory memory =
            memory_of_symbol(name_of_second(arguments), 0, 0, variable, without_type...);
        *pointer = reinterpret_cast<Pointer*>(memory.address);
        return ended(memory.error);
    };
    return with_variable(std::forward<Symbol>(symbol), find);
}

}  // namespace warplens_program

// Through another macro, so that the name is the variable's where the host code has a macro for it.
#define WARPLENS_TEXT(...) #__VA_ARGS__
#define cudaMemcpyToSymbol(...) warplens_program::copy_to_symbol(WARPLENS_TEXT(__VA_ARGS__), __VA_ARGS__)
#define cudaMemcpyToSymbolAsync(...) warplens_program::copy_to_symbol(WARPLENS_TEXT(__VA_ARGS__), __VA_ARGS__)
#define cudaMemcpyFromSymbol(...) warplens_program::copy_from_symbol(WARPLENS_TEXT(__VA_ARGS__), __VA_ARGS__)
#define cudaMemcpyFromSymbolAsync(...) \
    warplens_program::copy_from_symbol(WARPLENS_TEXT(__VA_ARGS__), __VA_ARGS__)

#define cudaGetSymbolAddress(...) warplens_program::address_of_symbol(WARPLENS_TEXT(__VA_ARGS__), __VA_ARGS__)

template <class Symbol>
cudaError_t cudaGetSymbolSize(std::size_t* bytes, const Symbol&) {
    *bytes = sizeof(Symbol);
    return warplens_program::ended(cudaSuccess);
}

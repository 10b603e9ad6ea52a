// cudaMemcpyToSymbol and its siblings. They are macros, so that the name of the variable is known.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstring>
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

template <class Symbol>
cudaError_t copy_to_symbol(const char* arguments, Symbol&& symbol, const void* from, std::size_t bytes,
                           std::size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                           cudaStream_t = nullptr) {
    if (sticky_error != cudaSuccess) return ended(cudaSuccess);
    if (from == nullptr || (kind == cudaMemcpyHostToDevice && !is_side_of_copy(from, bytes, false)) ||
        (kind == cudaMemcpyDeviceToDevice && !is_side_of_copy(from, bytes, true)))
        return ended(cudaErrorInvalidValue);
    const auto copy = [&](auto& variable, auto... without_type) {
        using Variable = std::remove_reference_t<decltype(variable)>;
        const std::string name = expression_name(arguments);
        char* to = nullptr;
        if constexpr (sizeof...(without_type) != 0) {
            to = static_cast<char*>(const_cast<void*>(static_cast<const void*>(variable)));
            Variables::instance().add_without_type(name, to);
        } else {
            if (offset > sizeof(Variable) || bytes > sizeof(Variable) - offset)
                return ended(cudaErrorInvalidValue);
            to = reinterpret_cast<char*>(const_cast<std::remove_cv_t<Variable>*>(&variable));
            Variables::instance().add(name, variable);
        }
        std::memcpy(to + offset, from, bytes);
        return ended(cudaSuccess);
    };
    return with_variable(std::forward<Symbol>(symbol), copy);
}

/// A kernel stores in its own copy of a variable, which is not read back: after a launch the call fails, and
/// says why, instead of giving a value that may be old.
template <class Symbol>
cudaError_t copy_from_symbol(const char* arguments, void* to, Symbol&& symbol, std::size_t bytes,
                             std::size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                             cudaStream_t = nullptr) {
    if (sticky_error != cudaSuccess) return ended(cudaSuccess);
    if (to == nullptr || !is_side_of_copy(to, bytes, kind == cudaMemcpyDeviceToDevice))
        return ended(cudaErrorInvalidValue);
    if (launches_reached) {
        const std::string symbol_name = expression_name(arguments + first_argument(arguments).size() + 1);
        std::fprintf(stderr, "cudaMemcpyFromSymbol(%s): what a kernel stored there is not read back.\n",
                     symbol_name.c_str());
        return ended(cudaErrorNotSupported);
    }
    const auto copy = [&](auto& variable, auto... without_type) {
        using Variable = std::remove_reference_t<decltype(variable)>;
        const char* from = nullptr;
        if constexpr (sizeof...(without_type) != 0) {
            from = static_cast<const char*>(static_cast<const void*>(variable));
        } else {
            if (offset > sizeof(Variable) || bytes > sizeof(Variable) - offset)
                return ended(cudaErrorInvalidValue);
            from = reinterpret_cast<const char*>(&variable);
        }
        std::memcpy(to, from + offset, bytes);
        Arena::instance().mark_filled(to);
        return ended(cudaSuccess);
    };
    return with_variable(std::forward<Symbol>(symbol), copy);
}

}  // namespace warplens_program

// Through another macro, so that the name is the variable's where the host code has a macro for it.
#define WARPLENS_TEXT(...) #__VA_ARGS__
#define cudaMemcpyToSymbol(...) warplens_program::copy_to_symbol(WARPLENS_TEXT(__VA_ARGS__), __VA_ARGS__)
#define cudaMemcpyToSymbolAsync(...) warplens_program::copy_to_symbol(WARPLENS_TEXT(__VA_ARGS__), __VA_ARGS__)
#define cudaMemcpyFromSymbol(...) warplens_program::copy_from_symbol(WARPLENS_TEXT(__VA_ARGS__), __VA_ARGS__)
#define cudaMemcpyFromSymbolAsync(...) \
    warplens_program::copy_from_symbol(WARPLENS_TEXT(__VA_ARGS__), __VA_ARGS__)

/// A variable of a kernel has no address that host code could pass on.
template <class Symbol>
cudaError_t cudaGetSymbolAddress(void** pointer, const Symbol&) {
    if (pointer != nullptr) *pointer = nullptr;
    std::fprintf(stderr, "cudaGetSymbolAddress is not supported.\n");
    return warplens_program::ended(cudaErrorNotSupported);
}
template <class Symbol>
cudaError_t cudaGetSymbolSize(std::size_t* bytes, const Symbol&) {
    *bytes = sizeof(Symbol);
    return warplens_program::ended(cudaSuccess);
}

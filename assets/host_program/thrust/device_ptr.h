// thrust::device_ptr: a pointer into the memory of the device, which host code reads and writes here. What
// thrust's headers in this folder compute, the host computes with the standard library. The results are
// those of thrust; sums of floating point numbers may differ in their rounding. On a GPU thrust would launch
// kernels for this. Those launches are not shown.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>

#include "../cuda_runtime.h"
#include "../program/iterator_base.h"

namespace thrust {

template <class Type>
class device_ptr : public warplens_program::IteratorBase<device_ptr<Type>, std::remove_cv_t<Type>, Type&> {
  public:
    using element_type = Type;
    using pointer = device_ptr;

    device_ptr() = default;
    device_ptr(std::nullptr_t) {}
    device_ptr(Type* pointer) : pointer_(pointer) {}
    template <class Other, class = std::enable_if_t<std::is_convertible_v<Other*, Type*>>>
    device_ptr(const device_ptr<Other>& other) : pointer_(other.get()) {}

    Type* get() const { return pointer_; }
    Type* operator->() const { return &dereference(); }
    explicit operator bool() const { return pointer_ != nullptr; }

    /// Host code that reaches an element may store it, so that the memory counts as filled.
    Type& dereference() const {
        if constexpr (!std::is_const_v<Type>) warplens_program::Arena::instance().mark_filled(pointer_);
        return *pointer_;
    }
    void advance(std::ptrdiff_t count) { pointer_ += count; }
    std::ptrdiff_t distance_to(const device_ptr& other) const { return other.pointer_ - pointer_; }

  private:
    Type* pointer_ = nullptr;
};

/// Memory without a type only has its address.
template <>
class device_ptr<void> {
  public:
    device_ptr(void* pointer = nullptr) : pointer_(pointer) {}
    template <class Other>
    device_ptr(const device_ptr<Other>& other) : pointer_(other.get()) {}
    void* get() const { return pointer_; }

  private:
    void* pointer_;
};

template <class Type>
using device_reference = Type&;

template <class Type>
device_ptr<Type> device_pointer_cast(Type* pointer) {
    return pointer;
}
template <class Type>
device_ptr<Type> device_pointer_cast(const device_ptr<Type>& pointer) {
    return pointer;
}

template <class Type>
Type* raw_pointer_cast(Type* pointer) {
    return pointer;
}
template <class Type>
Type* raw_pointer_cast(const device_ptr<Type>& pointer) {
    return pointer.get();
}
template <class Type>
Type& raw_reference_cast(Type& reference) {
    return reference;
}

/// As raw_pointer_cast, and gives memory without a name that of the expression: "keys.data()" is keys.
template <class Pointer>
auto named_raw_pointer(const char* expression, const Pointer& pointer) {
    std::string name = warplens_program::expression_name(expression);
    for (const char* end : {".data()", "->data()", ".begin()", "->begin()", "["})
        name = name.substr(0, name.find(end));
    if (!name.empty() && name[0] == '*') name.erase(0, 1);
    auto* raw = raw_pointer_cast(pointer);
    warplens_program::Arena::instance().name_unnamed(raw, name);
    return raw;
}

}  // namespace thrust

#define raw_pointer_cast(...) named_raw_pointer(#__VA_ARGS__, __VA_ARGS__)

// The vector behind thrust's vectors. Its elements lie side by side, also those of type bool.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace warplens_program {

/// Memory allocates and releases bytes; Memory::iterator<Type> points to elements.
template <class Type, class Memory>
class BasicVector {
  public:
    using value_type = Type;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    using reference = Type&;
    using const_reference = const Type&;
    using iterator = typename Memory::template iterator<Type>;
    using const_iterator = typename Memory::template iterator<const Type>;
    using pointer = iterator;
    using const_pointer = const_iterator;
    using reverse_iterator = std::reverse_iterator<iterator>;
    using const_reverse_iterator = std::reverse_iterator<const_iterator>;

    BasicVector() = default;
    explicit BasicVector(size_type count) { resize(count); }
    BasicVector(size_type count, const Type& value) { resize(count, value); }
    template <class Input, class = typename std::iterator_traits<Input>::iterator_category>
    BasicVector(Input first, Input last) {
        assign(first, last);
    }
    BasicVector(std::initializer_list<Type> values) { assign(values.begin(), values.end()); }
    template <class Other, class OtherMemory>
    BasicVector(const BasicVector<Other, OtherMemory>& other) {
        copy_from(other.elements(), other.size());
    }
    template <class Other, class Allocator>
    BasicVector(const std::vector<Other, Allocator>& other) {
        assign(other.begin(), other.end());
    }
    BasicVector(const BasicVector& other) { copy_from(other.elements_, other.size_); }
    BasicVector(BasicVector&& other) noexcept { swap(other); }
    ~BasicVector() {
        clear();
        Memory::release(elements_);
    }

    BasicVector& operator=(const BasicVector& other) {
        if (this != &other) copy_from(other.elements_, other.size_);
        return *this;
    }
    BasicVector& operator=(BasicVector&& other) noexcept {
        swap(other);
        return *this;
    }
    BasicVector& operator=(std::initializer_list<Type> values) {
        assign(values.begin(), values.end());
        return *this;
    }
    template <class Other, class OtherMemory>
    BasicVector& operator=(const BasicVector<Other, OtherMemory>& other) {
        copy_from(other.elements(), other.size());
        return *this;
    }
    template <class Other, class Allocator>
    BasicVector& operator=(const std::vector<Other, Allocator>& other) {
        assign(other.begin(), other.end());
        return *this;
    }

    size_type size() const { return size_; }
    size_type capacity() const { return capacity_; }
    bool empty() const { return size_ == 0; }
    static size_type max_size() { return static_cast<size_type>(-1) / sizeof(Type) / 2; }

    /// The elements as host code reads and writes them.
    Type* elements() { return elements_; }
    const Type* elements() const { return elements_; }
    pointer data() { return pointer(elements_); }
    const_pointer data() const { return const_pointer(elements_); }

    iterator begin() { return iterator(elements_); }
    iterator end() { return iterator(elements_ + size_); }
    const_iterator begin() const { return const_iterator(elements_); }
    const_iterator end() const { return const_iterator(elements_ + size_); }
    const_iterator cbegin() const { return begin(); }
    const_iterator cend() const { return end(); }
    reverse_iterator rbegin() { return reverse_iterator(end()); }
    reverse_iterator rend() { return reverse_iterator(begin()); }
    const_reverse_iterator rbegin() const { return const_reverse_iterator(end()); }
    const_reverse_iterator rend() const { return const_reverse_iterator(begin()); }

    reference operator[](size_type index) { return elements_[index]; }
    const_reference operator[](size_type index) const { return elements_[index]; }
    reference front() { return elements_[0]; }
    const_reference front() const { return elements_[0]; }
    reference back() { return elements_[size_ - 1]; }
    const_reference back() const { return elements_[size_ - 1]; }

    void reserve(size_type count) {
        if (count > capacity_) move_to(count);
    }
    void shrink_to_fit() {
        if (capacity_ > size_) move_to(size_);
    }
    void clear() { destroy_from(0); }
    void resize(size_type count) {
        grow_for(count);
        destroy_from(count);
        std::uninitialized_value_construct(elements_ + size_, elements_ + count);
        size_ = count;
    }
    void resize(size_type count, const Type& value) {
        const Type copy = value;  // the value may be an element that moves
        grow_for(count);
        destroy_from(count);
        std::uninitialized_fill(elements_ + size_, elements_ + count, copy);
        size_ = count;
    }
    void push_back(const Type& value) { resize(size_ + 1, value); }
    template <class... Arguments>
    reference emplace_back(Arguments&&... arguments) {
        push_back(Type(std::forward<Arguments>(arguments)...));
        return back();
    }
    void pop_back() { destroy_from(size_ - 1); }

    void assign(size_type count, const Type& value) {
        const Type copy = value;
        clear();
        resize(count, copy);
    }
    template <class Input, class = typename std::iterator_traits<Input>::iterator_category>
    void assign(Input first, Input last) {
        std::vector<Type> values;  // the range may lie within this vector
        for (; first != last; ++first) values.push_back(static_cast<Type>(*first));
        clear();
        insert_values(0, values);
    }
    template <class Input, class = typename std::iterator_traits<Input>::iterator_category>
    void insert(iterator at, Input first, Input last) {
        std::vector<Type> values;
        for (; first != last; ++first) values.push_back(static_cast<Type>(*first));
        insert_values(static_cast<size_type>(at - begin()), values);
    }
    iterator insert(iterator at, const Type& value) {
        const auto index = at - begin();
        insert_values(static_cast<size_type>(index), std::vector<Type>(1, value));
        return begin() + index;
    }
    iterator erase(iterator first, iterator last) {
        Type* to = elements_ + (first - begin());
        for (Type* from = elements_ + (last - begin()); from != elements_ + size_; ++from, ++to)
            *to = std::move(*from);
        destroy_from(static_cast<size_type>(to - elements_));
        return first;
    }
    iterator erase(iterator at) { return erase(at, at + 1); }

    void swap(BasicVector& other) noexcept {
        std::swap(elements_, other.elements_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }

  private:
    /// For elements that do not lie within this vector.
    template <class Other>
    void copy_from(const Other* elements, size_type count) {
        clear();
        grow_for(count);
        for (; size_ < count; ++size_) new (elements_ + size_) Type(static_cast<Type>(elements[size_]));
    }
    void grow_for(size_type count) {
        if (count > capacity_) move_to(count > 2 * capacity_ ? count : 2 * capacity_);
    }
    void move_to(size_type capacity) {
        if (capacity > max_size()) throw std::bad_alloc();
        Type* moved = static_cast<Type*>(Memory::allocate(capacity * sizeof(Type)));
        std::uninitialized_move(elements_, elements_ + size_, moved);
        std::destroy(elements_, elements_ + size_);
        Memory::release(elements_);
        elements_ = moved;
        capacity_ = capacity;
    }
    void destroy_from(size_type count) {
        if (count >= size_) return;
        std::destroy(elements_ + count, elements_ + size_);
        size_ = count;
    }
    void insert_values(size_type index, const std::vector<Type>& values) {
        grow_for(size_ + values.size());
        for (const Type& value : values) new (elements_ + size_++) Type(value);
        rotate_to(index, size_ - values.size());
    }
    /// Brings the elements from `middle` on before those from `first` on.
    void rotate_to(size_type first, size_type middle) {
        const std::vector<Type> before(elements_ + first, elements_ + middle);
        size_type to = first;
        for (size_type from = middle; from < size_; ++from, ++to) elements_[to] = std::move(elements_[from]);
        for (const Type& value : before) elements_[to++] = value;
    }

    Type* elements_ = nullptr;
    size_type size_ = 0, capacity_ = 0;
};

template <class A, class MemoryA, class B, class MemoryB>
bool operator==(const BasicVector<A, MemoryA>& a, const BasicVector<B, MemoryB>& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!(a[i] == b[i])) return false;
    return true;
}
template <class A, class MemoryA, class B, class MemoryB>
bool operator!=(const BasicVector<A, MemoryA>& a, const BasicVector<B, MemoryB>& b) {
    return !(a == b);
}

}  // namespace warplens_program

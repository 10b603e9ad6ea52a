// The operators of a random access iterator, made from three functions of the class that derives from this:
// dereference(), advance(count) and distance_to(other).
#pragma once

#include <cstddef>
#include <iterator>

namespace warplens_program {

template <class Derived, class Value, class Reference>
class IteratorBase {
  public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = Value;
    using difference_type = std::ptrdiff_t;
    using reference = Reference;
    using pointer = void;

    Reference operator*() const { return self().dereference(); }
    Reference operator[](difference_type index) const { return *(self() + index); }

    Derived& operator+=(difference_type count) {
        self().advance(count);
        return self();
    }
    Derived& operator-=(difference_type count) { return *this += -count; }
    Derived& operator++() { return *this += 1; }
    Derived& operator--() { return *this += -1; }
    Derived operator++(int) {
        const Derived before = self();
        ++*this;
        return before;
    }
    Derived operator--(int) {
        const Derived before = self();
        --*this;
        return before;
    }

    friend Derived operator+(Derived iterator, difference_type count) { return iterator += count; }
    friend Derived operator+(difference_type count, Derived iterator) { return iterator += count; }
    friend Derived operator-(Derived iterator, difference_type count) { return iterator -= count; }
    friend difference_type operator-(const Derived& a, const Derived& b) { return b.distance_to(a); }
    friend bool operator==(const Derived& a, const Derived& b) { return a - b == 0; }
    friend bool operator!=(const Derived& a, const Derived& b) { return a - b != 0; }
    friend bool operator<(const Derived& a, const Derived& b) { return a - b < 0; }
    friend bool operator>(const Derived& a, const Derived& b) { return a - b > 0; }
    friend bool operator<=(const Derived& a, const Derived& b) { return a - b <= 0; }
    friend bool operator>=(const Derived& a, const Derived& b) { return a - b >= 0; }

  private:
    const Derived& self() const { return static_cast<const Derived&>(*this); }
    Derived& self() { return static_cast<Derived&>(*this); }
};

}  // namespace warplens_program

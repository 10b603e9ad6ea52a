// thrust::sequence.
#pragma once

#include "tabulate.h"

namespace thrust {

template <class Output, class Type>
void sequence(Output first, Output last, Type init, Type step) {
    using Value = warplens_program::ValueOf<Output>;
    thrust::tabulate(first, last, [init, step](std::ptrdiff_t index) {
        return static_cast<Value>(init + step * static_cast<Type>(index));
    });
}
template <class Output, class Type>
void sequence(Output first, Output last, Type init) {
    thrust::sequence(first, last, init, Type(1));
}
template <class Output>
void sequence(Output first, Output last) {
    thrust::sequence(first, last, warplens_program::ValueOf<Output>(0));
}
WARPLENS_TAKES_POLICY(sequence)

}  // namespace thrust

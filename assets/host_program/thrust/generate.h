// thrust::generate and generate_n.
#pragma once

#include <algorithm>

#include "../program/written.h"
#include "execution_policy.h"

namespace thrust {

template <class Output, class Generator>
void generate(Output first, Output last, Generator generator) {
    using namespace warplens_program;
    std::generate(raw(first), raw(last), generator);
    written(first, raw(last));
}
template <class Output, class Count, class Generator>
Output generate_n(Output first, Count count, Generator generator) {
    using namespace warplens_program;
    return written(first, std::generate_n(raw(first), count, generator));
}
WARPLENS_TAKES_POLICY(generate)
WARPLENS_TAKES_POLICY(generate_n)

}  // namespace thrust

// Lambdas for the device: the name of a kernel that gets one says in which line it stands.
#pragma once

#include <utility>

namespace warplens_program {

template <int Line, class Lambda>
struct LambdaAt : Lambda {
    using Lambda::operator();
};

template <int Line, class Lambda>
LambdaAt<Line, Lambda> lambda_at(Lambda lambda) {
    return {std::move(lambda)};
}

}  // namespace warplens_program

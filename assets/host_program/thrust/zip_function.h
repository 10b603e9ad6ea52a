// thrust::zip_function: calls a function with the elements of a tuple.
#pragma once

#include <tuple>

namespace thrust {

template <class Function>
class zip_function {
  public:
    zip_function(Function function) : function_(function) {}
    template <class Tuple>
    decltype(auto) operator()(Tuple&& elements) const {
        return std::apply(function_, elements);
    }

  private:
    mutable Function function_;  // its call need not be const
};

template <class Function>
zip_function<Function> make_zip_function(Function function) {
    return zip_function<Function>(function);
}

}  // namespace thrust

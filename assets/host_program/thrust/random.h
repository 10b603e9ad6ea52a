// thrust's random numbers. Engines and uniform distributions give thrust's own numbers. The normal
// distribution is right, but its numbers are those of the standard library.
#pragma once

#include <limits>
#include <random>

namespace thrust {
namespace random {

using minstd_rand0 = std::minstd_rand0;
using minstd_rand = std::minstd_rand;
using default_random_engine = minstd_rand;
using ranlux24_base = std::ranlux24_base;
using ranlux48_base = std::ranlux48_base;
using ranlux24 = std::ranlux24;
using ranlux48 = std::ranlux48;
using std::normal_distribution;

/// One number of the engine, scaled to the range from a up to and without b.
template <class Real = double>
class uniform_real_distribution {
  public:
    using result_type = Real;
    explicit uniform_real_distribution(Real a = 0, Real b = 1) : a_(a), b_(b) {}
    template <class Engine>
    Real operator()(Engine& engine) {
        const Real scaled = static_cast<Real>(engine() - Engine::min()) /
                            (Real(1) + static_cast<Real>(Engine::max() - Engine::min()));
        return scaled * (b_ - a_) + a_;
    }
    void reset() {}
    Real a() const { return a_; }
    Real b() const { return b_; }
    Real min() const { return a_; }
    Real max() const { return b_; }

  private:
    Real a_, b_;
};

/// One number of the engine, scaled to the integers from a to b.
template <class Integer = int>
class uniform_int_distribution {
  public:
    using result_type = Integer;
    explicit uniform_int_distribution(Integer a = 0, Integer b = std::numeric_limits<Integer>::max())
        : a_(a), b_(b) {}
    template <class Engine>
    Integer operator()(Engine& engine) {
        uniform_real_distribution<double> real(static_cast<double>(a_), static_cast<double>(b_) + 1);
        return static_cast<Integer>(real(engine));
    }
    void reset() {}
    Integer a() const { return a_; }
    Integer b() const { return b_; }
    Integer min() const { return a_; }
    Integer max() const { return b_; }

  private:
    Integer a_, b_;
};

}  // namespace random

using namespace random;

}  // namespace thrust

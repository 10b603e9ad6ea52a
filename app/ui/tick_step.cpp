#include "app/ui/tick_step.h"

#include <algorithm>
#include <cmath>

namespace warplens::app {

double tick_step(double length, float width, float room) {
    const double least = std::max(1.0, length * static_cast<double>(room / std::max(width, 1.0f)));
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (power * factor >= least) return power * factor;
    return 10 * power;
}

}  // namespace warplens::app

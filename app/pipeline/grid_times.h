// GridTimes: how long grids of a launch take, each modelled once. A knob that distributes the work over
// streams otherwise leaves code, arguments and buffers as they are, and modelling a grid takes longer than
// everything else of a picture.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "core/launch.h"
#include "core/result.h"

namespace warplens::app {

struct LoadedLaunch;

class GridTimes {
  public:
    /// Names what a grid's time follows from but its geometry: code, GPU, arguments and the buffers' bytes.
    /// Empty where that cannot be named: its times hold for this launch alone.
    static std::string key_of(const LoadedLaunch& launch);

    /// In µs: what `model` returned for the same key and geometry before, else what it returns now. An error
    /// is not remembered. May be called from several threads at once.
    Result<double> time_of(const std::string& key, const LaunchGeometry& geometry,
                           const std::function<Result<double>()>& model);

  private:
    std::mutex mutex_;
    std::map<std::string, double> known_;
};

}  // namespace warplens::app

// Fanout: one Observer that forwards to several, so that a launch can be recorded and folded in the same run.
#pragma once

#include <vector>

#include "trace/observer.h"

namespace warplens::trace {

class Fanout : public Observer {
  public:
    /// At least one. The observers must outlive the run; each event reaches them in the order given.
    explicit Fanout(std::vector<Observer*> observers) : observers_(std::move(observers)) {}
    std::unique_ptr<BlockObserver> begin_block(std::uint64_t linear_block) override;
    void finish(std::uint64_t linear_block, std::unique_ptr<BlockObserver> observer) override;

  private:
    std::vector<Observer*> observers_;
};

}  // namespace warplens::trace

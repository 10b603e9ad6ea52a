// InstrumentCache: instrumented forms of kernels by their PTX and how they record, so that a run-time
// parameter costs no rewriting. Safe to call from several threads.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "instrumentation/rewrite/instrument.h"

namespace warplens::app {

class InstrumentCache {
  public:
    using Form = std::shared_ptr<const instrumentation::Instrumented>;

    /// `key` names the PTX of `module`.
    Result<Form> get(const std::string& key, const ptx::Module& module, const std::string& entry,
                     instrumentation::InstrumentOptions options);

  private:
    std::mutex mutex_;
    std::map<std::string, Form> forms_;
};

}  // namespace warplens::app

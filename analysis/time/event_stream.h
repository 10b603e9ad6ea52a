// EventStream: writes consecutive trace events as one JSON document, piece by piece.
#pragma once

#include <string>
#include <string_view>

#include "analysis/time/trace_events.h"
#include "core/json.h"
#include "core/result.h"

namespace warplens::analysis {

class EventStream {
  public:
    explicit EventStream(const TextSink& sink) : sink_(sink) {}

    /// Names come from files with arbitrary bytes; viewers only read UTF-8.
    static std::string written(std::string_view text);

    void begin(const Json& other_data);
    void put(const Json& event);
    /// The buffer for the text of the next event.
    std::string& next();
    void put_name(const char* what, int process, int thread, const Json& value);
    /// The status of the first piece that failed.
    const Status& status() const { return ok_; }
    Status end();

  private:
    void flush();

    const TextSink& sink_;
    std::string text_;
    bool first_ = true;
    Status ok_;
};

}  // namespace warplens::analysis

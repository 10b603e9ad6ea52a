// EventStream: writes consecutive trace events as one JSON document, piece by piece.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

#include "analysis/time/trace_events.h"
#include "core/result.h"

namespace warplens::analysis {

class EventStream {
  public:
    using Json = nlohmann::ordered_json;

    explicit EventStream(const TextSink& sink) : sink_(sink) {}

    /// Names come from files with arbitrary bytes; viewers only read UTF-8.
    static std::string written(const Json& value) {
        return value.dump(-1, ' ', false, Json::error_handler_t::replace);
    }

    void begin(const Json& other_data) {
        text_ = "{\"displayTimeUnit\":\"ns\",\"otherData\":" + written(other_data) + ",\n\"traceEvents\":[\n";
    }
    void put(const Json& event) { next() += written(event); }
    /// The buffer for the text of the next event.
    std::string& next() {
        if (text_.size() >= 1u << 20) flush();
        if (!first_) text_ += ",\n";
        first_ = false;
        return text_;
    }
    void put_name(const char* what, int process, int thread, Json value) {
        Json event{{"name", what}, {"ph", "M"}, {"ts", 0}, {"pid", process}, {"tid", thread}};
        event["args"] = std::move(value);
        put(event);
    }
    /// The status of the first piece that failed.
    const Status& status() const { return ok_; }
    Status end() {
        text_ += "\n]}\n";
        flush();
        return ok_;
    }

  private:
    void flush() {
        if (ok_) ok_ = sink_(text_);
        text_.clear();
    }

    const TextSink& sink_;
    std::string text_;
    bool first_ = true;
    Status ok_;
};

}  // namespace warplens::analysis

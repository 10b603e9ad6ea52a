#include "analysis/time/event_stream.h"

#include "core/json_text.h"

namespace warplens::analysis {

std::string EventStream::written(std::string_view text) { return json_text(Json(text)); }

void EventStream::begin(const Json& other_data) {
    text_ = "{\"displayTimeUnit\":\"ns\",\"otherData\":" + json_text(other_data) + ",\n\"traceEvents\":[\n";
}

void EventStream::put(const Json& event) { next() += json_text(event); }

std::string& EventStream::next() {
    if (text_.size() >= 1u << 20) flush();
    if (!first_) text_ += ",\n";
    first_ = false;
    return text_;
}

void EventStream::put_name(const char* what, int process, int thread, const Json& value) {
    Json event{{"name", what}, {"ph", "M"}, {"ts", 0}, {"pid", process}, {"tid", thread}};
    event["args"] = value;
    put(event);
}

Status EventStream::end() {
    text_ += "\n]}\n";
    flush();
    return ok_;
}

void EventStream::flush() {
    if (ok_) ok_ = sink_(text_);
    text_.clear();
}

}  // namespace warplens::analysis

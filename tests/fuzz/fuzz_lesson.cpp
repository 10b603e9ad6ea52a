// libFuzzer target: any text as a lesson. Reading it may fail with a sentence, and must neither crash nor
// take long; what was read has its parts in order.
#include <cstddef>
#include <cstdint>
#include <string>

#include "app/lesson/expression.h"
#include "app/lesson/lesson_parser.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace warplens::app;
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto lesson = parse_lesson(text, "fuzzed.md");
    if (!lesson) return lesson.error().message.starts_with("fuzzed.md") ? 0 : (__builtin_trap(), 0);
    if (lesson->runs.empty() || lesson->steps.empty()) __builtin_trap();
    for (const LessonStep& step : lesson->steps)
        if (!fill_in(step.prose.text,
                     [](const std::string& words) { return warplens::Result<std::string>(words); }))
            __builtin_trap();
    return 0;
}

// libFuzzer target: any text as one of the files that the program keeps for itself: a student's progress, or
// the list of a kernel's recordings. Damage loses what the file said and nothing else.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "app/lesson/lesson_progress.h"
#include "app/pipeline/recordings.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace warplens::app;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const LessonProgress progress = read_progress(text);
    if (read_progress(to_json(progress)).answered != progress.answered) __builtin_trap();
    const auto recorded = parse_recorded_kernel(text);
    if (!recorded && recorded.error().message.empty()) __builtin_trap();
    return 0;
}

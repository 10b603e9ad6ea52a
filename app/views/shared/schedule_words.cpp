#include "app/views/shared/schedule_words.h"

#include <fmt/format.h>

#include "app/ui/number.h"

namespace warplens::app {

std::string schedule_provenance(const trace::Schedule& schedule, const Scene& scene) {
    std::string words(to_string(schedule.provenance));
    words += scene.gpu && scene.gpu->sm_count > 1 ? fmt::format(" · one SM of {}", scene.gpu->sm_count)
                                                  : std::string(" · one SM");
    const std::uint64_t blocks = schedule.launch.blocks_on_sm, modelled = schedule.launch.blocks_modelled;
    if (blocks == 1) words += ", its only block";
    else if (blocks == modelled) words += fmt::format(", all {} of its blocks", grouped(blocks));
    else words += fmt::format(", {} of its {} blocks", grouped(modelled), grouped(blocks));
    if (!schedule.gpu.empty()) words += " · " + schedule.gpu;
    words += fmt::format(" · {}", to_string(scene.report ? scene.report->level : Level::ptx));
    if (!schedule.measured_latencies) words += " with assumed latencies";
    return words;
}

std::string absent_sentence(const std::string& absent) {
    std::string sentence = absent;
    if (!sentence.empty() && sentence[0] >= 'a' && sentence[0] <= 'z')
        sentence[0] = static_cast<char>(sentence[0] - 'a' + 'A');
    if (!sentence.empty() && sentence.back() != '.') sentence += '.';
    return sentence;
}

std::string reason_words(const std::string& absent) {
    if (absent.empty()) return ".";
    return ": " + absent + (absent.back() == '.' ? "" : ".");
}

}  // namespace warplens::app

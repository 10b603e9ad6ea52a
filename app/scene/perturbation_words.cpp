#include "app/scene/perturbation_words.h"

#include <fmt/format.h>

#include <cmath>

#include "analysis/time/measured_summary.h"
#include "app/ui/number.h"

namespace warplens::app {

namespace {

/// "×1.12", "×24".
std::string times_words(double factor) {
    return "×" + decimal(factor, factor < 1.995 ? 2 : factor < 10 ? 1 : 0);
}

}  // namespace

std::string microseconds_words(double microseconds) { return scaled(microseconds * 1e-6, "s"); }

std::string nanoseconds_words(double ns) {
    if (ns < 999.5) return decimal(ns, ns < 10 ? 1 : 0) + " ns";
    return microseconds_words(ns * 1e-3);
}

std::string perturbation_words(const trace::Measured& measured) {
    if (measured.perturbations.empty()) return {};
    std::string words;
    std::uint64_t dropped = 0;
    for (const trace::Perturbation& one : measured.perturbations) {
        if (words.empty() && one.clean_us > 0) words = "clean " + microseconds_words(one.clean_us);
        if (!words.empty()) words += " · ";
        words += one.mode;
        if (one.clean_us > 0) words += " " + times_words(one.slowdown());
        const int more = one.traced_registers - one.clean_registers;
        if (more != 0) words += fmt::format(" ({:+} register{})", more, std::abs(more) == 1 ? "" : "s");
        dropped += one.dropped_records;
    }
    return words + fmt::format(" · {} dropped", grouped(dropped));
}

std::vector<std::string> perturbation_warnings(const trace::Measured& measured) {
    std::vector<std::string> warnings;
    for (const trace::Perturbation& one : measured.perturbations) {
        if (one.clean_blocks_per_sm != one.traced_blocks_per_sm)
            warnings.push_back(fmt::format(
                "Recording in {} mode changes the occupancy: an SM holds {} instead of {}.{}", one.mode,
                counted(static_cast<std::uint64_t>(std::max(one.traced_blocks_per_sm, 0)), "block"),
                one.clean_blocks_per_sm,
                one.mode == "light" ? " The times below are of that occupancy." : ""));
        if (one.dropped_records > 0)
            warnings.push_back(fmt::format(
                "{} of {} mode found no room and {} dropped{}", counted(one.dropped_records, "record"),
                one.mode, one.dropped_records == 1 ? "was" : "were",
                one.enough_bytes > 0 ? fmt::format("; a recording space of {} would have been enough.",
                                                   bytes_words(one.enough_bytes))
                                     : std::string(".")));
        if (!one.identical_results)
            warnings.push_back(fmt::format(
                "The buffers after the {} recording differ from those after the original kernel: its results "
                "depend on timing, or it is not the same kernel.",
                one.mode));
    }
    return warnings;
}

std::string repeat_words(const trace::Measured& measured, double length_ns) {
    constexpr double close = 0.1;
    const trace::Perturbation* timed = analysis::timed_perturbation(measured);
    if (!timed || timed->traced_us <= 0 || timed->repeats < 2 || length_ns <= 0) return {};
    const double median_ns = timed->traced_us * 1e3;
    if (std::abs(length_ns - median_ns) <= close * median_ns) return {};
    // A launch also takes what starts and ends it: most of the time of a small one.
    if (length_ns < median_ns)
        return fmt::format(
            "In the last of {} {} recordings, whose times these are, blocks ran for {}; the median launch "
            "takes "
            "{}, with what starts and ends it.",
            timed->repeats, timed->mode, nanoseconds_words(length_ns), nanoseconds_words(median_ns));
    return fmt::format(
        "Times of blocks are from the last of {} {} recordings, which ran {}; the median of the {} is {}.",
        timed->repeats, timed->mode, nanoseconds_words(length_ns), timed->repeats,
        nanoseconds_words(median_ns));
}

std::string address_words(const trace::Measured& measured) {
    if (measured.addresses == "recorded") return "Addresses were recorded on the GPU.";
    if (measured.addresses == "proven")
        return "Addresses are the CPU engine's, proven: the hash of every lane's addresses equals the GPU's.";
    return {};
}

std::string device_words(const trace::Measured& measured) {
    std::string words = measured.device;
    if (!measured.driver.empty() && measured.driver != "none") words += ", driver " + measured.driver;
    if (!measured.date.empty()) words += ", " + measured.date;
    return words;
}

}  // namespace warplens::app

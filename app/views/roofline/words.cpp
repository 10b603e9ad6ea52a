#include "app/views/roofline/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/wording.h"
#include "app/ui/number.h"
#include "core/sm_timing.h"

namespace warplens::app {
namespace {

using analysis::Roofline;

/// Numbers of a sample have three digits; more would suggest a precision that they lack.
std::string count_of(double value, const char* unit, bool estimated) {
    if (value > 0 && (estimated || value >= 1e15)) return "≈ " + scaled(value, unit);
    return fmt::format("{} {}", grouped(static_cast<std::uint64_t>(std::llround(value))), unit);
}

std::string intensity_words(double intensity, const char* unit = "FLOP/B") {
    return three_digits(intensity) + " " + unit;
}

double allowed(const Roofline& roofline) {
    return std::min(roofline.peak_flops, roofline.intensity * roofline.peak_bytes_per_second);
}

const std::optional<double>& best_seconds(const Roofline& roofline) {
    return roofline.measured_seconds ? roofline.measured_seconds : roofline.modelled_seconds;
}

std::string without_flops(const std::string& name, const Roofline& roofline, const GpuSpec& gpu) {
    std::string words = fmt::format("{} executes no floating-point operations; it moves its {}", name,
                                    scaled(roofline.dram_bytes_ideal, "B"));
    if (const double rate = byte_rate_of(roofline); rate > 0)
        words += fmt::format(" at {} {}", scaled(rate, "B/s"),
                             roofline.measured_seconds ? "measured" : "modelled");
    if (roofline.peak_bytes_per_second > 0)
        words += fmt::format("; the DRAM of {} allows {}", gpu.name,
                             scaled(roofline.peak_bytes_per_second, "B/s"));
    return words;
}

}  // namespace

double rate_of(const Roofline& roofline, const std::optional<double>& seconds) {
    return seconds && *seconds > 0 ? roofline.flops / *seconds : 0;
}

double byte_rate_of(const Roofline& roofline) {
    const auto& seconds = best_seconds(roofline);
    return seconds && *seconds > 0 ? roofline.dram_bytes_ideal / *seconds : 0;
}

double l2_bytes_per_second(const GpuSpec& gpu) {
    const SmTiming& timing = sm_timing(gpu);
    if (timing.measured_on != gpu.name) return 0;
    return timing.l2_sectors_per_cycle * 32 * timing.clock_hz;
}

std::string roofline_title(const std::string& kernel, const Roofline& roofline, const GpuSpec& gpu) {
    const std::string name = "`" + kernel + "`";
    if (roofline.without_images)
        return fmt::format(
            "{}: {} and at least {}; its texture and surface traffic is unknown, so it has no "
            "intensity",
            name, scaled(roofline.flops, "FLOP"), scaled(roofline.dram_bytes_ideal, "B"));
    if (roofline.dram_bytes_ideal <= 0 && roofline.flops <= 0)
        return name + " executes no floating-point operations and moves no global memory";
    if (roofline.flops <= 0) return without_flops(name, roofline, gpu);
    if (roofline.dram_bytes_ideal <= 0)
        return fmt::format("{} moves no global memory: only its {} can limit it", name,
                           scaled(roofline.flops, "FLOP"));
    std::string title = fmt::format("{}: {}", name, intensity_words(roofline.intensity, "FLOP/byte"));
    if (const double rate = rate_of(roofline, best_seconds(roofline)); rate > 0)
        title += fmt::format(", {} {}", scaled(rate, "FLOP/s"),
                             roofline.measured_seconds ? "measured" : "modelled");
    if (roofline.ridge <= 0) return title + fmt::format("; the roofs of {} are unknown", gpu.name);
    return title + fmt::format("; the {} roof allows {}",
                               roofline.intensity < roofline.ridge ? "memory" : "compute",
                               scaled(allowed(roofline), "FLOP/s"));
}

std::string roofline_change_words(const Roofline& before, std::string_view before_name, const Roofline& now) {
    const bool flops = now.flops > 0;
    if ((before.flops > 0) != flops) return {};
    if (before.measured_seconds.has_value() != now.measured_seconds.has_value()) return {};
    const auto rate = [&](const Roofline& of) {
        return flops ? rate_of(of, best_seconds(of)) : byte_rate_of(of);
    };
    const double was = rate(before), is = rate(now);
    if (was <= 0 || is <= 0) return {};
    const std::string words = scaled(was, flops ? "FLOP/s" : "B/s");
    if (words == scaled(is, flops ? "FLOP/s" : "B/s"))
        return fmt::format("; {} reaches as much", before_name);
    return fmt::format("; {} reaches {} ({})", before_name, words,
                       analysis::signed_percent((is / was - 1) * 100));
}

Headline roofline_headline(const Roofline& roofline) {
    const bool flops = roofline.flops > 0 && roofline.dram_bytes_ideal > 0;
    const double rate = flops ? rate_of(roofline, best_seconds(roofline)) : byte_rate_of(roofline);
    const double roof = flops ? allowed(roofline) : roofline.peak_bytes_per_second;
    if (rate <= 0 || roof <= 0) return {};
    // The title has the rate and the roof.
    if (!flops)
        return {percent(rate / roof), "of the roof", "if each byte moves once between DRAM and the SMs"};
    const bool memory = roofline.intensity < roofline.ridge;
    return {percent(rate / roof), "of the roof",
            fmt::format("{} the ridge of {}: {} sets the roof", memory ? "below" : "at or above",
                        intensity_words(roofline.ridge, "FLOP/byte"), memory ? "DRAM" : "arithmetic")};
}

std::vector<RooflineStep> roofline_steps(const Roofline& roofline, const GpuSpec& gpu, double cycles) {
    std::vector<RooflineStep> steps;
    const bool estimated = roofline.estimated;
    steps.push_back({"operations", count_of(roofline.flops, "FLOP", estimated)});
    steps.push_back({"bytes, at least", count_of(roofline.dram_bytes_ideal, "B", estimated)});
    if (roofline.flops > 0 && roofline.dram_bytes_ideal > 0)
        steps.push_back({"intensity", fmt::format("{} / {} = {}", scaled(roofline.flops, "FLOP"),
                                                  scaled(roofline.dram_bytes_ideal, "B"),
                                                  intensity_words(roofline.intensity))});
    const double clock = sm_timing(gpu).clock_hz;
    if (roofline.modelled_seconds && clock > 0)
        steps.push_back(
            {"time, modelled", fmt::format("{} / {} = {}", cycles_words(cycles), scaled(clock, "Hz"),
                                           scaled(*roofline.modelled_seconds, "s"))});
    if (roofline.measured_seconds)
        steps.push_back({"time, measured", scaled(*roofline.measured_seconds, "s")});
    if (const auto& seconds = best_seconds(roofline); seconds && *seconds > 0) {
        const bool flops = roofline.flops > 0;
        const double done = flops ? roofline.flops : roofline.dram_bytes_ideal;
        steps.push_back(
            {"reached", fmt::format("{} / {} = {}", scaled(done, flops ? "FLOP" : "B"), scaled(*seconds, "s"),
                                    scaled(done / *seconds, flops ? "FLOP/s" : "B/s"))});
    }
    if (roofline.ridge > 0 && roofline.flops > 0 && roofline.intensity > 0) {
        const double by_memory = roofline.intensity * roofline.peak_bytes_per_second;
        steps.push_back({"memory roof", fmt::format("{} × {} = {}", three_digits(roofline.intensity),
                                                    scaled(roofline.peak_bytes_per_second, "B/s"),
                                                    scaled(by_memory, "FLOP/s"))});
        steps.push_back({"compute roof",
                         fmt::format("{}, {}", scaled(roofline.peak_flops, "FLOP/s"), roofline.peak_unit)});
        if (const double rate = rate_of(roofline, best_seconds(roofline)); rate > 0)
            steps.push_back({"of the lower", fmt::format("{} / {} = {}", scaled(rate, "FLOP/s"),
                                                         scaled(allowed(roofline), "FLOP/s"),
                                                         percent(rate / allowed(roofline)))});
    }
    return steps;
}

std::string requested_bytes_sentence(const Roofline& roofline) {
    if (roofline.l2_bytes <= 0 || roofline.dram_bytes_ideal <= 0) return {};
    const double times = roofline.l2_bytes / roofline.dram_bytes_ideal;
    if (times < 1.02)
        return fmt::format("The requests ask for {}, each byte once: a cache cannot reduce the traffic.",
                           scaled(roofline.l2_bytes, "B"));
    return fmt::format(
        "The requests ask for {}, {} times the minimum{}: without caches, DRAM would move all of it.",
        scaled(roofline.l2_bytes, "B"), three_digits(times), roofline.flops > 0 ? " (hollow point)" : "");
}

}  // namespace warplens::app

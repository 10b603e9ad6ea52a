#include "app/command_line/values_printing.h"

#include <fmt/format.h>

#include "app/pipeline/values/value_words.h"
#include "core/json_text.h"

namespace warplens::app {
namespace {

Json lane_texts(const RegisterValue& value, bool after) {
    const LaneMask written = after ? value.state.written_after : value.state.written_before;
    Json lanes = Json::array();
    for (int lane = 0; lane < warp_size; ++lane)
        lanes.push_back(written.has(lane) ? Json(register_text(value, lane, after)) : Json(nullptr));
    return lanes;
}

Json writer_json(const StepValues& values, const simt::StepAt& at, SiteId site) {
    return {{"block", at.block},
            {"warp", at.warp},
            {"step", at.step},
            {"site", site},
            {"line", values.named.program.sites[site].line}};
}

Json requests_json(const StepValues& values) {
    Json requests = Json::array();
    for (const RequestValue& value : values.requests) {
        Json lanes = Json::array();
        for_each_lane(value.request.mask, [&](int lane) {
            const auto at = static_cast<std::size_t>(lane);
            lanes.push_back({{"lane", lane},
                             {"element", value.elements[at]},
                             {"address", value.request.addresses[at]},
                             {"before", element_text(value, lane, false)},
                             {"after", element_text(value, lane, true)}});
        });
        requests.push_back({{"operation", to_string(value.request.operation)},
                            {"space", to_string(value.request.space)},
                            {"bytes_per_lane", value.request.bytes_per_lane},
                            {"type", ptx::to_string(value.type)},
                            {"lanes", std::move(lanes)}});
    }
    return requests;
}

Json shared_json(const StepValues& values) {
    Json words = Json::array();
    const simt::SharedState& shared = values.state.shared;
    for (std::size_t word = 0; word < shared.writers.size(); ++word) {
        const simt::WordWriter& writer = shared.writers[word];
        if (writer.site == no_index) continue;
        const std::uint64_t offset = word * simt::SharedState::word_bytes;
        Json last = writer_json(values, writer.at, writer.site);
        last["lane"] = writer.lane;
        words.push_back({{"offset", offset},
                         {"element", shared_name(values, offset)},
                         {"value", shared_text(values, word)},
                         {"last_writer", std::move(last)}});
    }
    return {{"bytes", shared.bytes.size()}, {"words", std::move(words)}};
}

Json history_json(const StepValues& values) {
    const LocationHistory& history = *values.history;
    Json writes = Json::array();
    for (std::size_t i = 0; i < history.writes.size(); ++i) {
        const simt::MemoryWrite& write = history.writes[i];
        Json one = writer_json(values, write.at, write.site);
        one["lanes"] = write.lanes.bits;
        one["before"] = write_text(history, i, false);
        one["after"] = write_text(history, i, true);
        one["races"] = is_racing(history, i);
        writes.push_back(std::move(one));
    }
    return {{"element", history.name},
            {"type", ptx::to_string(history.type)},
            {"initial", initial_text(history)},
            {"writes_before_the_step", history.before_step},
            {"writes", std::move(writes)}};
}

}  // namespace

std::string values_json(const StepValues& values) {
    const simt::StepState& state = values.state;
    const Site& site = values.named.program.sites[state.site];
    Json registers = Json::array();
    for (const RegisterValue& value : values.registers) {
        if (value.state.written_after.bits == 0) continue;
        registers.push_back({{"name", value.name},
                             {"cuda", value.cuda},
                             {"type", ptx::to_string(value.type)},
                             {"operand", value.operand},
                             {"result", value.result},
                             {"before", lane_texts(value, false)},
                             {"after", lane_texts(value, true)}});
    }
    Json json{{"kernel", values.named.launch.kernel},
              {"block", state.at.block},
              {"warp", state.at.warp},
              {"step", state.at.step},
              {"lane", values.lane},
              {"site", state.site},
              {"line", site.line},
              {"instruction", site.text},
              {"active", state.active.bits},
              {"executed", state.executed.bits},
              {"blocks_executed_before", values.blocks_before},
              {"registers", std::move(registers)},
              {"requests", requests_json(values)},
              {"shared", shared_json(values)},
              {"history", values.history ? history_json(values) : Json(nullptr)}};
    return json_text(json, 2) + "\n";
}

std::string values_text(const StepValues& values) {
    const simt::StepState& state = values.state;
    const Site& site = values.named.program.sites[state.site];
    std::string text = fmt::format("{}: {}\n", values.named.launch.kernel, step_words(values));
    text += fmt::format("  {}  (line {}, {} of {} active lanes execute it)\n", site.text, site.line,
                        state.executed.count(), state.active.count());
    for (const std::string& sentence : access_sentences(values)) text += fmt::format("  {}\n", sentence);
    text += fmt::format("\nregisters of lane {}\n", values.lane);
    for (const RegisterValue& value : values.registers) {
        if (!value.state.written_after.has(values.lane)) continue;
        const std::string before = register_text(value, values.lane, false),
                          after = register_text(value, values.lane, true);
        text += fmt::format("  {:<7} {:<5} {:<24} {}{}{}\n", value.name, ptx::to_string(value.type),
                            value.cuda, after, before != after ? fmt::format("  (before: {})", before) : "",
                            value.result    ? "  result"
                            : value.operand ? "  operand"
                                            : "");
    }
    if (values.history) {
        text += fmt::format("\nwrites to {}\n", values.history->name);
        for (const std::string& line : history_lines(values)) text += fmt::format("  {}\n", line);
    }
    if (const std::string note = order_note(values); !note.empty()) text += fmt::format("\n{}\n", note);
    return text;
}

}  // namespace warplens::app

#include "app/pipeline/values/value_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "analysis/wording.h"
#include "app/pipeline/values/value_text.h"

namespace warplens::app {
namespace {

constexpr const char* unwritten = "not written";

std::string lanes_words(LaneMask lanes) {
    if (lanes.count() == 1) return fmt::format("lane {}", lanes.lowest());
    if (lanes.full()) return "all lanes";
    return fmt::format("{} lanes from {}", lanes.count(), lanes.lowest());
}

}  // namespace

std::string step_words(const StepValues& values) {
    const simt::StepAt& at = values.state.at;
    const std::uint64_t thread = at.warp * std::uint64_t{warp_size} + static_cast<unsigned>(values.lane);
    return fmt::format("block {}, warp {}, lane {} (thread {}), step {}", analysis::grouped(at.block),
                       at.warp, values.lane, thread, analysis::grouped(at.step));
}

std::string element_text(const RequestValue& value, int lane, bool after) {
    const simt::MemoryHistory::Around& around = value.values[static_cast<std::size_t>(lane)];
    return place_text(after ? around.after : around.before,
                      std::min(value.request.bytes_per_lane, simt::most_place_bytes), value.type);
}

const RegisterValue* main_register(const StepValues& values) {
    const auto found = [&](auto member) -> const RegisterValue* {
        const auto at = std::ranges::find_if(values.registers, member);
        return at == values.registers.end() ? nullptr : &*at;
    };
    if (const auto* result = found(&RegisterValue::result)) return result;
    // Of a store the data, not the address.
    if (const auto* data = found([](const RegisterValue& value) {
            return value.operand && ptx::class_of(value.type) != ptx::TypeClass::untyped &&
                   ptx::size_of(value.type) < 8;
        }))
        return data;
    return found(&RegisterValue::operand);
}

std::vector<std::string> access_sentences(const StepValues& values) {
    std::vector<std::string> sentences;
    for (const RequestValue& value : values.requests) {
        if (!value.request.mask.has(values.lane)) continue;
        const std::string& element = value.elements[static_cast<std::size_t>(values.lane)];
        const bool followed = values.history && values.history->name == element;
        const bool nothing =
            followed && !values.history->initially_written && values.history->before_step == 0;
        const std::string before = nothing ? unwritten : element_text(value, values.lane, false);
        if (value.request.operation == Operation::load)
            sentences.push_back(fmt::format("loads {}: {}", element, before));
        else
            sentences.push_back(fmt::format(
                "{} {}: {} → {}", value.request.operation == Operation::store ? "stores" : "updates", element,
                before, element_text(value, values.lane, true)));
    }
    return sentences;
}

std::array<std::string, warp_size> exchanged_texts(const StepValues& values, std::uint64_t step,
                                                   bool received) {
    std::array<std::string, warp_size> texts;
    const auto& exchanges = values.state.exchanges;
    const auto at = std::ranges::find(exchanges, step, &simt::ExchangedValues::step);
    if (at == exchanges.end()) return texts;
    const std::uint32_t index = received ? at->received : at->given;
    if (index >= values.register_types.size()) return texts;
    const auto& bits = received ? at->after : at->before;
    for_each_lane(at->lanes, [&](int lane) {
        const auto of = static_cast<std::size_t>(lane);
        texts[of] = value_text(bits[of], values.register_types[index]);
    });
    return texts;
}

std::string shared_text(const StepValues& values, std::size_t word) {
    const simt::SharedState& shared = values.state.shared;
    const simt::WordWriter& writer = shared.writers[word];
    if (writer.site == no_index) return "–";
    const std::size_t offset = word * simt::SharedState::word_bytes;
    const auto type = values.data_types[writer.site];
    const auto size = static_cast<std::size_t>(std::max(1, ptx::size_of(type)));
    // A double is two words; the first of them shows it.
    const std::size_t first = offset / size * size;
    if (first != offset && size > simt::SharedState::word_bytes) return "";
    simt::PlaceBytes bytes{};
    const std::size_t count = std::min(shared.bytes.size() - offset, std::max<std::size_t>(size, 4));
    std::memcpy(bytes.data(), shared.bytes.data() + offset, count);
    return place_text(bytes, static_cast<std::uint32_t>(count), type);
}

std::string initial_text(const LocationHistory& history) {
    return history.initially_written ? place_text(history.initial, history.place.bytes, history.type)
                                     : unwritten;
}

std::string write_text(const LocationHistory& history, std::size_t write, bool after) {
    if (write == 0 && !after && !history.initially_written) return unwritten;
    const simt::MemoryWrite& of = history.writes[write];
    return place_text(after ? of.after : of.before, history.place.bytes, history.type);
}

bool is_racing(const LocationHistory& history, std::size_t write) {
    return std::ranges::find(history.races, write) != history.races.end();
}

std::string writer_words(const StepValues& values, const simt::MemoryWrite& write) {
    const std::uint32_t line = values.named.program.sites[write.site].line;
    return fmt::format("block {}, warp {}, {}, step {}{}", analysis::grouped(write.at.block), write.at.warp,
                       lanes_words(write.lanes), analysis::grouped(write.at.step),
                       line == 0 ? "" : fmt::format(", line {}", line));
}

std::vector<std::string> history_lines(const StepValues& values) {
    const LocationHistory& history = *values.history;
    std::vector<std::string> lines{fmt::format("at first: {}", initial_text(history))};
    const auto own = [&](const simt::MemoryWrite& write) { return write.at == values.state.at; };
    const auto here = [&] { lines.push_back(fmt::format("— this step, {} —", step_words(values))); };
    bool shown = false;
    for (std::size_t i = 0; i < history.writes.size(); ++i) {
        const simt::MemoryWrite& write = history.writes[i];
        if (i == history.before_step && !own(write)) {
            here();
            shown = true;
        }
        lines.push_back(fmt::format(
            "{} → {}: {}{}{}{}", write_text(history, i, false), write_text(history, i, true),
            writer_words(values, write), write.asynchronous ? ", an asynchronous copy" : "",
            own(write) ? "  (this step)" : "", is_racing(history, i) ? "  (races with this step)" : ""));
        shown |= own(write);
    }
    if (!shown) here();
    if (const std::string race = race_sentence(values); !race.empty()) lines.push_back(race);
    return lines;
}

std::string race_sentence(const StepValues& values) {
    if (!values.history || values.history->races.empty()) return {};
    const LocationHistory& history = *values.history;
    const std::size_t other = history.races.front();
    const simt::MemoryWrite& write = history.writes[other];
    const auto own = std::ranges::find(history.writes, values.state.at, &simt::MemoryWrite::at);
    if (own != history.writes.end()) {
        const auto index = static_cast<std::size_t>(own - history.writes.begin());
        return fmt::format("A race: the last store decides, {} of this step or {} of warp {}.",
                           write_text(history, index, true), write_text(history, other, true), write.at.warp);
    }
    const std::string before = write_text(history, other, false);
    return fmt::format("A race: this step reads {} if the store by warp {} comes first, else {}.",
                       write_text(history, other, true), write.at.warp,
                       before == unwritten ? "a word that is not written yet" : before);
}

std::string order_note(const StepValues& values) {
    if (values.blocks_before == 0) return {};
    return fmt::format(
        "Global memory is as after {} that ran before in the engine's order; on a GPU the order may differ.",
        analysis::counted(values.blocks_before, "block"));
}

}  // namespace warplens::app

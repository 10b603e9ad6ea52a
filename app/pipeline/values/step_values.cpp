#include "app/pipeline/values/step_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>

#include "analysis/memory/element_name.h"
#include "app/pipeline/block_sample.h"
#include "app/pipeline/launch_run.h"
#include "app/pipeline/values/register_names.h"
#include "app/pipeline/values/value_text.h"
#include "app/scene/step_spot.h"
#include "core/cluster.h"
#include "ptx/program.h"
#include "ptx/register_types.h"
#include "ptx/value_flow.h"
#include "simt/functional/block/replay_block.h"
#include "trace/places.h"
#include "trace/query.h"

namespace warplens::app {
namespace {

/// The run once more, in the same calls of the engine as before, so that its order is the same.
Result<std::unique_ptr<LaunchRun>> run_again(LoadedLaunch launch, const ValuesRequest& request,
                                             trace::Observer& observer, simt::RunOptions options) {
    LaunchRun::Keep keep;
    keep.listener = &observer;
    keep.interrupted = true;
    keep.keep_report = false;
    WARPLENS_TRY(auto run, LaunchRun::start(std::move(launch), std::move(keep)));
    options.max_steps_per_warp = request.max_steps_per_warp;
    options.max_printed = 0;
    if (request.alone) {
        options.blocks = {request.question.at.block};
        WARPLENS_TRY(run->execute(options));
        return run;
    }
    for (const std::vector<std::uint64_t>& blocks : request.run) {
        options.blocks = blocks;
        WARPLENS_TRY(run->execute(options));
        if (blocks.empty() || std::ranges::binary_search(blocks, request.question.at.block)) break;
    }
    return run;
}

std::uint64_t blocks_before(const ValuesRequest& request) {
    std::uint64_t count = 0;
    for (const std::vector<std::uint64_t>& blocks : request.run)
        count += blocks.empty() ? request.question.at.block
                                : static_cast<std::uint64_t>(std::ranges::count_if(
                                      blocks, [&](auto block) { return block < request.question.at.block; }));
    return count;
}

ptx::Type of_size(std::uint32_t bytes) {
    switch (bytes) {
        case 1:
            return ptx::Type::u8;
        case 2:
            return ptx::Type::u16;
        case 8:
            return ptx::Type::b64;
        default:
            return ptx::Type::u32;
    }
}

/// The kernel's text: instructions by site, the types of their registers by function.
class Text {
  public:
    Text(const ptx::Module& module, const Program& program) : module_(module), program_(program) {
        if (auto numbered = ptx::number_sites(module, program.entry, ""))
            origins_ = std::move(numbered->origins);
        types_.resize(module.functions.size());
    }
    const ptx::Instruction& instruction(SiteId site) const {
        const ptx::SiteOrigin& origin = origins_[site];
        return std::get<ptx::Instruction>(module_.functions[origin.function].body[origin.statement]);
    }
    const std::vector<ptx::Type>& types(std::uint32_t function) {
        auto& types = types_[function];
        if (types.empty()) types = ptx::register_types(module_.functions[function]);
        return types;
    }
    /// Of the elements that a memory instruction loads or stores.
    ptx::Type data_type(SiteId site) {
        const Site& of = program_.sites[site];
        if (of.kind != SiteKind::memory || site >= origins_.size()) return ptx::Type::none;
        const ptx::Instruction& from = instruction(site);
        ptx::Type type = from.type();
        const auto known = [](ptx::Type of_type) {
            const auto kind = ptx::class_of(of_type);
            return kind != ptx::TypeClass::none && kind != ptx::TypeClass::untyped;
        };
        const std::size_t data = of.operation == Operation::store ? 1 : 0;
        if (!known(type) && data < from.operands.size()) {
            const ptx::Operand* operand = &from.operands[data];
            if (const auto* vector = std::get_if<ptx::Vector>(&operand->value))
                operand = &vector->elements[0];
            if (const auto* reg = std::get_if<ptx::RegisterOperand>(&operand->value)) {
                const ptx::Type held = types(origins_[site].function)[reg->index];
                if (ptx::size_of(held) == ptx::size_of(type)) type = held;
            }
        }
        return known(type) ? type : of_size(static_cast<std::uint32_t>(ptx::size_of(type)));
    }

  private:
    const ptx::Module& module_;
    const Program& program_;
    std::vector<ptx::SiteOrigin> origins_;
    std::vector<std::vector<ptx::Type>> types_;
};

/// Every lane's value is an address in a buffer. An address that a thread adds an offset to is typed like a
/// number.
bool holds_addresses(const StepValues& values, const simt::RegisterState& state) {
    bool all = !state.written_after.empty();
    for_each_lane(state.written_after, [&](int lane) {
        const std::uint64_t bits = state.after[static_cast<std::size_t>(lane)];
        all = all && std::ranges::any_of(values.named.launch.buffers, [&](const trace::Buffer& buffer) {
                  return bits >= buffer.base && bits - buffer.base < buffer.bytes;
              });
    });
    return all;
}

void name_registers(StepValues& values, const ptx::Module& module, Text& text) {
    const std::uint32_t index = values.state.function;
    const ptx::Function& function = module.functions[index];
    const std::vector<std::string> names = register_names(function, values.named.program);
    const std::vector<ptx::Type>& types = text.types(index);
    values.register_types = types;
    const ptx::Instruction& instruction = text.instruction(values.state.site);
    const ptx::ValueFlow flow = ptx::value_flow(instruction);
    const auto has = [](const std::vector<std::uint32_t>& list, std::uint32_t one) {
        return std::ranges::find(list, one) != list.end();
    };
    for (simt::RegisterState& state : values.state.registers) {
        RegisterValue& value = values.registers.emplace_back();
        value.name = function.registers[state.index].name;
        value.cuda = names[state.index];
        value.type = types[state.index];
        value.operand = has(flow.read, state.index) || has(flow.address_registers, state.index) ||
                        (instruction.has_guard && instruction.guard.predicate == state.index);
        value.result = has(flow.written, state.index);
        value.state = std::move(state);
        if (ptx::class_of(value.type) != ptx::TypeClass::floating && ptx::size_of(value.type) == 8 &&
            holds_addresses(values, value.state))
            value.type = ptx::Type::b64;
    }
    values.state.registers.clear();
}

std::optional<simt::MemoryPlace> place_of_lane(const StepValues& values, const simt::StepRequest& request,
                                               int lane) {
    simt::MemoryPlace place;
    place.space = request.space;
    place.address = request.addresses[static_cast<std::size_t>(lane)];
    place.bytes = std::min(request.bytes_per_lane, simt::most_place_bytes);
    place.block = values.state.at.block;
    place.warp = values.state.at.warp;
    place.lane = lane;
    if (place.space == Space::shared_cluster) {
        const LaunchGeometry& geometry = values.named.launch.geometry;
        const auto blocks = blocks_of_cluster(linear_cluster(place.block, geometry), geometry);
        place.block = blocks[rank_of(place.address)];
        place.address &= (std::uint64_t{1} << rank_shift) - 1;
        place.space = Space::shared;
    }
    if (place.space != Space::global && place.space != Space::shared && place.space != Space::local)
        return std::nullopt;
    return place;
}

/// "y[3]"; of an access to a part of an element "byte 0 of y[3]": a value of it is not the element's.
std::string accessed_name(const StepValues& values, Space space, std::uint64_t address, std::uint32_t bytes) {
    std::string name = analysis::element_name(values.named, space, address, bytes);
    const auto place = trace::place_of(values.named, space, address, bytes);
    if (!place || place->element_bytes <= bytes || place->byte + bytes > place->element_bytes) return name;
    name.resize(std::min(name.find(" + "), name.size()));  // the offset is said as a number of bytes
    return bytes == 1 ? fmt::format("byte {} of {}", place->byte, name)
                      : fmt::format("bytes {} to {} of {}", place->byte, place->byte + bytes - 1, name);
}

/// The places around which the second run reads memory: those of all lanes of all requests.
std::vector<simt::MemoryPlace> name_requests(StepValues& values) {
    std::vector<simt::MemoryPlace> places;
    for (const simt::StepRequest& request : values.state.requests) {
        RequestValue& value = values.requests.emplace_back();
        value.request = request;
        value.type = values.data_types[values.state.site];
        const auto element = static_cast<std::uint32_t>(std::max(1, ptx::size_of(value.type)));
        for (int lane = 0; lane < warp_size; ++lane) {
            const auto at = static_cast<std::size_t>(lane);
            const auto place = request.mask.has(lane) ? place_of_lane(values, request, lane) : std::nullopt;
            if (request.mask.has(lane))
                value.elements[at] = accessed_name(values, place ? place->space : request.space,
                                                   place ? place->address : request.addresses[at], element);
            places.push_back(place.value_or(simt::MemoryPlace{}));
        }
    }
    return places;
}

std::optional<LocationHistory> location(const StepValues& values, const ValuesRequest& request) {
    LocationHistory history;
    if (request.question.shared_word) {
        constexpr std::uint32_t word = simt::SharedState::word_bytes;
        history.place = {Space::shared, *request.question.shared_word, word, values.state.at.block};
        const auto& writers = values.state.shared.writers;
        const std::size_t index = *request.question.shared_word / word;
        if (index >= writers.size()) return std::nullopt;
        if (writers[index].site != no_index) history.type = values.data_types[writers[index].site];
    } else {
        const auto mine = std::ranges::find_if(values.requests, [&](const RequestValue& value) {
            return value.request.mask.has(values.lane) &&
                   place_of_lane(values, value.request, values.lane).has_value();
        });
        if (mine == values.requests.end()) return std::nullopt;
        history.place = *place_of_lane(values, mine->request, values.lane);
        history.type = mine->type;
    }
    history.initially_written = history.place.space == Space::global;
    history.name = accessed_name(values, history.place.space, history.place.address,
                                 static_cast<std::uint32_t>(std::max(1, ptx::size_of(history.type))));
    return history;
}

/// Writes by other threads at the other site of a race that the step's instruction takes part in.
void find_races(StepValues& values, const std::vector<Problem>& problems) {
    LocationHistory& history = *values.history;
    for (const Problem& problem : problems) {
        if (problem.kind != ProblemKind::shared_race && problem.kind != ProblemKind::global_race) continue;
        if (!problem.other) continue;
        const bool first = problem.site == values.state.site,
                   second = problem.other->site == values.state.site;
        for (std::size_t i = 0; i < history.writes.size(); ++i) {
            const simt::MemoryWrite& write = history.writes[i];
            const bool other_site =
                (first && write.site == problem.other->site) || (second && write.site == problem.site);
            const simt::StepAt& at = values.state.at;
            const bool same_thread = write.at.block == at.block && write.at.warp == at.warp &&
                                     (write.at.step == at.step || write.lanes.has(values.lane));
            if (other_site && !same_thread && std::ranges::find(history.races, i) == history.races.end())
                history.races.push_back(i);
        }
    }
}

Status follow_memory(StepValues& values, LoadedLaunch launch, const ValuesRequest& request,
                     const std::function<bool()>& cancelled) {
    const std::vector<simt::MemoryPlace> around = name_requests(values);
    values.history = location(values, request);
    if (around.empty() && !values.history) return {};
    const std::shared_ptr<const simt::Kernel> code = launch.code;
    std::optional<simt::MemoryPlace> place;
    if (values.history) place = values.history->place;
    simt::MemoryHistory history(*code, values.named.launch.geometry, values.state.at, place, around);
    simt::RunOptions options;
    options.watch = &history;
    options.detect_races = true;
    options.races = simt::watch_races(*code);
    options.cancelled = [&] { return history.done() || cancelled(); };
    WARPLENS_TRY(const auto run, run_again(std::move(launch), request, history, options));
    if (cancelled()) return fail("the search for values was cancelled");
    values.steps += run->steps();
    for (std::size_t i = 0; i < values.requests.size(); ++i) {
        const auto first = history.around().begin() + static_cast<std::ptrdiff_t>(i * warp_size);
        values.requests[i].values.assign(first, first + warp_size);
    }
    if (values.history) {
        values.history->initial = history.initial();
        values.history->writes = history.writes();
        values.history->before_step = history.writes_before_step();
        // A word that nobody had written at the step has the type of its first store.
        if (values.history->type == ptx::Type::none && !history.writes().empty())
            values.history->type = values.data_types[history.writes().front().site];
        find_races(values, run->problems());
    }
    return {};
}

}  // namespace

Result<StepValues> step_values(Pipeline& pipeline, const ValuesRequest& request,
                               const std::function<bool()>& cancelled) {
    const auto begin = std::chrono::steady_clock::now();
    WARPLENS_TRY(auto launch, pipeline.load(request.launch));
    if (!launch.module) return fail("values are read from PTX registers, which a .cubin does not have");
    if (launch.level != Level::ptx) return fail("values are read from PTX registers: use --level ptx");
    const std::shared_ptr<const ptx::Module> module = launch.module;
    StepValues values;
    values.named.program = launch.program;
    simt::StepReplay replay(*launch.code, *module, launch.launch.geometry, request.question.at);
    simt::RunOptions options;
    options.watch = &replay;
    options.cancelled = cancelled;
    WARPLENS_TRY(const auto run, run_again(launch, request, replay, options));
    if (cancelled()) return fail("the search for values was cancelled");
    values.named.launch = run->launch();
    values.steps = run->steps();
    values.state = replay.take();
    if (values.state.site == no_index)
        return fail("warp {} of block {} has no step {}", request.question.at.warp, request.question.at.block,
                    request.question.at.step);
    const LaneMask lanes = values.state.executed.bits != 0 ? values.state.executed : values.state.active;
    values.lane = request.question.lane >= 0 ? request.question.lane : lanes.lowest();
    if (!request.alone) values.blocks_before = blocks_before(request);
    Text text(*module, values.named.program);
    for (SiteId site = 0; site < values.named.program.sites.size(); ++site)
        values.data_types.push_back(text.data_type(site));
    name_registers(values, *module, text);
    WARPLENS_TRY(follow_memory(values, std::move(launch), request, cancelled));
    values.milliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    return values;
}

Result<StepValues> values_of_scene(Pipeline& pipeline, const Scene& scene, const ValuesQuestion& question,
                                   const std::function<bool()>& cancelled) {
    if (!scene.kernel || scene.trace->launch.engine != "simt")
        return fail("values are computed by the CPU engine, for a kernel that it ran");
    ValuesRequest request;
    request.launch.kernel = scene.kernel;
    for (const auto& [name, value] : scene.parameters)
        request.launch.overrides[name] = instrumentation::to_string(value);
    request.launch.gpu = scene.trace->launch.gpu;
    const std::vector<std::uint64_t> blocks = trace::recorded_blocks(*scene.trace);
    if (scene.report->blocks_executed == scene.trace->launch.geometry.blocks()) {
        request.run.emplace_back();  // of which the Trace may hold some blocks
    } else {
        request.run.push_back({blocks.front()});
        request.run.emplace_back(blocks.begin() + 1, blocks.end());
    }
    request.alone = !depends_on_other_blocks(*scene.trace, question.at.block);
    request.max_steps_per_warp = picture_steps_per_warp;
    request.question = question;
    return step_values(pipeline, request, cancelled);
}

ValuesQuestion question_of_spot(const trace::Trace& trace, const Spot& spot) {
    Spot in_trace = spot;
    if (in_trace.warp_record >= trace.warps.size()) in_trace = {};
    if (in_trace.warp_record == no_index) in_trace.warp_record = 0;
    const trace::WarpRecord& warp = trace.warps[in_trace.warp_record];
    return {{warp.block, warp.warp, step_of_spot(trace, in_trace).value_or(0)}, in_trace.lane, std::nullopt};
}

ValuesQuestion question_of_exchanges(const trace::Trace& trace, std::uint32_t warp_record) {
    const std::uint32_t index = warp_record < trace.warps.size() ? warp_record : 0;
    const trace::WarpRecord& warp = trace.warps[index];
    return {{warp.block, warp.warp, std::max<std::uint64_t>(steps_of_warp(trace, index), 1) - 1}, -1, {}};
}

std::string place_text(const simt::PlaceBytes& bytes, std::uint32_t count, ptx::Type type) {
    const auto size = static_cast<std::uint32_t>(std::clamp(ptx::size_of(type), 1, 8));
    std::string text;
    for (std::uint32_t at = 0; at + size <= count; at += size) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, bytes.data() + at, size);
        if (at != 0) text += ", ";
        text += value_text(bits, type == ptx::Type::none ? of_size(size) : type);
    }
    return text;
}

std::string shared_name(const StepValues& values, std::uint64_t offset) {
    return analysis::element_name(values.named, Space::shared, offset, simt::SharedState::word_bytes);
}

std::string register_text(const RegisterValue& value, int lane, bool after) {
    const LaneMask written = after ? value.state.written_after : value.state.written_before;
    if (!written.has(lane)) return "–";
    const auto& bits = after ? value.state.after : value.state.before;
    return value_text(bits[static_cast<std::size_t>(lane)], value.type);
}

}  // namespace warplens::app

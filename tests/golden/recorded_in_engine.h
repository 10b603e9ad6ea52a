// A launch recorded without a GPU: the instrumented PTX is executed by the CPU engine, with the recording
// space among its buffers, and read back as from a device.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "app/command_line/target.h"
#include "app/pipeline/bind_images.h"
#include "app/pipeline/pipeline.h"
#include "instrumentation/catalog/arguments.h"
#include "instrumentation/decode/address_hash.h"
#include "instrumentation/decode/decode.h"
#include "instrumentation/rewrite/instrument.h"
#include "ptx/parser.h"
#include "trace/agreement.h"
#include "trace/check.h"
#include "trace/module_variables.h"
#include "trace/query.h"
#include "trace/recorder.h"

namespace warplens::app {

namespace instr = instrumentation;

/// What is executed of an instrumented PTX.
class RecordingForm {
  public:
    virtual ~RecordingForm() = default;
    virtual Result<std::shared_ptr<const simt::Kernel>> load(const std::string& ptx,
                                                             const std::string& entry) = 0;
    virtual simt::StepWatch* watch() = 0;
};

struct EngineRecordingOptions {
    instr::RecordMode mode = instr::RecordMode::light;
    std::vector<std::uint64_t> executed;  // empty: the whole grid
    std::vector<std::uint64_t> recorded;  // empty: all of the grid; `executed` holds them
    std::uint32_t chunk_units = 0;        // 0: the least
    std::uint64_t pool_chunks = 1u << 14;
    std::optional<std::uint64_t> space_bytes;  // instead of pool_chunks
    bool slabs = true;
    bool known_launch = false;  // the code is made for this launch
    bool narrow = true;
    bool replay = false, replay_loads = false;
    bool predict_whole = false;
    bool predict_bounds = true, leave_at_once = false;
    std::vector<BasicBlockId> parting = {};
    std::uint32_t log_words = 0, log_bits = 0, tally_bits = 0, pass_bits = 0, lane_units = 0, value_words = 0;
    std::optional<std::uint32_t> sm_set;  // the bits of SM 0 … 31
    RecordingForm* form = nullptr;  // of the recording; null: the PTX. The clean launch is always the PTX's
};

/// The events of the original kernel and of its recording.
struct EngineRecording {
    std::shared_ptr<trace::Trace> clean, recorded;
    instr::Instrumented instrumented;
    instr::Decoded decoded;
    instr::ReadBack read;
    std::vector<std::byte> space;
    bool same_results = false;
    std::string difference;  // the first byte that differs; empty: none
    std::optional<instr::AddressHash::Difference> hash_difference;  // proof
};

class RecordingEngine {
  public:
    explicit RecordingEngine(LoadedLaunch launch) : launch_(std::move(launch)) {}

    const LoadedLaunch& launch() const { return launch_; }

    Result<EngineRecording> record(const EngineRecordingOptions& options) {
        EngineRecording done;
        simt::GlobalMemory clean;
        auto arguments = place(clean, launch_.program.parameters);
        if (!arguments) return tl::unexpected(arguments.error());
        trace::Recorder recorder(launch_.launch, launch_.program, {options.recorded});
        if (auto status = run(*launch_.code, *arguments, clean, options, &recorder); !status)
            return tl::unexpected(status.error());
        done.clean = std::make_shared<trace::Trace>(recorder.take());
        done.clean->launch.variables = variables_in(clean);

        instr::InstrumentOptions how;
        how.mode = options.mode;
        how.narrow = options.narrow;
        how.replay = options.replay;
        how.replay_loads = options.replay_loads;
        how.predict_whole = options.predict_whole;
        how.predict_bounds = options.predict_bounds;
        how.leave_at_once = options.leave_at_once;
        how.parting = options.parting;
        how.log_words = options.log_words;
        how.log_bits = options.log_bits;
        how.tally_bits = options.tally_bits;
        how.pass_bits = options.pass_bits;
        how.lane_units = options.lane_units;
        how.value_words = options.value_words;
        how.cold_in_place = !options.form;
        // Code that serves every launch knows of no clusters.
        if (options.known_launch || launch_.launch.geometry.cluster.count() > 1)
            how.launch = {.geometry = launch_.launch.geometry,
                          .selects_blocks = !options.recorded.empty(),
                          .selects_sms = options.sm_set.has_value(),
                          .has_slabs = options.slabs};
        how.shared_bytes = launch_.code->static_shared_bytes() + launch_.launch.geometry.dynamic_shared_bytes;
        auto instrumented = instr::instrument(*launch_.module, launch_.program.entry, how);
        if (!instrumented) return tl::unexpected(instrumented.error());
        done.instrumented = std::move(*instrumented);
        const std::string text =
            options.form ? done.instrumented.ptx : with_reserved_memory(done.instrumented.ptx);
        auto module = ptx::parse(text, "instrumented.ptx");
        if (!module) return tl::unexpected(module.error());
        auto code = simt::Kernel::load(*module, launch_.program.entry, text);
        if (!code) return tl::unexpected(code.error());
        std::vector<Parameter> parameters = (*code)->program().parameters;
        if (options.form) code = options.form->load(text, launch_.program.entry);
        if (!code) return tl::unexpected(code.error());
        for (const auto& form : (*code)->unsupported())
            return fail("the engine does not execute {} of the instrumented PTX", form.spelling);

        simt::GlobalMemory memory;
        const Parameter extra = parameters.back();
        parameters.pop_back();
        auto recording_arguments = place(memory, parameters);
        if (!recording_arguments) return tl::unexpected(recording_arguments.error());
        done.read.arguments = *recording_arguments;
        if (auto status = place_space(memory, done, options); !status) return tl::unexpected(status.error());
        recording_arguments->resize(extra.offset + sizeof(instr::SpaceParameter));
        std::memcpy(recording_arguments->data() + extra.offset, &done.read.parameter,
                    sizeof(instr::SpaceParameter));
        if (auto status = run(**code, *recording_arguments, memory, options, nullptr,
                              options.form ? options.form->watch() : nullptr);
            !status)
            return tl::unexpected(status.error());

        done.difference = first_difference(clean, memory, options.form != nullptr);
        done.same_results = done.difference.empty();
        done.space = memory.find(space_name)->data;
        done.read.bytes = done.space;
        done.read.blocks = options.recorded;
        for (std::size_t i = 0; i < launch_.prepared.buffers.size(); ++i)
            done.read.memory.push_back({launch_.launch.buffers[i].base, launch_.prepared.buffers[i].data});
        done.read.symbol_bases = instr::engine_symbol_bases(done.instrumented.plan, launch_.program);
        if (options.mode == instr::RecordMode::proof) {
            if (auto status = prove(done, options); !status) return tl::unexpected(status.error());
        }
        trace::Recorder again(launch_.launch, launch_.program, {options.recorded});
        auto decoded = instr::decode(done.instrumented.plan, launch_.program, launch_.launch.geometry,
                                     done.read, &again);
        if (!decoded) return tl::unexpected(decoded.error());
        done.decoded = std::move(*decoded);
        if (hash_) done.hash_difference = hash_->first_difference(done.decoded);
        done.recorded = std::make_shared<trace::Trace>(again.take());
        done.recorded->launch.variables = variables_in(memory);
        return done;
    }

  private:
    static constexpr const char* space_name = "recording space";
    static constexpr std::uint64_t space_address = 0x1'0000'0000;  // below the engine's buffers
    static constexpr std::uint64_t sets_address = 0x0'1000'0000;

    /// A GPU reserves the first kilobyte of shared memory, and constants may begin anywhere; variables placed
    /// before all others have the same effect here.
    static std::string with_reserved_memory(std::string ptx) {
        const auto insert = [&](const std::string& before, const std::string& what) {
            const std::size_t at = ptx.find(before);
            if (at == std::string::npos) ADD_FAILURE() << "the instrumented PTX has no " << before;
            else ptx.insert(at, what);
        };
        insert(".address_size 64", "");
        ptx.insert(ptx.find('\n', ptx.find(".address_size 64")) + 1,
                   ".shared .align 16 .b8 warplens_reserved[1024];\n"
                   ".const .align 16 .b8 warplens_constants[64] = {1, 2, 3};\n");
        insert("mov.u32 %warplens_start, %clock",
               "mov.u32 %warplens_start, warplens_reserved;\nmov.u32 %warplens_start, warplens_constants;\n");
        return ptx;
    }

    Result<std::vector<std::byte>> place(simt::GlobalMemory& memory,
                                         const std::vector<Parameter>& parameters) {
        std::vector<std::uint64_t> addresses;
        launch_.launch.buffers.clear();
        for (const instr::PreparedBuffer& buffer : launch_.prepared.buffers) {
            addresses.push_back(memory.allocate(buffer.name, buffer.data));
            launch_.launch.buffers.push_back({buffer.name, buffer.element_type, buffer.element_bytes,
                                              addresses.back(), buffer.data.size()});
        }
        return instr::lay_out_arguments(launch_.prepared, parameters, addresses,
                                        app::bind_images(launch_.prepared, addresses, memory));
    }

    Status run(const simt::Kernel& code, const std::vector<std::byte>& arguments, simt::GlobalMemory& memory,
               const EngineRecordingOptions& options, trace::Observer* observer,
               simt::StepWatch* watch = nullptr) {
        simt::RunOptions how;
        how.watch = watch;
        how.blocks = options.executed;
        const auto result = simt::run(code, launch_.launch.geometry, arguments, memory, how, observer);
        for (const Problem& problem : result.problems)
            return fail("{}: {} ({})", observer ? "clean" : "instrumented", problem.message, problem.line);
        if (!result.completed) return fail("the run did not complete");
        return {};
    }

    /// Runs the kernel as it is once more and hashes its addresses.
    Status prove(EngineRecording& done, const EngineRecordingOptions& options) {
        hash_ = std::make_unique<instr::AddressHash>(done.instrumented.plan, launch_.program,
                                                     launch_.launch.geometry, done.read);
        simt::GlobalMemory memory;
        auto arguments = place(memory, launch_.program.parameters);
        if (!arguments) return tl::unexpected(arguments.error());
        return run(*launch_.code, *arguments, memory, options, hash_.get());
    }

    Status place_space(simt::GlobalMemory& memory, EngineRecording& done,
                       const EngineRecordingOptions& options) {
        const LaunchGeometry& geometry = launch_.launch.geometry;
        const instr::RecordingPlan& plan = done.instrumented.plan;
        instr::SpaceParameter& parameter = done.read.parameter;
        const std::uint64_t blocks = options.recorded.empty() ? geometry.blocks() : options.recorded.size();
        const auto warps = static_cast<std::uint64_t>(geometry.warps_per_block());
        parameter.base = space_address;
        parameter.chunk_units =
            plan.fixed_chunks ? plan.min_chunk_units : std::max(options.chunk_units, plan.min_chunk_units);
        parameter.slabs = options.slabs ? static_cast<std::uint32_t>(blocks * warps) : 0;
        parameter.chunks = static_cast<std::uint32_t>(1 + parameter.slabs + options.pool_chunks);
        if (options.space_bytes) {
            const std::uint64_t chunk = std::uint64_t{parameter.chunk_units} * instr::unit_bytes;
            parameter.chunks = static_cast<std::uint32_t>(
                1 + (*options.space_bytes - instr::head_bytes(plan.symbols.size())) / chunk);
        }
        parameter.address_high = static_cast<std::uint32_t>(memory.allocations().front().base >> 32);
        std::vector<std::byte> space(
            instr::chunk_offset(parameter.chunks, parameter.chunk_units, plan.symbols.size()));
        instr::SpaceHead head;
        head.next_chunk = 1 + parameter.slabs;
        std::memcpy(space.data(), &head, sizeof(head));
        if (auto status = memory.allocate_at(parameter.base, space_name, std::move(space)); !status)
            return status;
        std::uint64_t free = sets_address;
        const auto put = [&](const char* name, std::vector<std::byte> bytes, std::uint64_t& address) {
            address = free;
            free += (bytes.size() + 511) / 256 * 256;
            return memory.allocate_at(address, name, std::move(bytes));
        };
        if (!options.recorded.empty()) {
            std::vector<instr::BlockSetWord> words(geometry.blocks() / 32 + 1);
            for (const std::uint64_t block : options.recorded) words[block / 32].bits |= 1u << block % 32;
            for (std::size_t i = 1; i < words.size(); ++i)
                words[i].rank =
                    words[i - 1].rank + static_cast<std::uint32_t>(std::popcount(words[i - 1].bits));
            std::vector<std::byte> bytes(words.size() * sizeof(words[0]));
            std::memcpy(bytes.data(), words.data(), bytes.size());
            if (auto status = put("block set", std::move(bytes), parameter.block_set); !status) return status;
        }
        if (options.sm_set) {
            std::vector<std::byte> bytes(4);
            std::memcpy(bytes.data(), &*options.sm_set, 4);
            if (auto status = put("SM set", std::move(bytes), parameter.sm_set); !status) return status;
        }
        return {};
    }

    std::vector<trace::Buffer> variables_in(const simt::GlobalMemory& memory) const {
        return trace::module_variables(launch_.program, [&](const std::string& name) {
            const simt::Allocation* held = memory.find(name);
            return held ? std::optional(held->base) : std::nullopt;
        });
    }

    /// `anywhere`: variables may have other addresses than in the clean launch.
    static std::string first_difference(const simt::GlobalMemory& clean, const simt::GlobalMemory& recorded,
                                        bool anywhere) {
        for (const simt::Allocation& allocation : clean.allocations()) {
            const simt::Allocation* other = recorded.find(allocation.name);
            if (!other || other->data.size() != allocation.data.size())
                return allocation.name + " is missing";
            if (!anywhere && other->base != allocation.base) return allocation.name + " is elsewhere";
            // Buffers are large and tests are not optimized, so the byte is looked for only where there is
            // one.
            if (std::memcmp(allocation.data.data(), other->data.data(), other->data.size()) == 0) continue;
            const auto [a, b] = std::ranges::mismatch(allocation.data, other->data);
            return fmt::format("byte {} of {}", a - allocation.data.begin(), allocation.name);
        }
        return {};
    }

    LoadedLaunch launch_;
    std::unique_ptr<instr::AddressHash> hash_;
};

/// The kernel left what it leaves without recording, and its records are those of the CPU engine.
inline void expect_agreement(const EngineRecording& recording, instr::RecordMode mode) {
    EXPECT_TRUE(recording.same_results);
    EXPECT_FALSE(recording.decoded.warps_apart);
    EXPECT_FALSE(recording.decoded.slabs_full);
    EXPECT_EQ(recording.decoded.left_out(), 0u) << recording.decoded.first_damage;
    EXPECT_FALSE(recording.decoded.replay_differs);
    const auto agreement =
        trace::compare(*recording.clean, *recording.recorded, {mode == instr::RecordMode::full});
    EXPECT_TRUE(agreement.exact()) << (agreement.first ? agreement.first->sentence : "");
    EXPECT_FALSE(recording.hash_difference);
}

}  // namespace warplens::app

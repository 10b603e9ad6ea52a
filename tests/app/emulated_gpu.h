// A Gpu emulated by the CPU engine: it executes the instrumented PTX with the recording space among its
// buffers. So everything except the driver is the real path. Scripts make it refuse and fail.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/pipeline/gpu/gpu.h"
#include "instrumentation/rewrite/recording_space.h"
#include "ptx/parser.h"
#include "simt/functional/engine.h"

namespace warplens::app {

namespace instr = instrumentation;

class EmulatedGpu {
  public:
    instr::DeviceFacts facts{"NVIDIA H200", "580.159.04, CUDA 13.0", 9, 0, 132, 1.98e9, 0, 0};
    std::optional<instr::GpuFailure> absent;            // the error that device() returns instead
    std::deque<instr::GpuFailure> failures;             // of the next runs
    std::vector<std::vector<instr::GpuVariant>> asked;  // by run
    std::uint64_t most_space = 0;                       // of the first run: a smaller space than requested
    bool apart = false;                                 // whoever relies on whole warps was wrong
    bool other_addresses = false;                       // the first run's hash of addresses is another one
    bool outside_narrow = false;                        // the counter that narrow recordings report
    int registers = 30;                                 // of a recorded form; the kernel itself has 24
    bool moves_buffers = false;                         // each run has them elsewhere
    std::set<std::string> assembled;                    // PTX of forms that assemble() was given

    /// Forms of a run that assemble() was not given.
    std::size_t not_assembled(std::size_t run) const {
        return static_cast<std::size_t>(std::ranges::count_if(
            asked[run], [&](const instr::GpuVariant& form) { return !assembled.contains(form.ptx); }));
    }

    Gpu gpu() {
        Gpu gpu;
        gpu.lowest_first = true;
        gpu.device = [this]() -> instr::GpuResult<instr::DeviceFacts> {
            if (absent) return tl::unexpected(*absent);
            return facts;
        };
        gpu.run = [this](const instr::GpuLaunch& launch, const std::vector<instr::GpuVariant>& variants,
                         const instr::GpuRunOptions& options) { return run(launch, variants, options); };
        gpu.assemble = [this](const instr::DeviceFacts&, const instr::GpuLaunch&,
                              const std::vector<instr::GpuVariant>& variants, const std::function<bool()>&) {
            for (const instr::GpuVariant& variant : variants) assembled.insert(variant.ptx);
        };
        return gpu;
    }

  private:
    struct Execution {
        simt::GlobalMemory memory;
        std::vector<std::uint64_t> addresses;
    };

    /// The kernel of `ptx` on fresh buffers; `extra` makes the last parameter's bytes.
    template <class Extra>
    Execution execute(const instr::GpuLaunch& launch, const std::string& ptx, const Extra& extra) {
        Execution done;
        const auto module = ptx::parse(ptx, "emulated.ptx");
        if (!module) throw std::runtime_error(module.error().message);
        const auto kernel = simt::Kernel::load(*module, launch.entry, ptx);
        if (!kernel) throw std::runtime_error(kernel.error().message);
        if (moves_buffers) done.memory.allocate("before them", std::vector<std::byte>(asked.size() << 20));
        for (const auto& buffer : launch.buffers)
            done.addresses.push_back(
                done.memory.allocate(buffer.name, {buffer.data.begin(), buffer.data.end()}));
        std::vector<std::byte> arguments = launch.arguments;
        for (const auto& pointer : launch.pointers)
            std::memcpy(arguments.data() + pointer.offset, &done.addresses[pointer.buffer], 8);
        extra(done, (*kernel)->program().parameters, arguments);
        const auto result = simt::run(**kernel, launch.geometry, arguments, done.memory, {}, nullptr);
        for (const Problem& problem : result.problems) throw std::runtime_error(problem.message);
        return done;
    }

    Execution record(const instr::GpuLaunch& launch, const instr::GpuVariant& variant,
                     instr::SpaceParameter& parameter) {
        return execute(
            launch, variant.ptx,
            [&](Execution& run, const std::vector<Parameter>& parameters, std::vector<std::byte>& arguments) {
                const std::uint64_t warps = static_cast<std::uint64_t>(launch.geometry.warps_per_block());
                const std::uint64_t blocks =
                    variant.blocks.empty() ? launch.geometry.blocks() : variant.blocks.size();
                std::uint64_t bytes = variant.space_bytes;
                if (most_space != 0 && asked.size() == 1) bytes = std::min(bytes, most_space);
                const std::uint64_t chunk = std::uint64_t{variant.chunk_units} * instr::unit_bytes;
                parameter.chunk_units = variant.chunk_units;
                parameter.chunks =
                    static_cast<std::uint32_t>(1 + (bytes - instr::head_bytes(variant.symbols)) / chunk);
                const bool slabs = variant.sms.empty() && blocks * warps < parameter.chunks;
                parameter.slabs = slabs ? static_cast<std::uint32_t>(blocks * warps) : 0;
                parameter.address_high =
                    run.addresses.empty() ? 0 : static_cast<std::uint32_t>(run.addresses.front() >> 32);
                std::vector<std::byte> space(
                    instr::chunk_offset(parameter.chunks, variant.chunk_units, variant.symbols));
                instr::SpaceHead head;
                head.next_chunk = 1 + parameter.slabs;
                head.warps_apart = apart && variant.ptx.find("%warplens_apart") != std::string::npos;
                head.outside_narrow = outside_narrow && asked.size() == 1;
                std::memcpy(space.data(), &head, sizeof head);
                if (other_addresses && asked.size() == 1 && variant.mode != instr::RecordMode::light)
                    space[instr::head_bytes(variant.symbols) + offsetof(instr::WarpHead, block)] =
                        std::byte{1};  // to which the kernel adds
                parameter.base = run.memory.allocate("recording space", std::move(space));
                if (!variant.blocks.empty()) parameter.block_set = put_blocks(run, launch, variant);
                if (!variant.sms.empty()) parameter.sm_set = put_sms(run, variant);
                const Parameter& last = parameters.back();
                arguments.resize(last.offset + sizeof parameter);
                std::memcpy(arguments.data() + last.offset, &parameter, sizeof parameter);
            });
    }

    static std::uint64_t put_blocks(Execution& run, const instr::GpuLaunch& launch,
                                    const instr::GpuVariant& variant) {
        std::vector<instr::BlockSetWord> words(launch.geometry.blocks() / 32 + 1);
        for (const std::uint64_t block : variant.blocks) words[block / 32].bits |= 1u << block % 32;
        for (std::size_t i = 1; i < words.size(); ++i)
            words[i].rank = words[i - 1].rank + static_cast<std::uint32_t>(std::popcount(words[i - 1].bits));
        std::vector<std::byte> bytes(words.size() * sizeof words[0]);
        std::memcpy(bytes.data(), words.data(), bytes.size());
        return run.memory.allocate("block set", std::move(bytes));
    }

    /// The CPU engine runs everything on SM 0.
    static std::uint64_t put_sms(Execution& run, const instr::GpuVariant& variant) {
        std::vector<std::byte> bytes(64);
        for (const int sm : variant.sms) bytes[std::size_t(sm) / 8] |= std::byte(1u << sm % 8);
        return run.memory.allocate("SM set", std::move(bytes));
    }

    instr::GpuResult<instr::GpuRunResult> run(const instr::GpuLaunch& launch,
                                              const std::vector<instr::GpuVariant>& variants,
                                              const instr::GpuRunOptions& options) {
        asked.push_back(variants);
        if (!failures.empty()) {
            auto failure = failures.front();
            failures.pop_front();
            return tl::unexpected(failure);
        }
        instr::GpuRunResult result;
        const Execution clean = execute(launch, launch.ptx, [](const auto&, const auto&, const auto&) {});
        result.clean = {10.0, 24, 0, 128, 8};
        result.buffer_addresses = clean.addresses;
        spaces_.clear();
        for (const auto& variant : variants) {
            instr::GpuVariantResult recorded;
            Execution run = record(launch, variant, recorded.parameter);
            recorded.kernel = {12.5, variant.few_registers ? 30 : registers, 0, 128, 8};
            for (const auto& buffer : launch.buffers)
                if (run.memory.find(buffer.name)->data != clean.memory.find(buffer.name)->data)
                    recorded.identical_results = false;
            spaces_.push_back(run.memory.find("recording space")->data);
            recorded.space = spaces_.back();
            result.variants.push_back(recorded);
        }
        if (options.read_buffers)
            for (const auto& buffer : launch.buffers) {
                const auto& data = clean.memory.find(buffer.name)->data;
                result.buffers.emplace_back(data.begin(), data.begin() + long(buffer.data.size()));
            }
        return result;
    }

    std::deque<std::vector<std::byte>> spaces_;
};

}  // namespace warplens::app

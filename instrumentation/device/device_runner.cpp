#include "instrumentation/device/device_runner.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "instrumentation/device/helper_kernels.h"
#include "instrumentation/device/launch_kernel.h"

namespace warplens::instrumentation {

using Kind = GpuFailure::Kind;

namespace {

constexpr unsigned delay_cycles = 20000;  // longer than queueing three calls takes

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1) return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

std::size_t space_parameter_offset(const RunRequest& request) {
    return (request.arguments.size() + 7) / 8 * 8;
}

std::string subject_of(const std::string& name, RecordMode mode) {
    return fmt::format("{} with {} recording", name, name_of(mode));
}

}  // namespace

std::string plain_name(const std::string& entry) {
    int status = 0;
    char* const text = abi::__cxa_demangle(entry.c_str(), nullptr, nullptr, &status);
    std::string name = status == 0 && text ? text : entry;
    std::free(text);
    name = name.substr(0, name.find('('));
    const std::size_t type = name.rfind(' ', name.find('<'));  // "void f<4>" names its result first
    return type == std::string::npos ? name : name.substr(type + 1);
}

struct DeviceRunner::Page {
    alignas(4096) std::byte bytes[4096];
};

DeviceRunner::DeviceRunner(DeviceCalls& calls, Channel& channel)
    : calls_(calls),
      channel_(channel),
      modules_(calls),
      buffers_(calls),
      recording_(calls),
      sets_(calls),
      flush_(calls),
      page_(new Page, [](Page* page) { delete page; }) {
    head_ = reinterpret_cast<SpaceHead*>(page_->bytes);
    calls_.driver().register_host(page_->bytes, sizeof(Page), 0);  // a slower copy where it cannot
    calls_.ok(calls_.driver().create_event(&before_, 0), "making an event");
    calls_.ok(calls_.driver().create_event(&after_, 0), "making an event");
    if (load_helpers()) modules_.take_load_ms();  // of no run
}

bool DeviceRunner::get_blobs(const RunRequest& request) {
    std::vector<std::uint64_t> missing_bytes(request.blobs.size());
    Json missing = Json::array();
    const auto need = [&](std::uint32_t blob, bool held) {
        if (held || missing_bytes[blob] > 0 || request.blobs[blob].bytes == 0) return;
        missing_bytes[blob] = request.blobs[blob].bytes;
        missing.push_back(blob);
    };
    for (std::uint32_t i = 0; i < request.buffers.size(); ++i) {
        need(request.buffers[i], buffers_.holds(i, request.blobs[request.buffers[i]].hash));
    }
    if (request.run_clean) need(request.module, modules_.holds(request.blobs[request.module].hash));
    std::vector<std::uint32_t> sets;
    for (const VariantRequest& variant : request.variants) {
        need(variant.module, modules_.holds(request.blobs[variant.module].hash));
        for (const std::uint32_t set : {variant.block_set, variant.sm_set}) {
            if (set == no_index) continue;
            need(set, sets_.holds(request.blobs[set].hash));
            sets.push_back(set);
        }
    }
    texts_.clear();
    if (missing.size() > 0) {
        if (!report_phase(Phase::upload, calls_.subject())) return false;
        if (!send({{"tell", "blobs"}, {"missing", missing}})) return false;
        const auto left = [&] {
            return std::any_of(missing_bytes.begin(), missing_bytes.end(), [](auto n) { return n > 0; });
        };
        while (left()) {
            if (!take_pieces(request, missing_bytes)) return false;
        }
        if (!not_cancelled()) return false;
    }
    for (std::uint32_t i = 0; i < request.buffers.size(); ++i) {
        buffers_.set_content(i, request.blobs[request.buffers[i]].hash);
    }
    for (const std::uint32_t set : sets) {
        const std::string& hash = request.blobs[set].hash;
        if (!sets_.holds(hash) && !sets_.put(hash, texts_[set])) return false;
    }
    return true;
}

bool DeviceRunner::load_missing(const RunRequest& request) {
    const std::string name = plain_name(request.entry);
    std::vector<ModuleText> missing;
    const auto need = [&](std::uint32_t module, const std::string& subject) {
        const std::string& hash = request.blobs[module].hash;
        const auto same = [&](const ModuleText& text) { return text.hash == hash; };
        if (modules_.holds(hash) || std::any_of(missing.begin(), missing.end(), same)) return;
        missing.push_back({hash, texts_[module], subject});
    };
    if (request.run_clean) need(request.module, name);
    for (const VariantRequest& variant : request.variants) {
        need(variant.module, subject_of(name, variant.mode));
    }
    if (missing.empty()) return true;
    return not_cancelled() && report_phase(Phase::load, name) && modules_.load(missing);
}

bool DeviceRunner::load(const RunRequest& request, std::uint32_t module, std::string subject,
                        Loaded& loaded) {
    loaded.subject = std::move(subject);
    const std::string& hash = request.blobs[module].hash;
    calls_.set_subject(loaded.subject);
    loaded.function = modules_.find(hash, request.entry);
    if (!loaded.function || !prepare_kernel(calls_, loaded.function, request.geometry, loaded.facts)) {
        return false;
    }
    loaded.arguments = request.arguments;
    for (const GpuLaunch::Pointer& pointer : request.pointers) {
        std::uint64_t address = 0;  // the argument holds the offset into the buffer
        std::memcpy(&address, loaded.arguments.data() + pointer.offset, sizeof(address));
        address += buffers_.address(pointer.buffer);
        std::memcpy(loaded.arguments.data() + pointer.offset, &address, sizeof(address));
    }
    return true;
}

bool DeviceRunner::load_helpers() {
    const std::string hash = "helpers";
    if (!modules_.holds(hash) && !modules_.load({{hash, helper_ptx, "Warplens's own kernels"}})) return false;
    compare_ = modules_.find(hash, compare_kernel);
    delay_ = modules_.find(hash, delay_kernel);
    return compare_ && delay_;
}

bool DeviceRunner::set_up_space(const RunRequest& request, const VariantRequest& asked,
                                VariantAnswer& answer) {
    SpaceParameter& parameter = answer.parameter;
    const std::uint64_t bytes = std::min(asked.space_bytes, recording_.bytes());
    const std::uint32_t chunks = chunks_in(bytes, asked.chunk_units, asked.symbols);
    if (chunks < 2) {
        return calls_.fail_with(Kind::out_of_memory,
                                fmt::format("{} has {} for its recording, which is too little",
                                            calls_.subject(), bytes_text(bytes)));
    }
    parameter.base = recording_.address();
    parameter.chunk_units = asked.chunk_units;
    parameter.chunks = chunks;
    parameter.slabs = asked.slabs < chunks ? static_cast<std::uint32_t>(asked.slabs) : 0;
    parameter.address_high = buffers_.address_high();
    if (asked.block_set != no_index) parameter.block_set = sets_.address(request.blobs[asked.block_set].hash);
    if (asked.sm_set != no_index) parameter.sm_set = sets_.address(request.blobs[asked.sm_set].hash);
    return true;
}

bool DeviceRunner::prepare(const RunRequest& request, RunAnswer& answer, Loaded& clean,
                           std::vector<Loaded>& variants) {
    const std::string name = plain_name(request.entry);
    if (!report_phase(Phase::load, name)) return false;
    std::vector<std::uint64_t> sizes;
    for (const std::uint32_t blob : request.buffers) sizes.push_back(request.blobs[blob].bytes);
    calls_.give_up_memory = [this] {
        recording_.release();
        sets_.release();
        flush_.release();
    };
    const bool reserved = buffers_.reserve(sizes, request.run_clean && !request.variants.empty());
    calls_.give_up_memory = nullptr;
    if (!reserved) return false;
    std::uint64_t most = 0, least = 0;
    for (const VariantRequest& variant : request.variants) {
        most = std::max(most, variant.space_bytes);
        least = std::max(
            least, std::min(variant.space_bytes, chunk_offset(4, variant.chunk_units, variant.symbols)));
    }
    if (!request.variants.empty() && !recording_.reserve(most, least)) return false;
    if (!get_blobs(request) || !load_missing(request) || !load_helpers()) return false;
    if (request.run_clean && !load(request, request.module, name, clean)) return false;
    for (const VariantRequest& variant : request.variants) {
        Loaded& loaded = variants.emplace_back();
        VariantAnswer& variant_answer = answer.variants.emplace_back();
        if (!load(request, variant.module, subject_of(name, variant.mode), loaded)) return false;
        if (!set_up_space(request, variant, variant_answer)) return false;
        loaded.arguments.resize(space_parameter_offset(request) + sizeof(SpaceParameter));
        std::memcpy(loaded.arguments.data() + space_parameter_offset(request), &variant_answer.parameter,
                    sizeof(SpaceParameter));
    }
    for (std::uint32_t i = 0; i < sizes.size(); ++i) answer.buffer_addresses.push_back(buffers_.address(i));
    return true;
}

bool DeviceRunner::launch(const RunRequest& request, Loaded& kernel, bool timed) {
    if (!not_cancelled() || !report_phase(Phase::kernel, kernel.subject) || !buffers_.restore()) return false;
    if (request.cold_caches && !flush_.flush()) return false;
    const cuda::CudaDriver& driver = calls_.driver();
    unsigned cycles = delay_cycles;
    void* delay_arguments[] = {&cycles};
    const char* const doing = "launching it";
    if (!calls_.ok(driver.launch(delay_, 1, 1, 1, 1, 1, 1, 0, calls_.stream(), delay_arguments, nullptr),
                   doing) ||
        !calls_.ok(driver.record_event(before_, calls_.stream()), doing) ||
        !launch_kernel(calls_, kernel.function, request.geometry, kernel.arguments) ||
        !calls_.ok(driver.record_event(after_, calls_.stream()), doing) || !calls_.wait("running it")) {
        return false;
    }
    float ms = 0;
    if (!calls_.ok(driver.elapsed(&ms, before_, after_), "timing it")) return false;
    if (timed) kernel.times_us.push_back(1e3 * std::max(ms, 0.0f));
    return true;
}

bool DeviceRunner::launch_recording(const RunRequest& request, const VariantRequest& asked, Loaded& kernel,
                                    VariantAnswer& answer) {
    const SpaceParameter& parameter = answer.parameter;
    const cuda::CudaDriver& driver = calls_.driver();
    const auto bytes_of = [&](std::uint32_t chunks) {
        return chunk_offset(chunks, parameter.chunk_units, asked.symbols);
    };
    if (!recording_.wipe()) return false;
    recording_.set_written(bytes_of(parameter.chunks));  // until the head says better
    if (!calls_.ok(driver.set_words(parameter.base, 1 + parameter.slabs, 1, calls_.stream()),
                   "setting up the recording") ||
        !launch(request, kernel, true) ||
        !calls_.ok(driver.copy_to_host(head_, parameter.base, sizeof(SpaceHead), calls_.stream()),
                   "reading the recording") ||
        !calls_.wait("reading the recording")) {
        return false;
    }
    // Less than it began with: somebody else wrote there, and only all of it is surely enough.
    const std::uint32_t next = head_->next_chunk;
    const std::uint32_t used =
        next < 1 + parameter.slabs ? parameter.chunks : std::min(next, parameter.chunks);
    answer.read_bytes = bytes_of(used);
    recording_.set_written(answer.read_bytes);
    return true;
}

bool DeviceRunner::finish_recording(const RunRequest& request, std::uint32_t variant, VariantAnswer& answer) {
    if (!report_phase(Phase::results, calls_.subject())) return false;
    if (request.run_clean) {
        if (!buffers_.compare(compare_, request.buffer_names, answer.first_difference)) return false;
        answer.identical_results = answer.first_difference.empty();
    }
    std::byte* start = nullptr;
    return get_region(first_space_region + variant, answer.read_bytes, start) &&
           calls_.ok(
               calls_.driver().copy_to_host(start, answer.parameter.base, answer.read_bytes, calls_.stream()),
               "reading the recording") &&
           calls_.wait("reading the recording");
}

bool DeviceRunner::run(const RunRequest& request, RunAnswer& answer) {
    cancelled_ = false;
    calls_.set_ended_without_recording(false);
    Loaded clean;
    std::vector<Loaded> variants;
    if (!prepare(request, answer, clean, variants)) return false;
    if (!request.streams.variants.empty()) return run_streams(request, clean, answer);
    if (request.run_clean && request.repeats > 1 && !launch(request, clean, false)) return false;
    // In turn, so that a clock that rises or falls meanwhile changes all of their times alike.
    for (int round = 0; round < request.repeats; ++round) {
        calls_.set_ended_without_recording(false);
        if (request.run_clean && !launch(request, clean, true)) return false;
        calls_.set_ended_without_recording(request.run_clean);
        if (request.run_clean && round == 0) {
            if (!request.variants.empty() && !buffers_.keep_reference()) return false;
            std::byte* start = nullptr;
            if (request.read_buffers &&
                (!report_phase(Phase::results, clean.subject) ||
                 !get_region(buffers_region, buffers_.extent(), start) || !buffers_.read(start))) {
                return false;
            }
        }
        for (std::uint32_t i = 0; i < variants.size(); ++i) {
            if (!launch_recording(request, request.variants[i], variants[i], answer.variants[i]))
                return false;
            const bool last = round + 1 == request.repeats;
            if (last && !finish_recording(request, i, answer.variants[i])) return false;
        }
    }
    clean.facts.time_us = median(clean.times_us);
    answer.clean = clean.facts;
    for (std::size_t i = 0; i < variants.size(); ++i) {
        variants[i].facts.time_us = median(variants[i].times_us);
        answer.variants[i].kernel = variants[i].facts;
    }
    answer.load_ms = modules_.take_load_ms();
    return true;
}

void DeviceRunner::tidy() {
    texts_.clear();
    if (calls_.context_lost) return;
    recording_.wipe();
    modules_.trim();
    sets_.trim();
}

}  // namespace warplens::instrumentation

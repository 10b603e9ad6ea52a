#include "core/gpu_spec.h"

#include <array>
#include <cctype>
#include <string>

#include "core/own_gpu.h"

namespace warplens {
namespace {

constexpr int kib = 1024;

// One function per generation: the limits of the CUDA programming guide's table "Technical Specifications per
// Compute Capability", and the allocation units of the toolkit's occupancy calculator.

constexpr GpuSpec capability(int major, int minor) {
    GpuSpec gpu;
    gpu.major = major;
    gpu.minor = minor;
    gpu.registers_per_sm = 65536;
    gpu.register_allocation_unit = 256;
    gpu.max_warps_per_sm = 64;
    gpu.max_blocks_per_sm = 32;
    gpu.shared_allocation_unit = 128;
    gpu.reserved_shared_bytes_per_block = 1 * kib;  // since 8.0
    return gpu;
}

constexpr GpuSpec volta() {
    GpuSpec gpu = capability(7, 0);
    gpu.shared_bytes_per_sm = gpu.max_shared_bytes_per_block = 96 * kib;
    gpu.shared_allocation_unit = 256;
    gpu.reserved_shared_bytes_per_block = 0;
    return gpu;
}

constexpr GpuSpec turing() {
    GpuSpec gpu = volta();
    gpu.minor = 5;
    gpu.max_warps_per_sm = 32;
    gpu.max_blocks_per_sm = 16;
    gpu.shared_bytes_per_sm = gpu.max_shared_bytes_per_block = 64 * kib;
    return gpu;
}

constexpr GpuSpec ampere_8_0() {
    GpuSpec gpu = capability(8, 0);
    gpu.shared_bytes_per_sm = 164 * kib;
    gpu.max_shared_bytes_per_block = 163 * kib;
    return gpu;
}

constexpr GpuSpec ampere_8_6() {
    GpuSpec gpu = capability(8, 6);
    gpu.max_warps_per_sm = 48;
    gpu.max_blocks_per_sm = 16;
    gpu.shared_bytes_per_sm = 100 * kib;
    gpu.max_shared_bytes_per_block = 99 * kib;
    return gpu;
}

constexpr GpuSpec orin_8_7() {
    GpuSpec gpu = ampere_8_6();
    gpu.minor = 7;
    gpu.shared_bytes_per_sm = 164 * kib;
    gpu.max_shared_bytes_per_block = 163 * kib;
    return gpu;
}

constexpr GpuSpec ada() {
    GpuSpec gpu = ampere_8_6();
    gpu.minor = 9;
    gpu.max_blocks_per_sm = 24;
    return gpu;
}

constexpr GpuSpec hopper() {
    GpuSpec gpu = capability(9, 0);
    gpu.shared_bytes_per_sm = 228 * kib;
    gpu.max_shared_bytes_per_block = 227 * kib;
    gpu.min_registers_per_thread = 16;  // measured: the profiler reports 16 for every smaller kernel
    return gpu;
}

constexpr GpuSpec blackwell_10_0() {
    GpuSpec gpu = hopper();
    gpu.major = 10;
    gpu.min_registers_per_thread = 0;
    return gpu;
}

constexpr GpuSpec blackwell_12_0() {
    GpuSpec gpu = ada();
    gpu.major = 12;
    gpu.minor = 0;
    return gpu;
}

// Peaks by unit and type, from the sources that the rows name.

constexpr ComputePeaks fp32_alone(double flops) {
    ComputePeaks peaks;
    peaks.fp32 = flops;
    return peaks;
}

constexpr ComputePeaks v100_peaks{.fp16 = 31.4e12, .fp32 = 15.7e12, .fp64 = 7.8e12, .tensor_fp16 = 125e12};
constexpr ComputePeaks a100_peaks{.fp32 = 19.5e12,
                                  .fp64 = 9.7e12,
                                  .tensor_fp16 = 312e12,
                                  .tensor_tf32 = 156e12,
                                  .tensor_fp64 = 19.5e12,
                                  .tensor_int8 = 624e12};
constexpr ComputePeaks h100_pcie_peaks{.fp16 = 102.4e12,
                                       .fp32 = 51.2e12,
                                       .fp64 = 25.6e12,
                                       .tensor_fp16 = 756e12,
                                       .tensor_tf32 = 378e12,
                                       .tensor_fp64 = 51.2e12,
                                       .tensor_fp8 = 1513e12,
                                       .tensor_int8 = 1513e12};
/// H100 SXM5 and H200, which has the same SMs.
constexpr ComputePeaks hopper_sxm_peaks{.fp16 = 133.8e12,
                                        .fp32 = 66.9e12,
                                        .fp64 = 33.5e12,
                                        .tensor_fp16 = 989.4e12,
                                        .tensor_tf32 = 494.7e12,
                                        .tensor_fp64 = 66.9e12,
                                        .tensor_fp8 = 1978.9e12,
                                        .tensor_int8 = 1978.9e12};

/// bytes_per_second of 0 means: unknown. The clock is the boost clock.
constexpr GpuSpec row(GpuSpec gpu, std::string_view name, int sm_count, double bytes_per_second,
                      const ComputePeaks& peaks, double megahertz, double l2_mib, std::string_view source) {
    gpu.name = name;
    gpu.sm_count = sm_count;
    gpu.dram_bytes_per_second = bytes_per_second;
    gpu.peaks = peaks;
    gpu.boost_clock_hz = megahertz * 1e6;
    gpu.l2_bytes = static_cast<std::uint64_t>(l2_mib * kib * kib);
    gpu.source = source;
    return gpu;
}

// Peaks are at boost clock, as published. Ordered by compute capability, then by size.
constexpr std::array specs{
    row(volta(), "V100", 80, 900e9, v100_peaks, 1530, 6, "NVIDIA Tesla V100 architecture whitepaper, SXM2"),
    row(turing(), "T4", 40, 320e9, fp32_alone(8.1e12), 1590, 4, "NVIDIA T4 product brief"),
    row(turing(), "RTX 2080 Ti", 68, 616e9, fp32_alone(13.4e12), 1545, 5.5,
        "NVIDIA Turing architecture whitepaper, reference board"),
    row(ampere_8_0(), "A100", 108, 1555e9, a100_peaks, 1410, 40,
        "NVIDIA A100 architecture whitepaper, SXM 40 GB"),
    row(ampere_8_0(), "A100 80GB", 108, 2039e9, a100_peaks, 1410, 40, "NVIDIA A100 datasheet, SXM 80 GB"),
    row(ampere_8_6(), "A10", 72, 600e9, fp32_alone(31.2e12), 1695, 6, "NVIDIA A10 datasheet"),
    row(ampere_8_6(), "RTX 3090", 82, 936e9, fp32_alone(35.6e12), 1695, 6,
        "NVIDIA Ampere GA102 architecture whitepaper"),
    row(ampere_8_6(), "RTX A6000", 84, 768e9, fp32_alone(38.7e12), 1800, 6, "NVIDIA RTX A6000 datasheet"),
    row(orin_8_7(), "Jetson AGX Orin", 16, 204.8e9, fp32_alone(5.3e12), 1300, 4,
        "NVIDIA Jetson AGX Orin technical brief, 64 GB"),
    row(ada(), "L4", 58, 300e9, fp32_alone(30.3e12), 2040, 48, "NVIDIA L4 datasheet"),
    row(ada(), "RTX 4090", 128, 1008e9, fp32_alone(82.6e12), 2520, 72, "NVIDIA Ada architecture whitepaper"),
    row(ada(), "L40S", 142, 864e9, fp32_alone(91.6e12), 2520, 96, "NVIDIA L40S datasheet"),
    row(hopper(), "H100 PCIe", 114, 2039e9, h100_pcie_peaks, 1755, 50,
        "NVIDIA H100 architecture whitepaper, PCIe 80 GB"),
    row(hopper(), "H100", 132, 3350e9, hopper_sxm_peaks, 1980, 50,
        "NVIDIA H100 datasheet and architecture whitepaper, SXM5 80 GB"),
    row(hopper(), "H200", 132, 4800e9, hopper_sxm_peaks, 1980, 60,
        "NVIDIA H200 datasheet, SXM; 132 SMs, 60 MiB of L2 and every figure of tests/hardware read off one"),
    row(blackwell_10_0(), "B200", 148, 8000e9, {}, 1965, 126,
        "NVIDIA DGX B200 datasheet; SM count, clock and L2 as the driver reports them"),
    row(blackwell_12_0(), "RTX 5090", 170, 1792e9, fp32_alone(104.8e12), 2407, 96,
        "NVIDIA RTX Blackwell architecture whitepaper"),
    row(blackwell_12_0(), "RTX 5070 Ti", 70, 896e9, fp32_alone(43.9e12), 2452, 48,
        "NVIDIA GeForce RTX 5070 Ti specifications: 8960 cores, 256 bits at 28 Gbit/s"),
};

/// Lower case with everything but letters, digits and dots left out: "NVIDIA RTX-4090" is "nvidiartx4090".
std::string plain(std::string_view name) {
    std::string out;
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) != 0 || c == '.') out.push_back(static_cast<char>(std::tolower(byte)));
    }
    for (const std::string_view word : {"nvidia", "geforce", "tesla"}) {
        if (out.starts_with(word)) out.erase(0, word.size());
    }
    return out;
}

bool names_capability(const std::string& asked, const GpuSpec& gpu) {
    const std::string major = std::to_string(gpu.major);
    const std::string minor = std::to_string(gpu.minor);
    return asked == major + "." + minor || asked == "sm" + major + minor;
}

}  // namespace

std::span<const GpuSpec> gpu_specs() { return specs; }

const GpuSpec& default_gpu() {
    for (const GpuSpec& gpu : specs) {
        if (gpu.name == "H200") return gpu;
    }
    return specs.front();
}

Result<const GpuSpec*> find_gpu(std::string_view name) {
    if (names_own_gpu(name)) {
        WARPLENS_TRY(const auto base, find_gpu(base_name(name)));
        return find_own_gpu(*base, name);
    }
    // A sign is none of the marks that plain() leaves out: "-9.0" is a mistake.
    const bool signed_number = name.starts_with('-') || name.starts_with('+');
    const std::string asked = signed_number ? std::string(name) : plain(name);
    for (const GpuSpec& gpu : specs) {
        if (plain(gpu.name) == asked) return &gpu;
    }
    if (names_capability(asked, default_gpu())) return &default_gpu();
    for (const GpuSpec& gpu : specs) {
        if (names_capability(asked, gpu)) return &gpu;
    }
    std::string names;
    for (const GpuSpec& gpu : specs) names += (names.empty() ? "" : ", ") + std::string(gpu.name);
    return fail("no GPU is named \"{}\"; known are {}, or a compute capability such as 9.0", name, names);
}

}  // namespace warplens

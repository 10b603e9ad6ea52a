#define XXH_INLINE_ALL
#include "instrumentation/device/gpu_request.h"

#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <thread>

namespace warplens::instrumentation {

namespace {

using Kind = GpuFailure::Kind;

constexpr std::size_t most_argument_bytes = 32 * 1024;
constexpr std::size_t most_buffers = 1024, most_variants = 64;
constexpr int most_repeats = 100000;
constexpr int most_sms = 4096;
constexpr std::uint64_t most_set_bytes = std::uint64_t{1} << 30;

template <class... Args>
tl::unexpected<GpuFailure> refuse(fmt::format_string<Args...> format, Args&&... args) {
    return tl::unexpected(GpuFailure{Kind::launch_refused, fmt::format(format, std::forward<Args>(args)...)});
}

constexpr std::size_t slice_bytes = std::size_t{4} << 20;

/// The hash of the hashes of slices, which several threads take: one core reads memory at a fraction of what
/// the machine can.
XXH128_hash_t hash_of_slices(std::span<const std::byte> bytes) {
    std::vector<XXH128_hash_t> hashes((bytes.size() + slice_bytes - 1) / slice_bytes);
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t i = next++; i < hashes.size(); i = next++) {
            const auto slice =
                bytes.subspan(i * slice_bytes, std::min(slice_bytes, bytes.size() - i * slice_bytes));
            hashes[i] = XXH3_128bits(slice.data(), slice.size());
        }
    };
    const std::size_t most = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 8);
    std::vector<std::thread> others(std::min(hashes.size(), most) - 1);
    for (std::thread& other : others) other = std::thread(work);
    work();
    for (std::thread& other : others) other.join();
    return XXH3_128bits(hashes.data(), hashes.size() * sizeof(hashes[0]));
}

/// What content is, and its hash: the same bytes as a module and as a buffer are two blobs.
std::string hash_of(const char* what, std::span<const std::byte> bytes) {
    const XXH128_hash_t hash =
        bytes.size() > 2 * slice_bytes ? hash_of_slices(bytes) : XXH3_128bits(bytes.data(), bytes.size());
    return fmt::format("{}:{:016x}{:016x}:{}", what, hash.high64, hash.low64, bytes.size());
}

class Preparation {
  public:
    PreparedRequest prepared;

    std::uint32_t add(const char* what, std::span<const std::byte> bytes) {
        prepared.request.blobs.push_back({hash_of(what, bytes), bytes.size()});
        prepared.blobs.push_back(bytes);
        return static_cast<std::uint32_t>(prepared.blobs.size() - 1);
    }

    /// Modules may come twice (a variant run again in another way) and are one blob then.
    std::uint32_t add_module(const std::string& module) {
        const auto bytes = std::as_bytes(std::span(module));
        const std::string hash = hash_of("module", bytes);
        for (std::uint32_t i = 0; i < prepared.blobs.size(); ++i) {
            if (prepared.request.blobs[i].hash == hash) return i;
        }
        return add("module", bytes);
    }

    /// `words` as bytes that stay where they are.
    template <class T>
    std::uint32_t add_set(const std::vector<T>& words) {
        const auto bytes = std::as_bytes(std::span(words));
        // The outer vector's elements keep their memory when it grows.
        prepared.sets.emplace_back(bytes.begin(), bytes.end());
        return add("set", prepared.sets.back());
    }
};

std::vector<BlockSetWord> block_set(const std::vector<std::uint64_t>& blocks, std::uint64_t grid_blocks) {
    std::vector<BlockSetWord> words((grid_blocks + 31) / 32);
    for (const std::uint64_t block : blocks) words[block / 32].bits |= 1u << (block % 32);
    std::uint32_t rank = 0;
    for (BlockSetWord& word : words) {
        word.rank = rank;
        rank += static_cast<std::uint32_t>(std::popcount(word.bits));
    }
    return words;
}

GpuResult<void> add_variant(Preparation& preparation, const LaunchGeometry& geometry,
                            const GpuVariant& variant, const std::string& module) {
    VariantRequest asked;
    asked.mode = variant.mode;
    asked.chunk_units = variant.chunk_units;
    asked.space_bytes = variant.space_bytes;
    asked.symbols = variant.symbols;
    if (!std::has_single_bit(variant.chunk_units)) {
        return refuse("a chunk of {} units cannot be: a power of two is needed", variant.chunk_units);
    }
    if (chunks_in(variant.space_bytes, variant.chunk_units, variant.symbols) < 2) {
        return refuse("{} bytes are too few to record into: the head and one chunk take {}",
                      variant.space_bytes, chunk_offset(2, variant.chunk_units, variant.symbols));
    }
    const std::uint64_t grid_blocks = geometry.blocks();
    if (!variant.blocks.empty()) {
        const bool ascending = std::adjacent_find(variant.blocks.begin(), variant.blocks.end(),
                                                  std::greater_equal<>{}) == variant.blocks.end();
        if (!ascending) return refuse("the blocks to record must ascend");
        if (variant.blocks.back() >= grid_blocks) {
            return refuse("block {} cannot be recorded: the grid has {}", variant.blocks.back(), grid_blocks);
        }
        if (grid_blocks / 32 * sizeof(BlockSetWord) > most_set_bytes) {
            return refuse("some blocks of a grid of {} cannot be recorded: it is too large", grid_blocks);
        }
        asked.block_set = preparation.add_set(block_set(variant.blocks, grid_blocks));
    }
    if (!variant.sms.empty()) {
        std::vector<std::uint32_t> words(most_sms / 32);
        for (const int sm : variant.sms) {
            if (sm < 0 || sm >= most_sms) return refuse("SM {} cannot be recorded: no GPU has it", sm);
            words[static_cast<std::size_t>(sm) / 32] |= 1u << (sm % 32);
        }
        asked.sm_set = preparation.add_set(words);
    } else {
        const std::uint64_t blocks = variant.blocks.empty() ? grid_blocks : variant.blocks.size();
        const std::uint64_t slabs = blocks * static_cast<std::uint64_t>(geometry.warps_per_block());
        asked.slabs = slabs < no_index ? slabs : 0;
    }
    asked.module = preparation.add_module(module);
    preparation.prepared.request.variants.push_back(asked);
    return {};
}

}  // namespace

GpuResult<PreparedRequest> prepare_request(const GpuLaunch& launch, const std::vector<GpuVariant>& variants,
                                           const GpuRunOptions& options,
                                           std::shared_ptr<const AssembledModules> code) {
    if (launch.geometry.blocks() == 0 || launch.geometry.block.count() == 0) {
        return refuse("a launch without blocks or threads cannot be recorded");
    }
    if (launch.geometry.block.count() > 1024) {
        return refuse("a block of {} threads cannot be launched: 1024 are the most",
                      launch.geometry.block.count());
    }
    if (launch.ptx.empty() || launch.entry.empty()) return refuse("there is no kernel to launch");
    if (launch.arguments.size() > most_argument_bytes || launch.buffers.size() > most_buffers ||
        variants.size() > most_variants) {
        return refuse("the launch has too many arguments, buffers or variants");
    }
    if (options.repeats < 1 || options.repeats > most_repeats) {
        return refuse("a launch cannot be repeated {} times", options.repeats);
    }
    Preparation preparation;
    preparation.prepared.code = code;
    RunRequest& request = preparation.prepared.request;
    request.entry = launch.entry;
    request.geometry = launch.geometry;
    request.arguments = launch.arguments;
    request.pointers = launch.pointers;
    request.repeats = options.repeats;
    request.cold_caches = options.caches == Caches::cold;
    request.run_clean = options.run_clean;
    request.read_buffers = options.read_buffers && options.run_clean;
    for (const GpuLaunch::Pointer& pointer : launch.pointers) {
        if (pointer.offset > launch.arguments.size() || launch.arguments.size() - pointer.offset < 8 ||
            pointer.buffer >= launch.buffers.size()) {
            return refuse("the pointer at byte {} of the arguments names no buffer of the launch",
                          pointer.offset);
        }
    }
    request.module = preparation.add_module(code ? code->clean : launch.ptx);
    for (const GpuLaunch::Buffer& buffer : launch.buffers) {
        request.buffers.push_back(preparation.add("buffer", buffer.data));
        request.buffer_names.push_back(buffer.name);
    }
    for (std::size_t i = 0; i < variants.size(); ++i) {
        const std::string& module = code ? code->variants[i] : variants[i].ptx;
        WARPLENS_TRY(add_variant(preparation, launch.geometry, variants[i], module));
    }
    return std::move(preparation.prepared);
}

std::string check_answer(const RunRequest& request, const RunAnswer& answer) {
    if (answer.variants.size() != request.variants.size()) return "it is of other variants";
    if (answer.buffer_addresses.size() != request.buffers.size()) return "it has other buffers";
    for (std::size_t i = 0; i < request.variants.size(); ++i) {
        const VariantRequest& asked = request.variants[i];
        const SpaceParameter& parameter = answer.variants[i].parameter;
        const std::uint64_t read_bytes = answer.variants[i].read_bytes;
        const auto bytes_of = [&](std::uint32_t chunks) {
            return chunk_offset(chunks, asked.chunk_units, asked.symbols);
        };
        if (parameter.chunk_units != asked.chunk_units) return "its chunks have another size";
        if (parameter.chunks < 2 ||
            parameter.chunks > chunks_in(asked.space_bytes, asked.chunk_units, asked.symbols)) {
            return "its recording space has another size";
        }
        if (parameter.slabs >= parameter.chunks) return "it has more slabs than chunks";
        const std::uint32_t read = chunks_in(read_bytes, asked.chunk_units, asked.symbols);
        if (read == 0 || read > parameter.chunks || bytes_of(read) != read_bytes) {
            return "it read another part of the recording space than there is";
        }
    }
    return "";
}

}  // namespace warplens::instrumentation

// A recording space written by hand as a device would: streams of lanes, chunks by an atomic, heads at the
// exits. And an observer that notes the events that decode reports.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "instrumentation/decode/decode.h"
#include "ptx/parser.h"
#include "ptx/program.h"

namespace warplens::instrumentation {

/// A kernel, its plan with every block recorded, and its launch.
struct HandKernel {
    Program program;
    RecordingPlan plan;
    LaunchGeometry geometry;

    explicit HandKernel(const std::string& body, LaunchGeometry launch = {{2, 1, 1}, {32, 1, 1}, 0})
        : geometry(launch) {
        const std::string text =
            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n"
            ".reg .b32 %r<10>; .reg .b64 %rd<10>; .reg .pred %p<4>; .shared .align 4 .b8 tile[256];\n" +
            body + "\n}\n";
        auto module = ptx::parse(text, "hand.ptx");
        if (!module) {
            ADD_FAILURE() << module.error().message;
            return;
        }
        auto numbered = ptx::number_sites(*module, "k", text);
        if (!numbered) {
            ADD_FAILURE() << numbered.error().message;
            return;
        }
        program = numbered->program;
        for (const BasicBlockId target : numbered->branch_targets) {
            plan.blocks.emplace_back();
            plan.blocks.back().target = target;
        }
    }

    /// Visits of a block follow from those of the entry.
    void set_source(BasicBlockId id, BlockPlan::Source source) {
        plan.blocks.at(id).source = source;
        plan.blocks.at(id).follows = 0;
    }
};

class HandWrittenSpace {
  public:
    HandWrittenSpace(const HandKernel& kernel, std::uint32_t chunk_units, std::uint32_t chunks,
                     std::vector<std::uint64_t> blocks = {}, bool slabs = true)
        : kernel_(kernel) {
        read_.blocks = blocks;
        const std::uint64_t recorded = blocks.empty() ? kernel.geometry.blocks() : blocks.size();
        const auto warps = static_cast<std::uint32_t>(kernel.geometry.warps_per_block());
        read_.parameter.chunk_units = chunk_units;
        read_.parameter.chunks = chunks;
        read_.parameter.slabs = slabs ? static_cast<std::uint32_t>(recorded) * warps : 0;
        next_chunk_ = 1 + read_.parameter.slabs;
        bytes_.resize(chunk_offset(chunks, chunk_units, kernel.plan.symbols.size()));
    }

    void put(std::uint64_t at, const void* from, std::size_t bytes) {
        ASSERT_LE(at + bytes, bytes_.size());
        std::memcpy(bytes_.data() + at, from, bytes);
    }
    template <class T>
    void put(std::uint64_t at, const T& value) {
        put(at, &value, sizeof(T));
    }
    std::uint64_t chunk_at(std::uint32_t chunk) const {
        return chunk_offset(chunk, read_.parameter.chunk_units, kernel_.plan.symbols.size());
    }
    std::uint32_t slab(std::uint64_t rank, std::uint32_t warp) const {
        return 1 +
               static_cast<std::uint32_t>(rank) *
                   static_cast<std::uint32_t>(kernel_.geometry.warps_per_block()) +
               warp;
    }

    /// Lane `lane` of a warp leads and writes a record; `words` follow its VisitUnit. Returns where it lies.
    std::uint64_t record(std::uint64_t block, std::uint32_t warp, BasicBlockId id, std::uint32_t active,
                         std::uint32_t clock, std::uint32_t extra = 0,
                         const std::vector<std::uint32_t>& words = {}) {
        const int lane = LaneMask{active}.lowest();
        Cursor& cursor = cursors_[{block, warp, lane}];
        const std::uint32_t units = kernel_.plan.blocks.at(id).units;
        const std::uint32_t chunk_units = read_.parameter.chunk_units;
        if (cursor.chunk == 0 && lane == 0 && read_.parameter.slabs != 0)
            cursor = {slab(rank_of(block), warp), first_record_};
        if (cursor.chunk == 0 || cursor.unit + units > chunk_units) {
            const std::uint32_t taken = next_chunk_++;
            const ChunkHead head{0x80000000u | static_cast<std::uint32_t>(lane) << 16 | warp,
                                 static_cast<std::uint32_t>(block), cursor.chunk, clock};
            put(chunk_at(taken), head);
            cursor = {taken, 1};
        }
        const std::uint64_t at = chunk_at(cursor.chunk) + std::uint64_t{cursor.unit} * unit_bytes;
        put(at, VisitUnit{1 + id, active, clock, extra});
        if (!words.empty()) put(at + unit_bytes, words.data(), words.size() * 4);
        cursor.unit += units;
        return at;
    }

    /// The warp's last lanes exit. Returns where its head lies.
    std::uint64_t exit(std::uint64_t block, std::uint32_t warp, std::uint32_t start, std::uint32_t end,
                       std::uint32_t mask = 0xffffffffu, std::uint16_t sm = 0, std::uint64_t timer = 0) {
        WarpHead head{start, 0x80000000u | warp << 16 | sm, end, mask, 0, 0, timer};
        std::uint32_t chunk = slab(read_.parameter.slabs != 0 ? rank_of(block) : 0, warp);
        if (read_.parameter.slabs == 0) {
            chunk = next_chunk_++;
            head.block = static_cast<std::uint32_t>(block);
            head.identity = 0x80000000u | warp;
        }
        put(chunk_at(chunk), head);
        return chunk_at(chunk);
    }

    SpaceHead& head() { return head_; }
    ReadBack& read() { return read_; }
    std::vector<std::byte>& bytes() { return bytes_; }
    void set_first_record(std::uint32_t unit) { first_record_ = unit; }

    Result<Decoded> decode(trace::Observer* observer = nullptr) {
        head_.next_chunk = next_chunk_;
        put(0, head_);
        read_.bytes = bytes_;
        return instrumentation::decode(kernel_.plan, kernel_.program, kernel_.geometry, read_, observer);
    }

  private:
    struct Cursor {
        std::uint32_t chunk = 0, unit = 0;
    };
    std::uint64_t rank_of(std::uint64_t block) const {
        if (read_.blocks.empty()) return block;
        for (std::size_t i = 0; i < read_.blocks.size(); ++i)
            if (read_.blocks[i] == block) return i;
        ADD_FAILURE() << "block " << block << " is not recorded";
        return 0;
    }

    const HandKernel& kernel_;
    ReadBack read_;
    SpaceHead head_;
    std::vector<std::byte> bytes_;
    std::uint32_t next_chunk_ = 1;
    std::uint32_t first_record_ = 2;
    std::map<std::tuple<std::uint64_t, std::uint32_t, int>, Cursor> cursors_;
};

/// Writes events down as words: "0.0 visit 1 ffffffff".
class Listener final : public trace::Observer {
  public:
    std::vector<std::string> heard;

    std::unique_ptr<trace::BlockObserver> begin_block(std::uint64_t block) override {
        return std::make_unique<Block>(block, heard);
    }
    void finish(std::uint64_t block, std::unique_ptr<trace::BlockObserver>) override {
        heard.push_back(fmt::format("{} done", block));
    }

  private:
    class Block final : public trace::BlockObserver {
      public:
        Block(std::uint64_t block, std::vector<std::string>& heard) : block_(block), heard_(heard) {}
        void visit(int warp, BasicBlockId id, LaneMask active) override {
            heard_.push_back(fmt::format("{}.{} visit {} {:x}", block_, warp, id, active.bits));
        }
        void access(int warp, const trace::Access& access) override {
            std::string text = fmt::format("{}.{} {} {} at {} {:x}:", block_, warp, to_string(access.space),
                                           to_string(access.operation), access.site, access.mask.bits);
            for_each_lane(access.mask, [&](int lane) {
                text += fmt::format(" {:x}", (*access.addresses)[static_cast<std::size_t>(lane)]);
            });
            heard_.push_back(text);
        }
        void guard(int warp, SiteId site, LaneMask executed) override {
            heard_.push_back(fmt::format("{}.{} guard {} {:x}", block_, warp, site, executed.bits));
        }
        void branch(int warp, SiteId site, LaneMask active, LaneMask taken) override {
            heard_.push_back(
                fmt::format("{}.{} branch {} {:x} {:x}", block_, warp, site, active.bits, taken.bits));
        }
        void barrier(int warp, SiteId site, LaneMask arrived) override {
            heard_.push_back(fmt::format("{}.{} barrier {} {:x}", block_, warp, site, arrived.bits));
        }
        void barrier_release() override { heard_.push_back(fmt::format("{} release", block_)); }

      private:
        std::uint64_t block_;
        std::vector<std::string>& heard_;
    };
};

}  // namespace warplens::instrumentation

#include "simt/functional/printing/lane_printf.h"

#include <cstring>

#include "simt/functional/block/block_runner.h"
#include "simt/functional/execute/memory.h"

namespace warplens::simt {

namespace {

constexpr std::size_t longest_format = longest_printf_field;

/// The format for a problem's message: its beginning, on one line.
std::string shortened(std::string_view format) {
    constexpr std::size_t longest = 60;
    std::string text;
    for (const char c : format.substr(0, longest)) {
        if (c == '\n') text += "\\n";
        else if (static_cast<unsigned char>(c) >= ' ') text += c;
    }
    return format.size() > longest ? text + "…" : text;
}

class LaneArguments final : public PrintfArguments {
  public:
    LaneArguments(Warp& warp, SiteId site, int lane, std::string_view format, u64 begin)
        : warp_(warp), site_(site), lane_(lane), format_(format), next_(begin), has_any_(begin != 0) {}

    std::optional<u64> next(u32 bytes) override {
        ++index_;
        next_ = (next_ + bytes - 1) / bytes * bytes;
        Space space = Space::none;
        const std::byte* const from = has_any_ ? peek(warp_, lane_, next_, bytes, &space) : nullptr;
        if (!from || (space == Space::local && !is_local_written(warp_, lane_, next_, bytes))) {
            report(ProblemKind::uninitialised_read, next_,
                   fmt::format("prints argument {} of the format \"{}\", which the call lacks: every "
                               "conversion of the format needs a value",
                               index_, shortened(format_)));
            next_ += bytes;
            return std::nullopt;
        }
        next_ += bytes;
        u64 value = 0;
        std::memcpy(&value, from, bytes);
        return value;
    }

    std::string text_at(u64 address, std::size_t longest) override {
        TextRead read = read_text(warp_, lane_, address, longest);
        if (!read.ended)
            report(
                ProblemKind::out_of_bounds, address,
                fmt::format("prints a string (%s) at {:#x} that {}: the pointer must point to device memory, "
                            "and the string must end with NUL",
                            address,
                            read.text.empty() ? "is outside all memory" : "runs past the end of its memory"));
        return std::move(read.text);
    }

  private:
    void report(ProblemKind kind, u64 address, std::string message) {
        warp_.block->report(warp_, {.kind = kind,
                                    .site = site_,
                                    .lanes = 1u << lane_,
                                    .address = address,
                                    .message = std::move(message)});
    }

    Warp& warp_;
    SiteId site_;
    int lane_;
    std::string_view format_;
    u64 next_;
    bool has_any_;
    int index_ = 0;
};

}  // namespace

TextRead read_text(Warp& warp, int lane, u64 address, std::size_t longest) {
    TextRead read;
    for (; read.text.size() < longest; ++address) {
        const std::byte* const at = peek(warp, lane, address, 1);
        if (!at) return read;
        if (*at == std::byte{0}) break;
        read.text += static_cast<char>(*at);
    }
    read.ended = true;
    return read;
}

PrintfText lane_printf(Warp& warp, SiteId site, int lane, u64 format, u64 arguments) {
    const TextRead read = read_text(warp, lane, format, longest_format);
    if (!read.ended)
        warp.block->report(
            warp,
            {.kind = ProblemKind::out_of_bounds,
             .site = site,
             .lanes = 1u << lane,
             .address = format,
             .message = fmt::format(
                 "prints with a format at {:#x} that {}: the pointer must point to "
                 "device memory, and the string must end with NUL",
                 format, read.text.empty() ? "is outside all memory" : "runs past the end of its memory")});
    LaneArguments values(warp, site, lane, read.text, arguments);
    return printf_text(read.text, values);
}

}  // namespace warplens::simt

#include "simt/functional/execute/video.h"

#include <algorithm>

#include "simt/functional/block/block_runner.h"

namespace warplens::simt {

namespace {

using Wide = __int128;  // holds a negated product of two 32-bit numbers plus a third number

Wide extended(u32 word, VideoForm::Part part, bool is_signed) {
    const int unused = 32 - part.bits;
    const u32 bits = word << (unused - part.shift);
    return is_signed ? Wide{static_cast<s32>(bits) >> unused} : Wide{bits >> unused};
}

Wide clamped(Wide x, int bits, bool is_signed) {
    const Wide high = (Wide{1} << (bits - (is_signed ? 1 : 0))) - 1;
    return std::clamp(x, is_signed ? -high - 1 : Wide{0}, high);
}

bool holds(VideoComparison comparison, Wide a, Wide b) {
    switch (comparison) {
        case VideoComparison::eq:
            return a == b;
        case VideoComparison::ne:
            return a != b;
        case VideoComparison::lt:
            return a < b;
        case VideoComparison::le:
            return a <= b;
        case VideoComparison::gt:
            return a > b;
        default:
            return a >= b;
    }
}

Wide combined(const VideoForm& form, Wide a, Wide b) {
    switch (form.operation) {
        case VideoOperation::add:
            return a + b;
        case VideoOperation::subtract:
            return a - b;
        case VideoOperation::distance:
            return a < b ? b - a : a - b;
        case VideoOperation::minimum:
            return std::min(a, b);
        case VideoOperation::maximum:
            return std::max(a, b);
        case VideoOperation::average: {  // rounded away from zero
            const Wide sum = a + b;
            return (sum >= 0 ? sum + 1 : sum) >> 1;
        }
        case VideoOperation::set:
            return holds(form.comparison, a, b) ? 1 : 0;
        default: {
            const int by = static_cast<int>(form.wrap ? b & 31 : std::min<Wide>(b, 32));
            return form.operation == VideoOperation::shift_left ? a * (Wide{1} << by) : a >> by;
        }
    }
}

/// "vmad": c is negated as 32 bits, before it is extended.
u32 multiplied(const VideoForm& form, Wide a, Wide b, u32 c) {
    const bool is_signed = form.a_signed || form.b_signed || form.negated_product || form.negated_c;
    Wide sum = a * b;
    if (form.negated_product) sum = -sum;
    if (form.negated_c) c = ~c;
    sum += is_signed ? Wide{static_cast<s32>(c)} : Wide{c};
    sum += form.plus_one || form.negated_c ? 1 : 0;
    return static_cast<u32>(sum);
}

u32 scalar(const VideoForm& form, u32 word_a, u32 word_b, u32 c) {
    const Wide a = extended(word_a, form.a, form.a_signed), b = extended(word_b, form.b, form.b_signed);
    if (form.operation == VideoOperation::mad) return multiplied(form, a, b, c);
    const Wide x = combined(form, a, b);
    if (form.accumulates) return static_cast<u32>(x) + c;
    if (form.d.bits == 32) return static_cast<u32>(x);
    const u32 part = ((1u << form.d.bits) - 1) << form.d.shift;
    return (static_cast<u32>(x) << form.d.shift & part) | (c & ~part);
}

u32 by_elements(const VideoForm& form, u32 word_a, u32 word_b, u32 c) {
    const int bits = 32 / form.elements;
    const u32 element = (1u << bits) - 1;
    const auto chosen = [&](u8 from, bool is_signed) {
        const u32 word = from < form.elements ? word_a : word_b;
        const VideoForm::Part part{static_cast<u8>(bits), static_cast<u8>(from % form.elements * bits)};
        return extended(word, part, is_signed);
    };
    u32 packed = c, sum = c;
    for (u8 i = 0; i < form.elements; ++i) {
        if ((form.written >> i & 1) == 0) continue;
        Wide x = combined(form, chosen(form.a_from[i], form.a_signed), chosen(form.b_from[i], form.b_signed));
        if (form.saturate) x = clamped(x, bits, form.d_signed);
        sum += static_cast<u32>(x);
        packed = (packed & ~(element << i * bits)) | (static_cast<u32>(x) & element) << i * bits;
    }
    return form.accumulates ? sum : packed;
}

}  // namespace

void execute_video(Warp& warp, const DecodedOp& op, u32 mask) {
    const VideoForm& form = warp.block->kernel().videos[op.flags];
    for_each_lane({mask}, [&](int lane) {
        const u32 a = row<const u32>(warp, op.rows[1])[lane], b = row<const u32>(warp, op.rows[2])[lane];
        const u32 c = row<const u32>(warp, op.rows[3])[lane];
        row<u32>(warp, op.rows[0])[lane] =
            form.elements == 1 ? scalar(form, a, b, c) : by_elements(form, a, b, c);
    });
}

}  // namespace warplens::simt

#include "instrumentation/host_code/assumed_sizes.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>

namespace warplens::instrumentation::host_code {

namespace {

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
    while (text.ends_with('_')) text.pop_back();
    return text;
}

bool is_one_of(const std::string& name, std::initializer_list<const char*> names) {
    return std::ranges::find(names, name) != names.end();
}

bool ends_like(const std::string& name, std::initializer_list<const char*> endings) {
    return std::ranges::any_of(endings, [&](const char* ending) { return name.ends_with(ending); });
}

/// Whether the program multiplies it with itself or with another size.
bool is_side(const std::string& name, const Tokens& program) {
    const auto is_size = [&](std::size_t at) {
        return at < program.size() && program[at].is_word() &&
               size_role(std::string(program[at].text)) != SizeRole::other;
    };
    for (std::size_t i = 0; i < program.size(); ++i)
        if (program[i].is("*") && i > 0 && is_size(i - 1) && is_size(i + 1) &&
            (program[i - 1].text == name || program[i + 1].text == name))
            return true;
    return false;
}

/// Whether m, n and k stand one behind another in a list, as the sides of a matrix product do.
bool has_sides_of_product(const Tokens& program) {
    constexpr std::size_t most_tokens = 12;  // "unsigned int M, unsigned int N, unsigned int K" has 11
    const auto role_at = [&](std::size_t at) {
        return program[at].is_word() ? size_role(std::string(program[at].text)) : SizeRole::other;
    };
    for (std::size_t i = 0; i < program.size(); ++i) {
        if (role_at(i) != SizeRole::m) continue;
        bool has_n = false, has_k = false;
        const std::size_t end = std::min(i + most_tokens, program.size());
        for (std::size_t at = i + 1; at < end && (program[at].is_word() || program[at].is(",")); ++at) {
            has_n = has_n || role_at(at) == SizeRole::n;
            has_k = has_k || role_at(at) == SizeRole::k;
        }
        if (has_n && has_k) return true;
    }
    return false;
}

}  // namespace

SizeRole size_role(const std::string& written) {
    const std::string name = lower(written);
    if (is_one_of(name, {"width", "w", "cols", "columns", "ncols", "nx", "num_cols", "dimx"}))
        return SizeRole::width;
    if (is_one_of(name, {"height", "h", "rows", "nrows", "ny", "num_rows", "dimy"})) return SizeRole::height;
    if (is_one_of(name, {"depth", "d", "nz", "dimz"})) return SizeRole::depth;
    if (is_one_of(name, {"channels", "nchannels", "numchannels", "num_channels", "comp"}))
        return SizeRole::channels;
    if (is_one_of(name, {"batch", "batch_size", "batchsize", "batches", "nbatch", "num_batches", "bs", "nh",
                         "heads", "nheads", "num_heads", "n_heads", "nhead"}))
        return SizeRole::batch;
    const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
    const bool extent = ends_like(name, {"size", "dim", "width", "height", "len", "length", "count"});
    if (extent && (has("tile") || has("filter") || has("mask") || has("kernel") || has("window")))
        return SizeRole::part;
    if (has("threads") || (extent && (has("block") || has("thread")))) return SizeRole::threads;
    if (ends_like(name, {"blocks", "grids"})) return SizeRole::other;  // follows from sizes
    if (name == "m") return SizeRole::m;
    if (name == "n") return SizeRole::n;
    if (name == "k") return SizeRole::k;
    if (is_one_of(name, {"size", "len", "length", "count", "num", "numel", "elements", "total", "nelem", "sz",
                         "nnz", "cells", "pixels", "npixels", "points", "samples", "bytes"}))
        return SizeRole::count;
    if (ends_like(name, {"size", "count", "len", "length", "elements", "elems", "bytes", "nnz"}))
        return SizeRole::count;
    if (ends_like(name, {"width", "cols", "columns", "features", "hidden"})) return SizeRole::width;
    if (ends_like(name, {"height", "rows"})) return SizeRole::height;
    const bool counts = name.starts_with("num") || name.starts_with("n_") || name.starts_with("no_of_");
    return counts ? SizeRole::count : SizeRole::other;
}

std::int64_t assumed_size(const std::string& name, const Tokens& program) {
    switch (size_role(name)) {
        case SizeRole::other:
            return 0;
        case SizeRole::depth:
            return assumed_depth;
        case SizeRole::channels:
            return assumed_channels;
        case SizeRole::batch:
            return assumed_batch;
        case SizeRole::threads:
            return assumed_threads;
        case SizeRole::part:
            return assumed_part;
        case SizeRole::n:
        case SizeRole::m:
        case SizeRole::k:
            if (has_sides_of_product(program)) return assumed_side;
            break;
        case SizeRole::count:
            break;
        case SizeRole::width:
        case SizeRole::height:
            return assumed_side;
    }
    return is_side(name, program) ? assumed_side : assumed_count;
}

std::int64_t assumed_side_of(const std::string& name, std::int64_t side) {
    const SizeRole role = size_role(name);
    switch (role) {
        case SizeRole::other:
            return side;
        case SizeRole::count:
        case SizeRole::n:
        case SizeRole::m:
        case SizeRole::k:
            return assumed_side;
        default:
            return assumed_size(name, {});
    }
}

}  // namespace warplens::instrumentation::host_code

// Tables of the output of NVIDIA's disassembler: one instruction per line, its 128 bits as 32 hexadecimal
// digits, its offset if the text depends on it (else "-") and the text. tests/sass/nvdisasm/README.md
// explains how they were made.
#pragma once

#include <zstd.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "sass/encoding.h"
#include "tests/support/folders.h"

namespace warplens::sass {

struct DisassembledLine {
    int sm = 0;
    Encoding encoding;
    std::uint64_t offset = 0;
    std::string text;
};

/// `sm` 0: the table's first column gives it.
inline std::vector<DisassembledLine> read_nvdisasm_table(const std::string& name, int sm) {
    std::ifstream file(source_folder() + "/tests/sass/nvdisasm/" + name, std::ios::binary);
    const std::string packed{std::istreambuf_iterator<char>(file), {}};
    std::string text(ZSTD_getFrameContentSize(packed.data(), packed.size()) & 0x3ffffff, '\0');
    const std::size_t size = ZSTD_decompress(text.data(), text.size(), packed.data(), packed.size());
    if (ZSTD_isError(size)) return {};
    std::istringstream lines(text);
    std::vector<DisassembledLine> table;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        DisassembledLine row;
        row.sm = sm;
        std::string bits, offset;
        if (sm == 0) words >> row.sm;
        words >> bits >> offset >> std::ws;
        std::getline(words, row.text);
        row.encoding = {std::stoull(bits.substr(16), nullptr, 16),
                        std::stoull(bits.substr(0, 16), nullptr, 16)};
        if (offset != "-") row.offset = std::stoull(offset, nullptr, 16);
        table.push_back(row);
    }
    return table;
}

}  // namespace warplens::sass

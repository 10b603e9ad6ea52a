#include "sass/line_table.h"

#include <algorithm>

namespace warplens::sass {

namespace {

constexpr std::string_view code_section = ".text.";
constexpr std::size_t most_rows = 1u << 22;  // of one table: a hostile one must not fill the memory

/// Reads bytes in order; past the end it gives zeros and remembers.
class Bytes {
  public:
    explicit Bytes(std::string_view bytes) : bytes_(bytes) {}

    template <class Number>
    Number take() {
        const auto number = number_at<Number>(bytes_, at_);
        at_ = number ? at_ + sizeof(Number) : bytes_.size();
        failed_ |= !number;
        return number.value_or(0);
    }
    std::uint64_t unsigned_leb() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const auto byte = take<std::uint8_t>();
            value |= std::uint64_t{byte & 0x7fu} << shift;
            if (!(byte & 0x80)) return value;
        }
        failed_ = true;
        return 0;
    }
    std::int64_t signed_leb() {
        std::int64_t value = 0;
        for (unsigned shift = 0; shift < 63; shift += 7) {
            const auto byte = take<std::uint8_t>();
            value |= static_cast<std::int64_t>(byte & 0x7f) << shift;
            if (!(byte & 0x80)) return byte & 0x40 ? value - (std::int64_t{1} << (shift + 7)) : value;
        }
        failed_ = true;
        return 0;
    }
    std::string_view string() {
        const std::size_t end = bytes_.find('\0', at_);
        if (end == std::string_view::npos) {
            failed_ = true;
            return {};
        }
        const std::string_view text = bytes_.substr(at_, end - at_);
        at_ = end + 1;
        return text;
    }
    bool done() const { return failed_ || at_ >= bytes_.size(); }
    std::size_t at() const { return at_; }
    void go_to(std::size_t at) { at_ = std::min(at, bytes_.size()); }

  private:
    std::string_view bytes_;
    std::size_t at_ = 0;
    bool failed_ = false;
};

/// Section names by the place in `table` where the linker writes a function's address.
std::map<std::uint64_t, std::string> relocations(const ElfFile& elf, std::string_view table) {
    std::map<std::uint64_t, std::string> functions;
    for (const ElfSection& section : elf.sections) {
        const bool with_addend = section.name.starts_with(".rela");
        if (!section.name.starts_with(".rel") || section.name.substr(with_addend ? 5 : 4) != table) continue;
        const std::uint64_t entry = with_addend ? 24 : 16;
        for (std::uint64_t at = 0; at + entry <= section.data.size(); at += entry) {
            const auto offset = *number_at<std::uint64_t>(section.data, at);
            const std::uint64_t symbol = *number_at<std::uint64_t>(section.data, at + 8) >> 32;
            if (symbol >= elf.symbols.size()) continue;
            const std::uint16_t index = elf.symbols[symbol].section;
            if (index >= elf.sections.size()) continue;
            const std::string_view name = elf.sections[index].name;
            if (name.starts_with(code_section)) functions[offset] = name.substr(code_section.size());
        }
    }
    return functions;
}

class LineProgram {
  public:
    LineProgram(std::string_view table, std::map<std::uint64_t, std::string> functions, LineTables& tables,
                std::map<std::string, std::vector<LineRow>, std::less<>>& rows)
        : bytes_(table), functions_(std::move(functions)), tables_(tables), rows_(rows) {}

    void run() {
        while (!bytes_.done()) {
            const std::size_t begin = bytes_.at();
            const auto length = bytes_.take<std::uint32_t>();
            if (length == 0 || !unit(begin + 4 + length)) return;
            bytes_.go_to(begin + 4 + length);
        }
    }

  private:
    bool unit(std::size_t end) {
        bytes_.take<std::uint16_t>();  // version
        const auto header_length = bytes_.take<std::uint32_t>();
        const std::size_t program = bytes_.at() + header_length;
        const auto step = bytes_.take<std::uint8_t>();
        bytes_.take<std::uint8_t>();  // default_is_stmt
        const auto line_base = bytes_.take<std::int8_t>();
        const auto line_range = bytes_.take<std::uint8_t>(), opcode_base = bytes_.take<std::uint8_t>();
        if (line_range == 0 || opcode_base == 0) return false;
        std::vector<std::uint8_t> arguments(opcode_base, 0);
        for (unsigned i = 1; i < opcode_base; ++i) arguments[i] = bytes_.take<std::uint8_t>();
        read_files();
        bytes_.go_to(program);
        start();
        while (!bytes_.done() && bytes_.at() < end && row_count_ < most_rows) {
            const auto opcode = bytes_.take<std::uint8_t>();
            if (opcode >= opcode_base) {
                const int special = opcode - opcode_base;
                address_ += static_cast<std::uint64_t>(special / line_range) * step;
                line_ += line_base + special % line_range;
                emit();
            } else if (opcode == 0) {
                extended();
            } else {
                standard(opcode, arguments[opcode], step, (255 - opcode_base) / line_range);
            }
        }
        return true;
    }

    void read_files() {
        std::vector<std::string> folders{""};
        while (!bytes_.done()) {
            const std::string_view folder = bytes_.string();
            if (folder.empty()) break;
            folders.emplace_back(folder);
        }
        files_.assign(1, 0);
        places_.clear();
        while (!bytes_.done()) {
            const std::string_view name = bytes_.string();
            if (name.empty()) break;
            const std::uint64_t folder = bytes_.unsigned_leb();
            bytes_.unsigned_leb();  // time
            bytes_.unsigned_leb();  // size
            std::string path(name);
            if (folder < folders.size() && !folders[folder].empty()) path = folders[folder] + "/" + path;
            const auto known = std::find(tables_.files.begin(), tables_.files.end(), path);
            files_.push_back(static_cast<std::uint32_t>(known - tables_.files.begin()));
            if (known == tables_.files.end()) tables_.files.push_back(path);
        }
    }

    void start() {
        address_ = 0;
        file_ = line_ = 1;
        inlined_at_ = 0;
        function_.clear();
    }

    void emit() {
        if (function_.empty() || line_ < 0) return;
        const std::uint32_t file = file_ > 0 && static_cast<std::size_t>(file_) < files_.size()
                                       ? files_[static_cast<std::size_t>(file_)]
                                       : 0;
        auto& rows = rows_[function_];
        rows.push_back({address_, file, static_cast<std::uint32_t>(line_), inlined_at_});
        places_.push_back(static_cast<std::uint32_t>(rows.size()));
        ++row_count_;
    }

    void standard(std::uint8_t opcode, unsigned argument_count, unsigned step, int fixed_advance) {
        switch (opcode) {
            case 1:
                emit();
                break;  // DW_LNS_copy
            case 2:
                address_ += bytes_.unsigned_leb() * step;
                break;  // DW_LNS_advance_pc
            case 3:
                line_ += bytes_.signed_leb();
                break;  // DW_LNS_advance_line
            case 4:
                file_ = static_cast<std::int64_t>(bytes_.unsigned_leb());
                break;  // DW_LNS_set_file
            case 8:
                address_ += static_cast<std::uint64_t>(fixed_advance) * step;
                break;  // DW_LNS_const_add_pc
            case 9:
                address_ += bytes_.take<std::uint16_t>();
                break;  // DW_LNS_fixed_advance_pc
            default:
                for (unsigned i = 0; i < argument_count; ++i) bytes_.unsigned_leb();
        }
    }

    void extended() {
        const std::uint64_t length = bytes_.unsigned_leb();
        const std::size_t next = bytes_.at() + length;
        constexpr std::uint8_t end_sequence = 1, set_address = 2, inlined_call = 0x90;
        const auto opcode = bytes_.take<std::uint8_t>();
        if (opcode == end_sequence) {
            start();
        } else if (opcode == set_address) {
            const auto named = functions_.find(bytes_.at());
            if (named != functions_.end()) function_ = named->second;
            address_ = bytes_.take<std::uint64_t>();
        } else if (opcode == inlined_call) {
            const std::uint64_t context =
                bytes_.unsigned_leb();  // counts the unit's rows from 1; 0 ends inlining
            inlined_at_ = context > 0 && context <= places_.size() ? places_[context - 1] : 0;
        }
        bytes_.go_to(next);
    }

    Bytes bytes_;
    std::map<std::uint64_t, std::string> functions_;
    LineTables& tables_;
    std::map<std::string, std::vector<LineRow>, std::less<>>& rows_;
    std::vector<std::uint32_t> files_;
    std::vector<std::uint32_t> places_;  // of each row of the unit, 1-based in its function's vector
    std::uint64_t address_ = 0;
    std::int64_t file_ = 1, line_ = 1;
    std::uint32_t inlined_at_ = 0;
    std::string function_;
    std::size_t row_count_ = 0;
};

}  // namespace

LineTables read_line_tables(const ElfFile& elf) {
    LineTables tables;
    for (const ElfSection& section : elf.sections) {
        const bool source = section.name == ".debug_line";
        if (!source && section.name != ".nv_debug_line_sass") continue;
        LineProgram(section.data, relocations(elf, section.name), tables, source ? tables.source : tables.ptx)
            .run();
    }
    return tables;
}

const LineRow* find_line(const std::vector<LineRow>& rows, std::uint64_t offset) {
    const LineRow* best = nullptr;
    for (const LineRow& row : rows)
        if (row.offset <= offset && (!best || row.offset >= best->offset)) best = &row;
    return best;
}

}  // namespace warplens::sass

// MeasuredTable: rows of a file of tests/hardware/ by column name. See README.md there for what they mean.
#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/folders.h"

namespace warplens::hardware {

struct MeasuredRow {
    std::map<std::string, std::string> cells;

    const std::string& text(const std::string& column) const { return cells.at(column); }
    std::uint64_t number(const std::string& column) const { return std::stoull(cells.at(column)); }
    double real(const std::string& column) const { return std::stod(cells.at(column)); }
};

/// The name of the row in a failing test.
inline void PrintTo(const MeasuredRow& row, std::ostream* out) {
    *out << row.text("kernel") << " " << row.text("parameters");
}

inline std::vector<MeasuredRow> read_measured_table(const std::string& name) {
    std::ifstream file(source_folder() + "/tests/hardware/" + name);
    std::vector<std::string> columns;
    std::string line;
    std::getline(file, line);
    std::istringstream header(line);
    for (std::string column; std::getline(header, column, ',');) columns.push_back(column);
    std::vector<MeasuredRow> rows;
    while (std::getline(file, line)) {
        std::istringstream cells(line);
        MeasuredRow row;
        for (const std::string& column : columns) std::getline(cells, row.cells[column], ',');
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace warplens::hardware

#include "app/pipeline/advice/source_edits.h"

#include <algorithm>

namespace warplens::app {
namespace {

std::string indented_like(const std::string& line, const std::string& code) {
    if (code.starts_with(' ') || code.starts_with('\t')) return code;
    return line.substr(0, std::min(line.find_first_not_of(" \t"), line.size())) + code;
}

}  // namespace

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines(1);
    for (const char c : text) {
        if (c == '\n') lines.emplace_back();
        else lines.back() += c;
    }
    return lines;
}

std::string with_edits(const std::string& source, const std::vector<Edit>& edits) {
    std::vector<std::string> lines = lines_of(source);
    // From the last one on, so that the lines of the others keep their numbers.
    for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit) {
        if (edit->line == 0 || edit->line > lines.size() + 1) continue;
        const std::size_t at = edit->line - 1;
        if (edit->kind == Edit::Kind::insert)
            lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at),
                         indented_like(at > 0 ? lines[at - 1] : "", edit->code));
        else if (at == lines.size()) continue;
        else if (edit->kind == Edit::Kind::remove) lines[at].clear();
        else lines[at] = indented_like(lines[at], edit->code);
    }
    std::string text;
    for (std::size_t i = 0; i < lines.size(); ++i) text += (i == 0 ? "" : "\n") + lines[i];
    return text;
}

std::vector<ChangedLine> changed_lines(const std::string& source, const std::vector<Edit>& edits) {
    const std::vector<std::string> lines = lines_of(source);
    const auto line_at = [&](std::uint32_t line) {
        return line >= 1 && line <= lines.size() ? lines[line - 1] : std::string();
    };
    std::vector<ChangedLine> diff;
    std::uint32_t shown = 0;  // the last line of the source
    for (std::size_t i = 0; i < edits.size();) {
        if (edits[i].kind == Edit::Kind::insert) {
            const std::uint32_t before = edits[i].line - 1;
            if (before > shown) diff.push_back({ChangedLine::Kind::stays, shown = before, line_at(before)});
            diff.push_back({ChangedLine::Kind::comes, 0, indented_like(line_at(before), edits[i++].code)});
            continue;
        }
        // Neighbouring lines go together, and come together.
        std::size_t end = i;
        while (end < edits.size() && edits[end].kind != Edit::Kind::insert &&
               edits[end].line == edits[i].line + (end - i))
            diff.push_back({ChangedLine::Kind::goes, edits[end].line, line_at(edits[end].line)}), ++end;
        shown = edits[end - 1].line;
        for (; i < end; ++i)
            if (edits[i].kind == Edit::Kind::replace)
                diff.push_back(
                    {ChangedLine::Kind::comes, 0, indented_like(line_at(edits[i].line), edits[i].code)});
    }
    return diff;
}

std::vector<Edit> edits_of(const std::string& source, const std::vector<Insertion>& insertions) {
    std::string changed = source;
    // From the last one on, so that the places of the others stay.
    for (auto insertion = insertions.rbegin(); insertion != insertions.rend(); ++insertion)
        changed.replace(insertion->offset, insertion->replaced, insertion->text);
    const std::vector<std::string> lines = lines_of(changed);
    std::vector<Edit> edits;
    for (const Insertion& insertion : insertions) {
        if (!edits.empty() && edits.back().line == insertion.line) continue;
        const std::string& line = lines[insertion.line - 1];
        edits.push_back({Edit::Kind::replace, insertion.line, line.substr(line.find_first_not_of(" \t"))});
    }
    return edits;
}

std::vector<Edit> in_place_of_lines(const std::string& source, std::uint32_t first, std::uint32_t last,
                                    const std::vector<std::string>& code) {
    const std::vector<std::string> lines = lines_of(source);
    const std::string blanks = lines[first - 1].substr(0, lines[first - 1].find_first_not_of(" \t"));
    std::vector<Edit> edits;
    std::size_t next = 0;
    for (std::uint32_t line = first; line <= last; ++line) {
        if (next < code.size()) edits.push_back({Edit::Kind::replace, line, blanks + code[next++]});
        else edits.push_back({Edit::Kind::remove, line, lines[line - 1]});
    }
    for (; next < code.size(); ++next) edits.push_back({Edit::Kind::insert, last + 1, blanks + code[next]});
    return edits;
}

std::vector<Edit> in_order(std::vector<Edit> edits) {
    std::ranges::stable_sort(edits, [](const Edit& a, const Edit& b) {
        return a.line != b.line ? a.line < b.line
                                : a.kind == Edit::Kind::insert && b.kind != Edit::Kind::insert;
    });
    return edits;
}

std::uint32_t line_before(const std::vector<Edit>& edits, std::uint32_t line) {
    std::uint32_t inserted = 0;
    for (const Edit& edit : edits)
        if (edit.kind == Edit::Kind::insert && edit.line + inserted < line) ++inserted;
    return line - inserted;
}

}  // namespace warplens::app

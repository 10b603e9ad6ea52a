#include "app/ui/markdown.h"

#include <md4c.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <string>
#include <vector>

#include "app/ui/hit_boxes.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/text.h"

namespace warplens::app {
namespace {

struct Span {
    std::string text;
    bool code = false, strong = false;
};

struct Block {
    enum class Kind { paragraph, code, row } kind = Kind::paragraph;
    std::vector<Span> spans;               // of a paragraph
    std::string marker;                    // "•" or "2." before it
    int depth = 0;                         // of lists
    std::string text;                      // of a block of code
    std::vector<std::vector<Span>> cells;  // of a row of a table
};

/// md4c's callbacks, collected into blocks.
class Reader {
  public:
    std::vector<Block> read(std::string_view text) {
        MD_PARSER parser{};
        parser.flags = MD_FLAG_TABLES | MD_FLAG_NOHTML;
        parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* self) {
            return static_cast<Reader*>(self)->enter(type, detail);
        };
        parser.leave_block = [](MD_BLOCKTYPE type, void*, void* self) {
            return static_cast<Reader*>(self)->leave(type);
        };
        parser.enter_span = [](MD_SPANTYPE type, void*, void* self) {
            return static_cast<Reader*>(self)->span(type, 1);
        };
        parser.leave_span = [](MD_SPANTYPE type, void*, void* self) {
            return static_cast<Reader*>(self)->span(type, -1);
        };
        parser.text = [](MD_TEXTTYPE type, const MD_CHAR* words, MD_SIZE size, void* self) {
            return static_cast<Reader*>(self)->words(type, {words, size});
        };
        md_parse(text.data(), static_cast<MD_SIZE>(text.size()), &parser, this);
        return std::move(blocks_);
    }

  private:
    struct List {
        bool ordered = false;
        unsigned next = 1;
    };

    int enter(MD_BLOCKTYPE type, void* detail) {
        if (type == MD_BLOCK_UL) lists_.push_back({});
        if (type == MD_BLOCK_OL) lists_.push_back({true, static_cast<MD_BLOCK_OL_DETAIL*>(detail)->start});
        if (type == MD_BLOCK_LI) {
            List& list = lists_.back();
            marker_ = list.ordered ? std::to_string(list.next++) + "." : "•";
            begin(Block::Kind::paragraph);
        }
        if (type == MD_BLOCK_P || type == MD_BLOCK_H) begin(Block::Kind::paragraph);
        if (type == MD_BLOCK_H) ++strong_;
        if (type == MD_BLOCK_CODE) begin(Block::Kind::code);
        if (type == MD_BLOCK_TR) begin(Block::Kind::row);
        if (type == MD_BLOCK_TH) ++strong_;
        if (type == MD_BLOCK_TH || type == MD_BLOCK_TD) blocks_.back().cells.emplace_back();
        return 0;
    }

    int leave(MD_BLOCKTYPE type) {
        if (type == MD_BLOCK_UL || type == MD_BLOCK_OL) lists_.pop_back();
        if (type == MD_BLOCK_H || type == MD_BLOCK_TH) --strong_;
        return 0;
    }

    int span(MD_SPANTYPE type, int change) {
        if (type == MD_SPAN_CODE) code_ += change;
        if (type == MD_SPAN_EM || type == MD_SPAN_STRONG) strong_ += change;
        return 0;
    }

    int words(MD_TEXTTYPE type, std::string_view text) {
        if (blocks_.empty()) begin(Block::Kind::paragraph);
        Block& block = blocks_.back();
        if (block.kind == Block::Kind::code) {
            block.text += text;
            return 0;
        }
        if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR) text = " ";
        auto& spans =
            block.kind == Block::Kind::row && !block.cells.empty() ? block.cells.back() : block.spans;
        spans.push_back({std::string(text), code_ > 0, strong_ > 0});
        return 0;
    }

    /// The first paragraph of an item continues on the line of its marker.
    void begin(Block::Kind kind) {
        if (marker_.empty() && !blocks_.empty() && blocks_.back().kind == kind && !lists_.empty() &&
            blocks_.back().spans.empty() && !blocks_.back().marker.empty())
            return;
        Block block;
        block.kind = kind;
        block.depth = static_cast<int>(lists_.size());
        block.marker = std::exchange(marker_, {});
        blocks_.push_back(std::move(block));
    }

    std::vector<Block> blocks_;
    std::vector<List> lists_;
    std::string marker_;
    int code_ = 0, strong_ = 0;
};

/// What is not broken: a word with the punctuation and code that stick to it.
struct Piece {
    std::string text;
    bool code = false, strong = false, space_before = false;
};

std::vector<Piece> pieces_of(const std::vector<Span>& spans, ImFont* code, float width) {
    std::vector<Piece> pieces;
    bool space = false;
    for (const Span& span : spans) {
        if (span.code && text_width(code, span.text) < width) {
            pieces.push_back({span.text, true, span.strong, space});
            space = false;
            continue;
        }
        std::string word;
        const auto end_word = [&] {
            if (word.empty()) return;
            pieces.push_back({word, span.code, span.strong, space});
            word.clear();
            space = false;
        };
        for (const char c : span.text) {
            if (c != ' ' && c != '\n') {
                word += c;
                continue;
            }
            end_word();
            space = true;
        }
        end_word();
    }
    return pieces;
}

class Page {
  public:
    Page(const Theme& theme, const MarkdownType& type, float width)
        : theme_(theme),
          type_(type),
          list_(*ImGui::GetWindowDrawList()),
          origin_(ImGui::GetCursorScreenPos()),
          width_(width),
          y_(origin_.y),
          line_(std::round(std::max(text_height(type.words), text_height(type.code)) * 1.28f)),
          pad_(std::round(3 * theme.fonts.scale)) {}

    void draw(const std::vector<Block>& blocks) {
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            const bool joined = i > 0 && (blocks[i].kind == Block::Kind::row || !blocks[i].marker.empty()) &&
                                blocks[i - 1].kind == blocks[i].kind;
            if (i > 0) y_ += joined ? std::round(line_ * 0.15f) : std::round(line_ * 0.5f);
            if (blocks[i].kind == Block::Kind::code) code(blocks[i].text);
            else if (blocks[i].kind == Block::Kind::row) i = table(blocks, i);
            else paragraph(blocks[i]);
        }
        ImGui::Dummy({std::max(1.0f, width_), std::max(1.0f, y_ - origin_.y)});
    }

  private:
    void paragraph(const Block& block) {
        const float indent = static_cast<float>(block.depth) * std::round(20 * theme_.fonts.scale);
        if (!block.marker.empty())
            draw_text_right(list_, type_.words, {origin_.x + indent - 2 * pad_, y_ + middle(type_.words)},
                            type_.colour, block.marker);
        y_ = spans(block.spans, origin_.x + indent, origin_.x + width_);
    }

    float middle(ImFont* font) const { return std::round((line_ - text_height(font)) / 2); }

    float width_of(const Piece& piece) const {
        return piece.code ? text_width(type_.code, piece.text) + 2 * pad_
                          : text_width(type_.words, piece.text) + (piece.strong ? theme_.fonts.scale : 0);
    }

    /// Returns where the next line begins.
    float spans(const std::vector<Span>& spans, float left, float right) {
        const auto pieces = pieces_of(spans, type_.code, right - left - 2 * pad_);
        const float space = text_width(type_.words, " ");
        std::string noted;
        ImVec2 at{left, y_};
        for (std::size_t i = 0; i < pieces.size();) {
            std::size_t end = i + 1;
            float group = width_of(pieces[i]);
            for (; end < pieces.size() && !pieces[end].space_before; ++end) group += width_of(pieces[end]);
            if (pieces[i].space_before && at.x > left) at.x += space;
            if (at.x > left && at.x + group > right) at = {left, at.y + line_};
            if (pieces[i].space_before && !noted.empty()) noted += ' ';
            for (; i < end; ++i) {
                noted += pieces[i].text;
                piece(pieces[i], at);
                at.x += width_of(pieces[i]);
            }
        }
        note_words(noted);
        return at.y + line_;
    }

    void piece(const Piece& piece, ImVec2 at) {
        ImFont* font = piece.code ? type_.code : type_.words;
        if (piece.code)
            list_.AddRectFilled({at.x, at.y + pad_ / 2}, {at.x + width_of(piece), at.y + line_ - pad_ / 2},
                                with_alpha(theme_.text, 0.08), pad_);
        const ImVec2 begin{std::round(at.x + (piece.code ? pad_ : 0)), at.y + middle(font)};
        const auto text = [&](float right) {
            list_.AddText(font, compat::font_size(font), {begin.x + right, begin.y}, type_.colour,
                          piece.text.data(), piece.text.data() + piece.text.size());
        };
        text(0);
        if (piece.strong) text(0.6f * theme_.fonts.scale);
    }

    void code(std::string_view text) {
        while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
        const float room = width_ - 6 * pad_;
        const char *begin = text.data(), *last = begin + text.size();
        const float height = type_.code->CalcTextSizeA(text_height(type_.code), FLT_MAX, room, begin, last).y;
        const ImVec2 end{origin_.x + width_, y_ + height + 4 * pad_};
        list_.AddRectFilled({origin_.x, y_}, end, with_alpha(theme_.text, 0.06), pad_);
        note_words(text);
        list_.AddText(type_.code, text_height(type_.code), {origin_.x + 3 * pad_, y_ + 2 * pad_},
                      type_.colour, begin, last, room);
        y_ = end.y;
    }

    /// Rows up to the end of the table, in columns of equal width. Returns the last row.
    std::size_t table(const std::vector<Block>& blocks, std::size_t row) {
        for (;; ++row) {
            const auto columns = static_cast<float>(std::max<std::size_t>(1, blocks[row].cells.size()));
            const float top = y_, column = width_ / columns;
            float bottom = y_ + line_;
            for (std::size_t i = 0; i < blocks[row].cells.size(); ++i) {
                const float left = origin_.x + static_cast<float>(i) * column;
                y_ = top;
                bottom = std::max(bottom, spans(blocks[row].cells[i], left, left + column - 4 * pad_));
            }
            y_ = bottom + pad_;
            list_.AddLine({origin_.x, bottom}, {origin_.x + width_, bottom}, theme_.hairline);
            if (row + 1 == blocks.size() || blocks[row + 1].kind != Block::Kind::row) return row;
        }
    }

    const Theme& theme_;
    const MarkdownType& type_;
    ImDrawList& list_;
    ImVec2 origin_;
    float width_, y_, line_, pad_;
};

}  // namespace

void markdown(const Theme& theme, const MarkdownType& type, std::string_view text, float width) {
    Page(theme, type, width).draw(Reader().read(text));
}

}  // namespace warplens::app

#include "core/matrix_fragment.h"

#include <algorithm>
#include <span>

#include "core/number_text.h"

namespace warplens {

namespace {

struct ElementRow {
    MatrixElement element;
    std::string_view name;
    int bits;
};
constexpr ElementRow element_rows[] = {
    {MatrixElement::b1, "b1", 1},      {MatrixElement::s4, "s4", 4},      {MatrixElement::u4, "u4", 4},
    {MatrixElement::s8, "s8", 8},      {MatrixElement::u8, "u8", 8},      {MatrixElement::e4m3, "e4m3", 8},
    {MatrixElement::e5m2, "e5m2", 8},  {MatrixElement::b16, "b16", 16},   {MatrixElement::f16, "f16", 16},
    {MatrixElement::bf16, "bf16", 16}, {MatrixElement::tf32, "tf32", 32}, {MatrixElement::f32, "f32", 32},
    {MatrixElement::s32, "s32", 32},   {MatrixElement::f64, "f64", 64},
};

const ElementRow& row_of(MatrixElement element) { return element_rows[static_cast<std::size_t>(element)]; }

std::optional<MatrixElement> element_from(std::string_view word) {
    for (const ElementRow& row : element_rows)
        if (row.name == word) return row.element;
    return std::nullopt;
}

struct LayoutRow {
    std::string_view family, shape;
    char operand;
    std::string_view elements, lane_bits, element_bits;
};
constexpr LayoutRow layout_rows[] = {
#define MATRIX_LAYOUT(family, shape, operand, elements, lane, element) \
    LayoutRow{family, shape, operand, elements, lane, element},
#include "core/matrix_layouts.def"
#undef MATRIX_LAYOUT
};

/// The words between `separator`s.
std::vector<std::string_view> words(std::string_view text, char separator) {
    std::vector<std::string_view> all;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(separator), text.size());
        all.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return all;
}

bool contains(const std::vector<std::string_view>& all, std::string_view word) {
    return std::find(all.begin(), all.end(), word) != all.end();
}

/// "r2": row 4; "-": nothing.
MatrixPlace place_of(std::string_view bit) {
    if (bit == "-") return {};
    const int value = 1 << (bit[1] - '0');
    return bit[0] == 'r' ? MatrixPlace{value, 0} : MatrixPlace{0, value};
}

template <std::size_t count>
int fill(std::array<MatrixPlace, count>& bits, std::string_view text) {
    std::size_t used = 0;
    for (const std::string_view word : words(text, ' ')) bits[used++] = place_of(word);
    return static_cast<int>(used);
}

std::optional<MatrixFragment> find_fragment(std::string_view family, std::string_view shape, char operand,
                                            MatrixElement element, int rows, int columns) {
    const char listed = operand == 'd' && family != "row" && family != "transposed" ? 'c' : operand;
    for (const LayoutRow& row : layout_rows) {
        if (row.family != family || row.shape != shape || row.operand != listed ||
            !contains(words(row.elements, ' '), to_string(element)))
            continue;
        MatrixFragment fragment;
        fragment.operand = operand;
        fragment.element = element;
        fragment.rows = rows;
        fragment.columns = columns;
        fill(fragment.lane_bits, row.lane_bits);
        fragment.elements = 1 << fill(fragment.element_bits, row.element_bits);
        return fragment;
    }
    return std::nullopt;
}

struct Shape {
    std::string_view text;
    int m = 0, n = 0, k = 0;
    /// The shape that determines c and d of an mma: their layout does not depend on k.
    std::string_view without_k() const { return text.substr(0, text.find('k')); }
};

/// "m16n8k16", "m8n8".
std::optional<Shape> shape_from(const std::vector<std::string_view>& parts) {
    for (const std::string_view part : parts) {
        if (part.size() < 4 || part[0] != 'm' || part[1] < '0' || part[1] > '9') continue;
        Shape shape;
        shape.text = part;
        std::string_view left = part;
        for (int* size : {&shape.m, &shape.n, &shape.k}) {
            if (left.empty()) break;
            left.remove_prefix(1);
            *size = take_number<int>(left).value_or(*size);
        }
        return shape;
    }
    return std::nullopt;
}

class Reader {
  public:
    explicit Reader(std::string_view opcode) : parts_(words(opcode, '.')) {
        for (std::size_t i = 1; i < parts_.size(); ++i)
            if (auto element = element_from(parts_[i])) elements_.push_back(*element);
    }

    std::optional<MatrixInstruction> read() {
        if (parts_.empty() || contains(parts_, "sp")) return std::nullopt;
        const std::string_view name = parts_.front();
        const bool wmma = name == "wmma";
        if (name == "ldmatrix" || name == "stmatrix" || name == "movmatrix") return read_rows(name);
        const auto shape = shape_from(parts_);
        if ((!wmma && name != "mma") || !shape || shape->k == 0) return std::nullopt;
        result_.m = shape->m;
        result_.n = shape->n;
        result_.k = shape->k;
        if (!wmma || contains(parts_, "mma")) return read_product(*shape, wmma);
        return read_transfer(*shape);
    }

  private:
    bool add(std::string_view family, std::string_view shape, char operand, MatrixElement element) {
        const bool a = operand == 'a', b = operand == 'b';
        auto fragment = find_fragment(family, shape, operand, element, b ? result_.k : result_.m,
                                      a ? result_.k : result_.n);
        if (fragment) result_.fragments.push_back(*fragment);
        return fragment.has_value();
    }

    std::optional<MatrixInstruction> read_product(const Shape& shape, bool wmma) {
        MatrixElement d, a, b, c;
        if (elements_.size() == 4) {
            d = elements_[0], a = elements_[1], b = elements_[2], c = elements_[3];
        } else if (elements_.size() == 2 && wmma) {
            d = elements_[0], c = elements_[1], a = b = MatrixElement::f16;
        } else {
            return std::nullopt;
        }
        const std::string_view family = wmma ? "wmma" : "mma";
        const std::string_view accumulator = wmma ? shape.text : shape.without_k();
        if (!add(family, accumulator, 'd', d) || !add(family, shape.text, 'a', a) ||
            !add(family, shape.text, 'b', b) || !add(family, accumulator, 'c', c))
            return std::nullopt;
        result_.saturates = contains(parts_, "satfinite");
        result_.combines_with_and = contains(parts_, "and");
        result_.combines_with_xor = contains(parts_, "xor");
        return result_;
    }

    std::optional<MatrixInstruction> read_transfer(const Shape& shape) {
        const bool load = contains(parts_, "load");
        if ((!load && !contains(parts_, "store")) || elements_.size() != 1) return std::nullopt;
        result_.work = load ? MatrixWork::load : MatrixWork::store;
        result_.column_major = contains(parts_, "col");
        for (const std::string_view operand : {"a", "b", "c", "d"})
            if (contains(parts_, operand) && add("wmma", shape.text, operand[0], elements_[0]))
                return result_;
        return std::nullopt;
    }

    std::optional<MatrixInstruction> read_rows(std::string_view name) {
        if (!contains(parts_, "m8n8") || !contains(parts_, "b16")) return std::nullopt;
        const bool moves = name == "movmatrix";
        result_.work = moves                ? MatrixWork::transpose
                       : name == "ldmatrix" ? MatrixWork::load_rows
                                            : MatrixWork::store_rows;
        result_.transposed = contains(parts_, "trans");
        if (moves && !result_.transposed) return std::nullopt;
        const int count = moves || contains(parts_, "x1") ? 1
                          : contains(parts_, "x2")        ? 2
                          : contains(parts_, "x4")        ? 4
                                                          : 0;
        if (count == 0) return std::nullopt;
        const std::string_view family = result_.transposed && !moves ? "transposed" : "row";
        for (int i = 0; i < count; ++i)
            result_.fragments.push_back(*find_fragment(family, "m8n8", 'd', MatrixElement::b16, 8, 8));
        return result_;
    }

    std::vector<std::string_view> parts_;
    std::vector<MatrixElement> elements_;
    MatrixInstruction result_;
};

}  // namespace

int bits_of(MatrixElement element) { return row_of(element).bits; }
std::string_view to_string(MatrixElement element) { return row_of(element).name; }

int MatrixFragment::per_register() const {
    return element == MatrixElement::f64 ? 1 : std::max(1, 32 / bits_of(element));
}

MatrixPlace MatrixFragment::place(int lane, int number) const {
    MatrixPlace at;
    auto add = [&](std::span<const MatrixPlace> bits, int value) {
        for (std::size_t i = 0; i < bits.size(); ++i) {
            if ((value >> i & 1) == 0) continue;
            at.row += bits[i].row;
            at.column += bits[i].column;
        }
    };
    add(lane_bits, lane);
    add(element_bits, number);
    return at;
}

bool MatrixFragment::repeats(int number) const {
    for (std::size_t i = 0; i < element_bits.size(); ++i)
        if ((number >> i & 1) != 0 && element_bits[i] == MatrixPlace{}) return true;
    return false;
}

int MatrixFragment::contiguous(bool column_major) const {
    int run = 1;
    for (const MatrixPlace& bit : element_bits) {
        if (run >= elements || bit != (column_major ? MatrixPlace{run, 0} : MatrixPlace{0, run})) break;
        run *= 2;
    }
    return run;
}

int MatrixInstruction::requests() const {
    switch (work) {
        case MatrixWork::load:
        case MatrixWork::store: {
            const MatrixFragment& fragment = fragments.front();
            int distinct = 0;
            for (int e = 0; e < fragment.elements; ++e) distinct += fragment.repeats(e) ? 0 : 1;
            return distinct / fragment.contiguous(column_major);
        }
        case MatrixWork::load_rows:
        case MatrixWork::store_rows:
            return 1;
        default:
            return 0;
    }
}

int MatrixInstruction::bytes_per_request() const {
    if (requests() == 0) return 0;
    constexpr int matrix_row_bytes = 16;
    if (work == MatrixWork::load_rows || work == MatrixWork::store_rows) return matrix_row_bytes;
    const MatrixFragment& fragment = fragments.front();
    return fragment.contiguous(column_major) * bits_of(fragment.element) / 8;
}

std::optional<MatrixInstruction> matrix_instruction(std::string_view opcode) { return Reader(opcode).read(); }

}  // namespace warplens

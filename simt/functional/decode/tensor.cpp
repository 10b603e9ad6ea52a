// Matrix instructions: wmma, mma, ldmatrix, stmatrix, movmatrix.
#include "simt/functional/execute/tensor.h"
#include "ptx/opcodes.h"
#include "simt/functional/decode/decoder.h"

namespace warplens::simt {

namespace {

Shape register_shape(const MatrixFragment& fragment) {
    return fragment.element == MatrixElement::f64 ? Shape::wide : Shape::word;
}

std::vector<u16> places_of(const MatrixFragment& fragment) {
    std::vector<u16> places;
    for (int e = 0; e < fragment.elements; ++e)
        for (int lane = 0; lane < warp_size; ++lane) {
            const MatrixPlace at = fragment.place(lane, e);
            places.push_back(static_cast<u16>(at.row * fragment.columns + at.column));
        }
    return places;
}

/// The registers of an operand: those in braces, or a single one.
std::vector<ptx::Operand> registers_in(const ptx::Operand& operand) {
    if (auto* vector = std::get_if<ptx::Vector>(&operand.value)) return vector->elements;
    return {operand};
}

class MatrixDecoder {
  public:
    MatrixDecoder(Decoder& decoder, MatrixInstruction form) : decoder_(decoder) {
        matrix_.form = std::move(form);
    }

    bool decode() {
        decoder_.convergence |= 0xffffffffu;
        const auto& operands = decoder_.instruction().operands;
        const auto& fragments = matrix_.form.fragments;
        switch (matrix_.form.work) {
            case MatrixWork::multiply:
                if (operands.size() != 4) return false;
                for (std::size_t i = 0; i < 4; ++i)
                    if (!add_operand(fragments[i], registers_in(operands[i]), i == 0)) return false;
                return finish(multiply_matrices);
            case MatrixWork::transpose:
                if (operands.size() != 2) return false;
                for (std::size_t i = 0; i < 2; ++i)
                    if (!add_operand(fragments[0], registers_in(operands[i]), i == 0)) return false;
                return finish(transpose_matrix);
            case MatrixWork::load:
                return operands.size() >= 2 && decode_transfer(operands[0], operands[1], load_fragment);
            case MatrixWork::store:
                return operands.size() >= 2 && decode_transfer(operands[1], operands[0], store_fragment);
            case MatrixWork::load_rows:
                return operands.size() == 2 && decode_rows(operands[0], operands[1], load_matrix_rows);
            case MatrixWork::store_rows:
                return operands.size() == 2 && decode_rows(operands[1], operands[0], store_matrix_rows);
        }
        return false;
    }

  private:
    bool loads() const {
        return matrix_.form.work == MatrixWork::load || matrix_.form.work == MatrixWork::load_rows;
    }

    bool add_operand(const MatrixFragment& fragment, const std::vector<ptx::Operand>& registers,
                     bool is_result) {
        MatrixOp::Operand operand{fragment, {}, places_of(fragment)};
        if (static_cast<int>(registers.size()) != fragment.registers()) return false;
        for (const ptx::Operand& one : registers) {
            const auto row = is_result ? decoder_.destination(one, register_shape(fragment))
                                       : decoder_.source(one, register_shape(fragment));
            if (!row) return false;
            operand.registers.push_back(*row);
        }
        matrix_.operands.push_back(std::move(operand));
        return true;
    }

    bool finish(Execute execute) {
        DecodedOp& op = decoder_.add(execute);
        fill(op);
        return true;
    }

    void fill(DecodedOp& op) {
        op.flags = static_cast<u32>(decoder_.kernel().matrices.size());
        decoder_.kernel().matrices.push_back(std::move(matrix_));
    }

    /// Sets the rows of a request's data and addresses, and the address as written.
    bool finish_access(const ptx::Operand& where, Row stride, u32 bytes, u32 element_bytes, Execute execute) {
        DecodedOp made;
        if (!decoder_.address(where, made)) return false;
        made.space = ptx::space_of(decoder_.instruction());
        if (made.space == Space::none && matrix_.form.work != MatrixWork::load &&
            matrix_.form.work != MatrixWork::store)
            made.space = Space::shared;
        made.element_bytes = static_cast<u8>(element_bytes);
        made.rows[0] = stride;
        const u32 rows = std::max(1u, bytes / std::max(4u, element_bytes));
        for (u32 i = 0; i < rows; ++i)
            made.rows[1 + i] = decoder_.temporary(element_bytes == 8 ? Shape::wide : Shape::word);
        made.rows[address_row + 1] = decoder_.temporary(Shape::wide);
        made.window = decoder_.kernel().window_count++;
        made.rows[matrix_examined_row] = decoder_.temporary(Shape::word);
        set_matrix_access(matrix_, made, bytes, loads());
        DecodedOp& op = decoder_.add(execute);
        made.execute = execute;
        made.site = op.site;
        op = made;
        fill(op);
        return true;
    }

    bool decode_transfer(const ptx::Operand& data, const ptx::Operand& where, Execute execute) {
        const MatrixFragment fragment = matrix_.form.fragments.front();
        const auto& operands = decoder_.instruction().operands;
        if (!add_operand(fragment, registers_in(data), loads())) return false;
        // Without a stride the matrix is contiguous.
        const u32 alone = static_cast<u32>(matrix_.form.column_major ? fragment.rows : fragment.columns);
        const auto stride = operands.size() > 2 ? decoder_.source(operands[2], Shape::word)
                                                : std::optional<Row>(decoder_.constant(Shape::word, alone));
        return stride && finish_access(where, *stride, static_cast<u32>(matrix_.form.bytes_per_request()),
                                       static_cast<u32>(bits_of(fragment.element)) / 8, execute);
    }

    bool decode_rows(const ptx::Operand& data, const ptx::Operand& where, Execute execute) {
        const auto registers = registers_in(data);
        if (registers.size() != matrix_.form.fragments.size()) return false;
        for (std::size_t i = 0; i < registers.size(); ++i)
            if (!add_operand(matrix_.form.fragments[i], {registers[i]}, loads())) return false;
        return finish_access(where, decoder_.constant(Shape::word, 0),
                             static_cast<u32>(matrix_.form.bytes_per_request()), 4, execute);
    }

    Decoder& decoder_;
    MatrixOp matrix_;
};

}  // namespace

bool decode_tensor(Decoder& decoder) {
    auto form = matrix_instruction(decoder.instruction().spelling);
    return form && MatrixDecoder(decoder, std::move(*form)).decode();
}

}  // namespace warplens::simt

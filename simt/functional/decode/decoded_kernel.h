// DecodedKernel: a kernel as flat arrays of operations and blocks, with the layout of a warp's register file
// and of the state spaces. Immutable; it depends neither on the launch nor on device addresses:
// launch_state.h resolves the constant rows that name a symbol.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/matrix_fragment.h"
#include "core/program.h"
#include "ptx/program.h"
#include "simt/functional/decode/decoded_op.h"
#include "simt/functional/engine.h"
#include "simt/functional/execute/special_registers.h"
#include "simt/functional/execute/video.h"

namespace warplens::simt {

inline constexpr Row no_row = 0xffffffffu;

enum class Control : u8 {
    fall_through,
    branch,
    branch_table,
    exit,
    call,
    leave_function,
    barrier_sync,
    barrier_arrive,
    barrier_reduce,
    cluster_arrive,
    cluster_wait,
    // Machine code:
    converge,        // waits for the lanes of a convergence barrier
    converge_named,  // waits for the lanes of a mask
    give_way,        // lets other lanes of the warp run first
    jump,            // to an address
    call_address,    // calls a function that CUDA provides, by its address
};
enum class Reduction : u8 { none, count, all, any };

/// A basic block of Program: its operations, then at most one control instruction. The last block has no
/// sites: it returns from a function whose text ends without a return.
struct DecodedBlock {
    u32 first_op = 0, end_op = 0;
    SiteId first_site = 0;
    u32 site_count = 0;
    u32 convergence =
        0;  // lanes that its .sync instructions name; lanes that arrive early wait for the others
    Control control = Control::fall_through;
    Reduction reduction = Reduction::none;
    bool guarded = false;
    bool guard_negated = false;
    bool counted = false;  // barrier: with a thread count
    bool packed = false;   // machine code: number and count in one word, the count in its upper half, 0: all
    bool aligned = false;  // barrier: all threads of a warp must execute this instruction together
    Row guard = 0;
    SiteId control_site = no_index;
    SiteId counter = no_index;  // an atomic by which a warp may take a number from a counter of the grid
    u32 target = 0;             // branch: block; table, call: index into DecodedKernel::tables, calls
    u32 next = 0;               // next block in text order, or the one that returns from the function
    Row table_index = 0;
    Row barrier = 0, barrier_count = 0, reduced = 0, result = 0;
    // jump, call_address: added to the pair of registers at table_index; table `target` has the blocks
    u64 offset = 0;
};

struct CopiedParameter {
    u32 from = 0, to = 0, bytes = 0;  // offsets in a lane's params
};

/// A function of the module, called by name or by address, or one that CUDA provides: vprintf, __assertfail,
/// malloc, free, and those of the device run-time that launch grids.
enum class Callee : u8 {
    function,
    pointer,
    print,
    assertion,
    allocate,
    release,
    launch_buffer,  // cudaGetParameterBufferV2: memory for a grid's arguments
    launch,         // cudaLaunchDeviceV2: launches the grid of a buffer
    last_error,     // cudaGetLastError
    peek_error,     // cudaPeekAtLastError
    create_stream,
    destroy_stream,
};

/// The callee's side of a parameter (`to` of an argument, `from` of a result) is known only if the function
/// is called by name.
struct CallSite {
    Callee callee = Callee::function;
    u32 function = 0;  // index into DecodedKernel::functions
    Row pointer = 0;   // the address called, 8 bytes per lane
    std::vector<CopiedParameter> arguments;
    std::vector<CopiedParameter> results;
};

/// Where a function's parameters are in a lane's params.
struct ParameterPlace {
    u32 at = 0, bytes = 0;
};

/// Addresses of functions start here: outside all memory, so that reading there is detected.
inline constexpr u64 code_window = 0x0005'0000'0000'0000;
inline constexpr u64 code_step = 256;
/// By index in ptx::Module::functions: a pointer means the same in every kernel of the module.
inline u64 function_address(u32 in_module) { return code_window + code_step * (u64{in_module} + 1); }

/// A kernel of the module, as device code launches it.
struct LaunchableKernel {
    std::string name;
    u64 address = 0;  // what device code names it by
    u32 parameter_bytes = 0;
    u64 most_threads = 0, exactly_threads = 0;  // of a block, as its directives say; 0: they do not
    bool in_clusters = false;
};

struct RegisterSlot {
    Row row = 0;
    u8 bytes = 0;          // per lane: 0 predicate, 4, 8
    u32 index = no_index;  // in ptx::Function::registers; no_index: upper half of a .b128, or machine code
};

/// The entry is function 0.
struct DecodedFunction {
    std::string name;
    u32 entry_block = 0;
    u32 depot_bytes = 0;  // local memory of one activation
    u32 frame_bytes = 0;  // stack bytes of one activation: see stack_frames.h
    Row local_base = 0;   // per lane: where the activation's local memory begins
    u32 params_begin = 0, params_end = 0;
    u64 address = 0;
    bool address_taken = false;  // may be called through a pointer
    std::vector<ParameterPlace> parameters, results;
    std::vector<RegisterSlot> registers;  // what a recursive call must save
};

/// A row whose lanes all hold `bits`, plus the address of `variable` if there is one.
struct ConstantRow {
    Row row = 0;
    u8 bytes = 4;  // per lane; 0: predicate
    u64 bits = 0;
    u32 variable = no_index;  // index into DecodedKernel::variables, for .global ones
    friend bool operator==(const ConstantRow&, const ConstantRow&) = default;
};

/// A row whose lanes all hold a word of a constant bank.
struct BankRow {
    Row row = 0;
    u32 bank = 0, offset = 0;
};
inline constexpr u32 constant_banks = 5;

/// An address to store into an initialised array at launch.
struct AddressInitialiser {
    u64 at = 0;  // byte offset in the variable
    u32 variable = 0;
    s64 offset = 0;
    u32 bytes = 8;
    u32 shift = 0;  // low bits of the address to drop
};

/// A function that CUDA provides, as machine code calls it: arguments and result are in registers.
struct ProvidedFunction {
    u64 address = 0;
    u32 call = 0;  // index into DecodedKernel::calls: where the lane's params have what the registers have
    std::vector<Row> arguments;  // one per CallSite::arguments; of 8 bytes, a pair of registers
    Row result = 0;
};

/// What a kernel of machine code needs beside its operations. Bank 0 is the launch's: see constant_banks.h.
struct MachineLayout {
    std::vector<BankRow> rows;
    std::array<std::vector<std::byte>, constant_banks> images;  // empty: not known, or bank 0
    std::vector<AddressInitialiser> addresses;                  // in bank 4
    std::vector<AddressInitialiser> constant_addresses;         // in bank 3
    std::vector<ProvidedFunction> provided;
    Row uniform_registers = 0, predicates = 0;  // UR0 and P0; the others follow, UP0 after P7
    Row return_address = 0;                     // the pair of registers that has it at a call of those
    int sm = 90;             // compute capability times ten, whose launch constants bank 0 has
    u32 parameter_base = 0;  // of the parameters in bank 0
};

struct SpecialRow {
    Row row = 0;
    Special which = Special::zero;
};

/// A matrix instruction, with more operands than a DecodedOp has rows; DecodedOp::flags is its index.
struct MatrixOp {
    /// One operand: its registers, and for each element of each lane (element * warp_size + lane) its
    /// position in the matrix, row * columns + column.
    struct Operand {
        MatrixFragment fragment;
        std::vector<Row> registers;
        std::vector<u16> places;
        bool in_pairs = false;  // elements of 64 bits: in two rows of 4 bytes per lane, as in machine code
    };
    MatrixInstruction form;
    std::vector<Operand> operands;  // as in form.fragments; for movmatrix the result, then the source
    Execute examine = nullptr;      // before `access`, unless null: see examining_executor()
    Execute access = nullptr;       // of one of its requests to memory
};

/// A .global or .const array of the module that the kernel uses.
struct ModuleVariable {
    std::string name;
    Space space = Space::global;
    u64 offset = 0;  // constants: offset in the constant bank
    std::vector<std::byte> image;
    std::vector<AddressInitialiser> addresses;
};

struct DecodedKernel final : Kernel {
    Program numbered;
    std::vector<ptx::SiteOrigin> origins;  // one per site; empty for machine code
    std::vector<DecodedOp> ops;
    std::vector<DecodedOp> held_ops;  // operations after an instruction that may end the block within a visit
    std::vector<DecodedBlock> blocks;
    std::vector<DecodedFunction> functions;
    std::vector<LaunchableKernel> launchable;  // all kernels of the module
    std::vector<CallSite> calls;
    std::vector<std::vector<u32>> tables;  // target blocks of each brx.idx
    std::vector<MatrixOp> matrices;
    std::vector<VideoForm> videos;
    std::vector<std::array<Row, 8>> vector_results;  // result rows of atomic instructions on vectors
    std::vector<ConstantRow> constants;
    std::vector<SpecialRow> specials;
    std::vector<ModuleVariable> variables;
    std::optional<MachineLayout> machine;  // lanes meet at convergence barriers only
    std::vector<std::string> image_names;  // .texref and .surfref variables that instructions name
    std::vector<Unsupported> missing;
    u32 register_bytes = 0;  // size of a warp's register file
    u32 zeroed_bytes = 0;    // its leading part, cleared when a block begins
    u32 state_bytes = 0;     // its leading part that holds registers
    u32 window_count = 0;
    u32 param_bytes = 0;  // .param variables of functions, per lane
    u32 kernel_param_bytes = 0;
    u32 local_bytes = 0;   // per lane, if `recurses` is false
    u32 shared_bytes = 0;  // static
    u64 constant_bytes = 0;
    bool ordered = false;    // blocks can observe each other's order: run on one thread
    bool counts = false;     // a DecodedBlock has a counter
    bool recurses = false;   // the depth of calls is unknown: the launch's stack limit applies
    bool uses_heap = false;  // calls malloc or free: run on one thread
    bool launches = false;   // calls the device run-time: run on one thread

    const Program& program() const override { return numbered; }
    std::uint32_t static_shared_bytes() const override { return shared_bytes; }
    const std::vector<Unsupported>& unsupported() const override { return missing; }
    bool launches_grids() const override { return launches; }
};

}  // namespace warplens::simt

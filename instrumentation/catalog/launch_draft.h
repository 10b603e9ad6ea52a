// LaunchDraft: the launch of a kernel file that does not declare one, while somebody works it out: entry,
// grid, block and one row an argument, each a text that may still be wrong. It is guessed from the kernel's
// parameters, filled in by a form or by flags, and turned into what a header would have declared. What has
// not been touched says that it is a guess.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "instrumentation/catalog/entry_facts.h"
#include "instrumentation/catalog/kernel.h"

namespace warplens::instrumentation {

struct DraftArgument {
    enum class Kind : std::uint8_t { buffer, scalar, structure, image };
    std::string name;          // as the source calls it; becomes the buffer's or the parameter's
    std::string written_type;  // "const float*"
    Kind kind = Kind::scalar;
    std::string scalar_type = "i32";  // of a scalar: its type, of scalar_type.h
    std::uint32_t bytes = 0;          // of a structure
    std::string element_type;         // of a buffer: u8 … f64
    std::string length;               // of a buffer: an expression over the scalars
    std::string shares;  // of a buffer: name of the argument whose buffer it points into; empty: its own
    std::string offset;  // of a buffer: elements from its beginning, an expression; empty: 0
    std::string fill = "zero";  // of a buffer: zero, iota, random, constant or formula
    std::string value;     // a scalar's number; a buffer's constant or formula, or the bound of its random
                           // integers; a structure as aggregate.h writes it, an image as image_text.h does
    std::string contents;  // of a buffer: a clause where the fill is not what the host puts in; empty: it is
    bool guessed = true;   // nobody has said so
    std::string from;  // where in the host code the guess comes from, "line 52"; empty: from names and types
    bool contents_guessed = false;  // by other numbers than random ones in the program's range
    /// Of a buffer, as long as it is `guessed`: a launch that is run before this one, and what it leaves. The
    /// fill and `contents` say what is in its place where it cannot be run.
    std::optional<WrittenContents> written = {};
    std::uint64_t address = 0;                    // of a buffer: where the program has it; 0: not known
    std::optional<std::uint64_t> file_part = {};  // as BufferDeclaration's

    friend bool operator==(const DraftArgument&, const DraftArgument&) = default;
};

/// Whether only the argument's size is known: of a .cubin whose kernel's name says no types.
bool is_untyped(const DraftArgument& argument);
/// What such an argument may be taken for: types of scalar_type.h of its size, and "buffer" of 8 bytes.
std::vector<std::string> types_that_fit(const DraftArgument& argument);
/// Takes it for one of them.
void set_type(DraftArgument& argument, const std::string& type);

struct LaunchDraft {
    std::string entry;                     // EntryFacts::name
    std::vector<std::string> grid, block;  // three each: expressions over the scalars; empty: 1
    std::string dynamic_shared_bytes = "0";
    std::vector<std::string> cluster;  // as grid, in blocks; all empty or 1: as compiled, or none
    bool cooperative = false;          // all blocks run at the same time
    bool grid_guessed = true, block_guessed = true, cooperative_guessed = false;
    bool linked = false;          // memory holds addresses: each buffer has to lie at its own
    bool shared_guessed = false;  // dynamic_shared_bytes: the host code gives some, how many is not followed
    std::string from, grid_from, block_from;  // as DraftArgument::from: the launch, and its extents
    std::vector<DraftArgument> arguments;
    std::vector<DraftArgument> targets;  // buffers that structures point to, by their names

    friend bool operator==(const LaunchDraft&, const LaunchDraft&) = default;
};

/// A sensible beginning: integers called like a size set the lengths and the grid, pointers become buffers,
/// what is only read is filled with numbers.
LaunchDraft guess_launch(const EntryFacts& entry, const std::string& source);

/// What the kernel already declares, or was given by flags, in place of the guesses.
/// `entries`: the file's kernels, of which earlier launches are run; of others the contents stay a guess.
LaunchDraft draft_of(const KernelFile& kernel, const EntryFacts& entry,
                     const std::vector<EntryFacts>& entries = {});

/// What is wrong with one field, by its name: "grid 0", "block 2", "shared", "cluster 0", "argument 1",
/// "length 1", "value 1". Empty when the launch can be tried.
struct DraftError {
    std::string field, message;
};
std::vector<DraftError> check_draft(const LaunchDraft& draft);

/// The file with the draft declared as if by its header: scalars become parameters, so that they get knobs.
KernelFile with_launch(KernelFile file, const LaunchDraft& draft);

/// The same as flags of the command line, for one who would rather type it.
std::string flags_of(const LaunchDraft& draft);

}  // namespace warplens::instrumentation

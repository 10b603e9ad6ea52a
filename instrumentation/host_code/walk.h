// Walk: follows the host code of a file from main, statement by statement, once through every loop, with what
// is known of its variables, and notes each kernel launch it comes to. A condition that is not known is
// followed both ways; assignments in the second branch do not replace what the first one set. The program is
// run without arguments: argc is 1. Where sizes are assumed, an unknown number with the name of a size has
// one value wherever it is used.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "instrumentation/host_code/expression.h"
#include "instrumentation/host_code/items.h"
#include "instrumentation/host_code/launches.h"

namespace warplens::instrumentation::host_code {

/// A launch as it was come to: the values are those at that place.
struct WalkedLaunch {
    std::string kernel;  // the last word of its name
    std::string scope;
    std::vector<std::string> template_arguments;
    std::vector<Value> launch;     // grid, block, dynamic shared memory, stream
    std::vector<Value> arguments;  // copies: later changes do not matter
    Origin origin;
    bool cooperative = false;
    std::vector<Value> cluster;         // of an attribute: its extents, or nothing
    std::int64_t pass = 1, passes = 1;  // as in HostLaunch
    bool repeated = false;              // another pass of its loop stands for it
};

/// Bytes that a type takes, and to which multiple of bytes it is aligned.
struct Layout {
    std::int64_t bytes = 0, alignment = 1;
};

class Walk : public Names {
  public:
    struct Options {
        bool sizes = false;     // assume those that the program does not tell
        bool arguments = true;  // argc is 1; else not known
    };
    Walk(const Tokens& tokens, const std::vector<Item>& items, Options options,
         const OccupancyQuery& occupancy);

    /// From main where there is one; then each function with a launch that was not come to.
    void run();

    std::vector<WalkedLaunch> launches;
    /// __constant__ and __device__ variables that the host fills, as they are when it launches a kernel.
    std::map<std::string, Storage> copied_symbols;
    /// Whether a number was computed from an assumed size.
    bool is_assumed(const Roots& roots) const;

    /// Name and type, "int[4]", of each member of a structure of the file or of a type such as float4, in
    /// order; empty when it is none.
    std::vector<std::pair<std::string, std::string>> members_of(const std::string& type);
    /// How its members lie in memory; nothing where one is not known.
    std::optional<Layout> layout_of(const std::string& type);
    /// The types of the numbers in a structure that braces can list, those of structures in it included;
    /// empty where it is none, has a constructor or bases, or holds bytes that no number has.
    std::vector<std::string> parts_of(const std::string& type);
    /// The type that all numbers of a structure have; "int" where all have four bytes; empty: neither.
    std::string unit_of(const std::string& structure);
    /// The unsigned integer of a size that all numbers of a structure have; bytes where they differ.
    std::string word_of(const std::string& structure);
    /// Of kernels with one name that whose parameters agree with the arguments; null: none has the name.
    const Item* launched_kernel(const WalkedLaunch& launch);
    /// "float2*", "int" of its parameters.
    std::vector<std::string> parameter_types(const Item& function);
    /// With the scopes of types of the program's own: "sums::plus<float>".
    std::string qualified(std::string_view type) const;

    Value look_up(const std::string& name, Origin origin) override;
    Value member(const Value& object, const std::string& name, Origin origin) override;
    Value call(const Call& call) override;
    Value index(const Value& of, const Value& at) override;
    Value assign(const Value& to, const Value& value, Origin origin) override;
    std::string resolved(const std::string& type) override;
    std::optional<std::int64_t> size_of(const std::string& type) override;
    bool is_type(const std::string& name) override;

  private:
    using Scope = std::map<std::string, Slot>;
    struct Frame {
        std::vector<Scope> scopes;
        std::map<std::string, std::string> types;  // template parameters and aliases
        std::shared_ptr<Fields> object;            // of a member function
        std::string self;                          // the object's type: "Buffer<float>"
        Value result;
        bool left = false;       // by return, break or continue
        bool continues = false;  // by continue
    };

    // Statements: walk.cpp, loops.cpp, running_sums.cpp.
    void block(const Tokens& tokens, std::size_t begin, std::size_t end);
    std::size_t statement(const Tokens& tokens, std::size_t at, std::size_t end);
    std::size_t branch(const Tokens& tokens, std::size_t at, std::size_t end);
    std::size_t loop(const Tokens& tokens, std::size_t at, std::size_t end);
    bool run_small_loop(const Tokens& tokens, std::size_t at, std::size_t after);
    std::size_t loop_header(const Tokens& tokens, std::size_t from, std::size_t close, Slot& variable);
    std::optional<Loop> counted(const Tokens& tokens, std::size_t condition, std::size_t end,
                                const std::string& name);
    bool ranged(const Tokens& tokens, std::size_t begin, std::size_t end);
    struct ArraySum {
        std::shared_ptr<Storage> storage;
        Contents before;
        Fill fill;
    };
    struct RunningSums {
        std::map<Slot, FormulaPointer> variables;  // what they are after the loop
        std::vector<ArraySum> arrays;
    };
    RunningSums running_sums(const Tokens& tokens, std::size_t begin, std::size_t end, const Slot& counter);
    std::map<Slot, FormulaPointer> growth(const Tokens& tokens, std::size_t begin, std::size_t end,
                                          const Loop& loop, std::vector<ArraySum>* arrays);
    std::map<Slot, FormulaPointer> growth_of_inner(const Tokens& tokens, std::size_t at, std::size_t end,
                                                   std::map<Slot, std::string>& names);
    bool declares_number(const Tokens& tokens, std::size_t at, std::size_t end);
    std::optional<ArraySum> array_sum(const Tokens& tokens, std::size_t at, std::size_t end,
                                      const Loop& loop);
    std::optional<ArraySum> array_sum_but_first(const Tokens& tokens, std::size_t at, std::size_t end,
                                                const Loop& loop);
    static void put_array_sums(const RunningSums& sums);
    static void put_sums(const RunningSums& sums);
    void forget_changes(const Tokens& tokens, std::size_t begin, std::size_t end);
    void forget_carried(const Tokens& tokens, std::size_t begin, std::size_t end);
    std::size_t choice(const Tokens& tokens, std::size_t at, std::size_t end);
    using ContentsOf = std::map<std::shared_ptr<Storage>, Contents>;
    /// While alternatives are followed, each finds the contents of memory as the first one did: the kernels
    /// of another side have not run.
    class Alternatives {
      public:
        /// `in_iterations`: each may be that of another iteration of the loop around them.
        Alternatives(Walk& walk, bool in_iterations, Origin at);
        Alternatives(const Alternatives&) = delete;
        Alternatives& operator=(const Alternatives&) = delete;
        ~Alternatives();
        /// Before each but the first.
        void next();

      private:
        bool finds_again(const Contents& contents) const;

        Walk& walk_;
        ContentsOf before_, after_;
        ContentsOf* outer_;
        bool in_iterations_;
        Origin at_;
    };
    void other_cases(const Tokens& tokens, const std::vector<std::size_t>& labels, std::size_t followed,
                     std::size_t end, Alternatives& cases);
    std::size_t passed(const Tokens& tokens, std::size_t at, std::size_t end) const;
    bool declaration(const Tokens& tokens, std::size_t at, std::size_t end);
    void declare(const std::string& type, const std::string& name, Value value, Origin origin);
    void bind(const std::string& name, Value value);
    Value array(const Tokens& tokens, std::size_t& at, std::size_t end, const std::string& type,
                const std::string& name, Origin origin);
    Value fresh_member(const Item& member, std::string_view name, Origin origin);
    Value look_at(const Slot& slot);
    bool swap_variables(const Call& call);
    std::string element_name(const Value& array, const Value& at);
    Value member_of_element(const Value& object, const std::string& name, Origin origin);
    const Scope& globals_scope() const {
        return globals_.scopes.empty() ? frames_.front().scopes.front() : globals_.scopes.front();
    }
    /// Runs the constructor of a class of the file over its new members.
    void construct(Value& object, const std::string& type, const std::vector<Value>& arguments,
                   Origin origin);
    void construct_this(const std::vector<Value>& arguments, Origin origin);
    int agreement(const Item& function, const std::vector<Value>& arguments);
    void set_member(const Slot& field, const Value& given, Origin origin);
    Value made(const std::string& type, const std::vector<Value>& arguments, Origin origin);

    // What names stand for in a class: classes.cpp.
    void add_class(const Item& type, int depth);
    bool names_before(const Item& function, std::string_view word) const;
    /// A class of the file, whatever its template arguments: "gpu::Buffer<float>". Null: it is none.
    const Item* own_type(std::string_view type) const;
    /// Its declarations.
    const std::vector<Item>& inside_of(const Item& type);
    /// Of "Gemm<Tile<64>, float>": the names of its template parameters, and its aliases.
    Frame frame_in(const std::string& type);
    std::optional<Value> constant_in(const std::string& type, const std::string& name);
    std::string known_name(const std::string& plain) const;
    std::string constant_text(const std::string& word) const;
    std::string substituted(std::string_view text, std::size_t& at);
    std::size_t alias_template(const Tokens& tokens, std::size_t at, std::size_t end);
    std::string expanded(const std::string& type);
    const Item* class_of(const Item& function) const {
        const auto found = class_of_.find(&function);
        return found == class_of_.end() ? nullptr : found->second;
    }
    Value constructed(const std::string& type, const std::vector<Value>& arguments, Origin origin);
    void body_of(const Item& item, const Call& call);
    std::string default_of(const Item& item, std::size_t parameter);
    void constants_of(const Item& item);
    void parameters_of(const Tokens& tokens, std::size_t begin, std::size_t end,
                       const std::vector<Value>& arguments);

    // Contents of memory: fills.cpp.
    void fill_element(const Value& to, const Value& value, Origin origin);
    void fill_whole(const Value& to, const Value& value, Origin origin);
    Value memory_of_text(const std::string& type, std::string_view text, bool with_end, Origin origin);
    Value listed(const std::string& type, const std::vector<Value>& list, Origin origin);
    void fill_list(const std::vector<Value>& list, Storage& storage, Origin origin);
    /// Adds the numbers of a structure or an array that is listed, in the order of its members. False: one is
    /// not known.
    bool add_numbers(const std::string& type, const Value& value, std::vector<FormulaPointer>& numbers);
    /// With a 0 for each number that it has.
    Value zero_of(const std::string& type, Origin origin);
    void fill_structures(const std::vector<Value>& list, Storage& storage, Origin origin);
    void fill_bytes(const Value& to, const Value& byte, const Value& bytes, Origin origin);
    void copy(const Value& to, const Value& from, const Value& bytes, Origin origin);
    void forget_number(const Slot& variable) const;
    void copy_2d(const std::vector<Value>& arguments, Origin origin);
    std::optional<Value> call_of_fill(const Call& call);
    std::optional<Value> call_of_scan(const Call& call);
    std::optional<Value> call_of_random(const Call& call);
    std::optional<Value> random_numbers(const std::string& type, const std::vector<Value>& arguments);
    void escapes(const Call& call);
    static void forget_arguments(const Call& call);
    using Copies = std::map<const Storage*, std::shared_ptr<Storage>>;
    /// `number`: the launch's; `kept`: its memory as it has found it, by what it is now.
    void written_by(const WalkedLaunch& launch, std::size_t number, const Copies& kept);
    void forget_ended_loops(Contents& contents) const;

    // Sizes that the program does not tell: sizes.cpp.
    void assume_size(const Slot& slot, const std::string& name);
    std::int64_t size_by_name(const std::string& name);
    void remember_assumed(const Slot& slot);
    Value assumed_number(std::int64_t number);
    /// Of a number that is computed from others, and still is not related to another one of theirs.
    Roots own_root();
    static Value side_of_tensor(const Value& variable, std::int64_t side);
    std::optional<Value> extent_of_tensor(const Call& call);
    void assume_container(const Slot& slot, const std::string& name);
    void read_from_stream(const Value& to, Origin origin) override;
    void read_from_elsewhere(const Slot& slot) const;

    // Calls: calls.cpp, driver_calls.cpp, own_calls.cpp, occupancy_calls.cpp.
    std::optional<Value> call_of_cuda(const Call& call);
    void call_of_occupancy(const Call& call);
    std::optional<Value> call_of_images(const Call& call);
    void copy_to_image(const Value& image, const Value& from, const Value& pitch, const Value& rows,
                       Origin origin);
    std::optional<Value> call_of_library(const Call& call);
    std::optional<Value> call_of_container(const Call& call);
    Value call_of_user(const Call& call);
    /// What `operator T*()` of the object's class gives; without one the object.
    Value as_pointer(const Value& object);
    Value returned(const Item& function, Value list);
    std::optional<Value> call_of_driver(const Call& call);
    void launch_through_driver(const Call& call);
    void launch_through_runtime(const Call& call);
    void launch_by_configuration(const Call& call);
    void allocate(const Value& pointer, std::optional<std::int64_t> bytes, const Roots& roots, Origin origin);
    /// `others`: kernels that are launched so, too.
    void launch_kernel(WalkedLaunch launch, const std::vector<Value>& others = {});
    // Passes of loops with launches: loop_passes.cpp.
    struct LoopParts;
    std::optional<LoopParts> parts_of_loop(const Tokens& tokens, std::size_t at, std::size_t end) const;
    bool has_launches(const Tokens& tokens, std::size_t begin, std::size_t end, int depth) const;
    bool run_passes(const Tokens& tokens, std::size_t at, std::size_t end);
    bool run_pass(const Tokens& tokens, const LoopParts& loop);
    void choose_passes(std::size_t first, const std::vector<std::size_t>& begins, bool ends);
    void end_unknown_loop(const Tokens& tokens, std::size_t at, std::size_t after, std::size_t first);
    void copy_to_symbol(const Call& call);
    std::string device_variable(const Slot& slot) const;
    void push_back(const Call& call);
    /// { {"copy", copy}, … }: structures with pointers to kernels, as a list of objects. False: they are
    /// none.
    bool make_objects(const std::string& type, Value& list, Origin origin);
    static void add_other_kernels(Value& element, const Value& list);
    Value call_lambda(const Function& function, const std::vector<Value>& arguments);

    const Tokens& tokens_;
    const std::vector<Item>& items_;
    const Options options_;
    const OccupancyQuery& occupancy_;
    std::vector<Slot> own_;                              // their addresses are roots
    std::map<const char*, Slot> assumed_;                // by the addresses that are roots
    std::map<std::string, std::int64_t> sizes_by_name_;  // assumed_size() of the names that were asked for
    std::multimap<std::string_view, const Item*> functions_, types_;
    std::set<std::string, std::less<>> kernels_;
    std::set<const Item*> walked_;
    std::vector<const Item*> open_;
    std::deque<Frame> frames_;  // what refers to one stays valid while others are added
    Frame globals_;
    bool second_branch_ = false, uncertain_ = false;
    Guard guard_;
    bool cut_ = false;  // by break or continue in a branch that is followed both ways
    std::vector<std::pair<std::shared_ptr<Storage>, Origin>> of_first_iteration_;  // guesses after the loop
    std::vector<FormulaPointer> counters_;  // of the loops around; null: one that is not followed
    Roots counter_roots_;                   // of the innermost loop's bound
    std::vector<Origin> loop_starts_;       // of the loops around
    ContentsOf* before_kernels_ = nullptr;  // of memory that kernels change in alternatives that are followed
    /// Loops that have ended after a number of passes that is not known.
    struct EndedLoop {
        std::size_t first = 0, last = 0;  // launches from the first to before the last
        Origin begin, end;
    };
    std::vector<EndedLoop> ended_;
    int lambdas_ = 0, loop_ids_ = 0, recursive_calls_ = 0;
    int rounds_left_ = 20'000;           // of small loops
    int passes_left_ = 2'048;            // of loops with launches
    std::deque<Item> members_, nested_;  // functions and types in the classes of the file
    struct AliasTemplate {
        std::vector<std::string> parameters;
        Tokens type;
    };
    std::map<std::string, AliasTemplate, std::less<>> alias_templates_;
    std::map<const Item*, const Item*> class_of_;
    std::map<const Item*, std::vector<Item>> inside_;
    std::size_t steps_ = 0, class_steps_ = 0;
    std::size_t sum_budget_ = std::size_t{1} << 24;  // nodes of formulas that running sums add up
    /// Classes that name each other would never end.
    bool too_many_classes() { return ++class_steps_ > 4'000; }
};

/// "float" for T where the function's parameter is `const T*` or `vector<T>` and the argument holds floats.
std::optional<std::string> deduced(const Tokens& tokens, const Item& function, std::string_view parameter,
                                   const std::vector<Value>& arguments);

/// "Tile<64>" and "float" of "Gemm<Tile<64>, float>".
std::vector<std::string> arguments_of(std::string_view type);

/// Members with the arrays in them.
std::shared_ptr<Fields> copied(const Fields& fields);

/// An array itself, whose elements are copied with it, and not a pointer to memory.
bool is_array(const Value& value);

/// A container or a smart pointer by its name: "std::vector<float>".
bool is_vector(const std::string& type);

/// Of structures in structures that are passed to a kernel.
inline constexpr int deepest_structure = 8;

/// Whether a kernel is launched there.
bool has_launch(const Tokens& tokens, std::size_t begin, std::size_t end);

/// The sides of a dim3, of a list or of a number.
std::array<std::optional<std::int64_t>, 3> extent_of(const Value& value);

/// A member of an object; unknown where it has no such member.
Value field_of(const Value& object, const char* name);

/// What a texture object's value was made of; null: it is none, or is not followed.
std::shared_ptr<const HostImage> image_of(const Value& object);

/// An engine or a distribution of <random>.
bool is_random(const std::string& type);

/// A new value of memory. `roots`: of its size.
Value memory_of(const std::string& element, std::optional<std::int64_t> bytes, Origin origin,
                const Roots& roots = {});

}  // namespace warplens::instrumentation::host_code

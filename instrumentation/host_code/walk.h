// Walk: follows the host code of a file from main, statement by statement, once through every loop, with what
// is known of its variables, and notes each kernel launch it comes to. A condition that is not known is
// followed both ways; assignments in the second branch do not replace what the first one set. The program is
// run without arguments: argc is 1.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "instrumentation/host_code/expression.h"
#include "instrumentation/host_code/items.h"

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
};

class Walk : public Names {
  public:
    Walk(const Tokens& tokens, const std::vector<Item>& items);

    /// From main where there is one; then each function with a launch that was not come to.
    void run();

    std::vector<WalkedLaunch> launches;
    std::map<std::string, Origin> copied_symbols;  // __constant__ and __device__ variables the host fills

    /// Name and type of each member of a structure of the file, in order; empty when it is none.
    std::vector<std::pair<std::string, std::string>> members_of(const std::string& type);

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
        Value result;
        bool left = false;  // by return, break or continue
    };

    // Statements: walk.cpp.
    void block(const Tokens& tokens, std::size_t begin, std::size_t end);
    std::size_t statement(const Tokens& tokens, std::size_t at, std::size_t end);
    std::size_t branch(const Tokens& tokens, std::size_t at, std::size_t end);
    std::size_t loop(const Tokens& tokens, std::size_t at, std::size_t end);
    std::size_t choice(const Tokens& tokens, std::size_t at, std::size_t end);
    std::size_t passed(const Tokens& tokens, std::size_t at, std::size_t end) const;
    bool declaration(const Tokens& tokens, std::size_t at, std::size_t end);
    void declare(const std::string& type, const std::string& name, Value value, Origin origin);
    Value array(const Tokens& tokens, std::size_t& at, std::size_t end, const std::string& type,
                const std::string& name, Origin origin);
    Value look_at(const Slot& slot);
    const Scope& globals_scope() const {
        return globals_.scopes.empty() ? frames_.front().scopes.front() : globals_.scopes.front();
    }
    /// Runs the constructor of a class of the file over its new members.
    void construct(Value& object, const std::string& type, const std::vector<Value>& arguments,
                   Origin origin);
    Value constructed(const std::string& type, const std::vector<Value>& arguments, Origin origin);
    void body_of(const Item& item, const Call& call);
    void constants_of(const Item& item);
    void parameters_of(const Tokens& tokens, std::size_t begin, std::size_t end,
                       const std::vector<Value>& arguments);

    // Calls: calls.cpp.
    std::optional<Value> call_of_cuda(const Call& call);
    std::optional<Value> call_of_library(const Call& call);
    std::optional<Value> call_of_container(const Call& call);
    Value call_of_user(const Call& call);
    void launch_through_runtime(const Call& call);
    void allocate(const Value& pointer, std::optional<std::int64_t> bytes, Origin origin);
    Value call_lambda(const Function& function, const std::vector<Value>& arguments);

    const Tokens& tokens_;
    const std::vector<Item>& items_;
    std::multimap<std::string_view, const Item*> functions_, types_;
    std::set<const Item*> walked_;
    std::vector<const Item*> open_;
    std::vector<Frame> frames_;
    Frame globals_;
    bool second_branch_ = false, uncertain_ = false;
    int loops_ = 0, lambdas_ = 0;
    std::vector<Item> members_;  // functions in the classes of the file
    std::size_t steps_ = 0;
};

/// "float" for T where the function's parameter is `const T*` or `vector<T>` and the argument holds floats.
std::optional<std::string> deduced(const Tokens& tokens, const Item& function, std::string_view parameter,
                                   const std::vector<Value>& arguments);

/// A container or a smart pointer by its name: "std::vector<float>".
bool is_vector(const std::string& type);

/// How the elements of an array are set: by what is assigned to one of them in a loop.
void fill_element(const Value& to, const Value& value);

/// A new value of memory.
Value memory_of(const std::string& element, std::optional<std::int64_t> bytes, Origin origin);

}  // namespace warplens::instrumentation::host_code

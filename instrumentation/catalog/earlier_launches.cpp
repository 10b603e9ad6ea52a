#include "instrumentation/catalog/earlier_launches.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "instrumentation/catalog/doubtful_arguments.h"
#include "instrumentation/catalog/guessed_values.h"
#include "instrumentation/catalog/header_text.h"
#include "instrumentation/catalog/launched_kernels.h"

namespace warplens::instrumentation {

namespace {

using host_code::Contents;
using host_code::HostArgument;
using host_code::HostLaunch;
using host_code::KernelWrite;

constexpr std::size_t most_launches = 2'048;
constexpr std::size_t most_guesses = 3;  // that are named

/// 128 bits, for content that is compared and not attacked.
std::string hash_of(const std::string& text) {
    const std::hash<std::string> hash;
    return fmt::format("{:016x}{:016x}", hash("a" + text), hash("b" + text));
}

std::shared_ptr<const KernelWrite> write_of(const HostArgument& given) {
    if (given.kind != HostArgument::Kind::memory || !given.storage) return nullptr;
    return given.storage->contents.written;
}

/// Random numbers that the host has made.
bool reads_random(const std::vector<HostArgument>& arguments) {
    return std::ranges::any_of(arguments, [](const HostArgument& given) {
        if (reads_random(given.members)) return true;
        if (given.kind != HostArgument::Kind::memory || !given.storage) return false;
        const Contents& contents = given.storage->contents;
        return contents.kind == Contents::Kind::known && contents.formula && contents.formula->has_random;
    });
}

/// Name of the buffer that holds the memory; empty: none does.
std::string buffer_in(const std::vector<HostArgument>& members, const std::string& name,
                      const host_code::Storage* memory) {
    for (const HostArgument& member : members) {
        const std::string inner = name + "_" + member.name;
        if (member.storage.get() == memory && member.offset == 0) return inner;
        if (std::string found = buffer_in(member.members, inner, memory); !found.empty()) return found;
    }
    return {};
}

std::string buffer_of(const LaunchDraft& draft, const HostLaunch& launch, const host_code::Storage* memory) {
    for (std::size_t i = 0; i < std::min(draft.arguments.size(), launch.arguments.size()); ++i) {
        const DraftArgument& row = draft.arguments[i];
        const HostArgument& given = launch.arguments[i];
        if (row.kind == DraftArgument::Kind::buffer && row.shares.empty() && given.storage.get() == memory)
            return row.name;
        if (row.kind != DraftArgument::Kind::structure) continue;
        const std::string name = buffer_in(given.members, row.name, memory);
        if (std::ranges::find(draft.targets, name, &DraftArgument::name) != draft.targets.end()) return name;
    }
    return {};
}

/// Why the launch cannot be run as the program makes it; empty: it can.
std::string missing_in(const LaunchDraft& draft, const HostLaunch& launch) {
    if (launch.arguments.size() > draft.arguments.size()) return "its arguments are not those of the kernel";
    if (draft.grid_from.empty() || draft.block_from.empty() || launch.varies)
        return "its grid or block is not known";
    if (draft.shared_guessed) return "its dynamic shared memory is not known";
    for (std::size_t i = 0; i < draft.arguments.size(); ++i) {
        const DraftArgument& row = draft.arguments[i];
        if (i < launch.arguments.size() && launch.arguments[i].varies)
            return fmt::format("its argument `{}` is not known", row.name);
        if (has_guessed_length(row)) return fmt::format("the length of its `{}` is not known", row.name);
        if (row.from.empty() && row.shares.empty())
            return fmt::format("its argument `{}` is not known", row.name);
    }
    for (const DraftArgument& target : draft.targets)
        if (has_guessed_length(target))
            return fmt::format("the length of its `{}` is not known", target.name);
    return {};
}

}  // namespace

bool operator==(const WrittenContents& a, const WrittenContents& b) {
    const auto key = [](const WrittenContents& of) { return of.by ? of.by->key : std::string(); };
    return key(a) == key(b) && a.buffer == b.buffer && a.offset == b.offset && a.same == b.same;
}

EarlierLaunches::EarlierLaunches(const KernelFile& kernel, const host_code::HostCode& code,
                                 const std::vector<EntryFacts>& entries, Follow follow)
    : kernel_(kernel), code_(code), entries_(entries), follow_(std::move(follow)) {}

void EarlierLaunches::put_into(LaunchDraft& draft, const HostLaunch& launch) {
    make_all(launch);
    attach(draft, launch);
}

/// In the program's order: each finds those before it.
void EarlierLaunches::make_all(const HostLaunch& shown) {
    std::set<std::size_t> needed, waiting;
    add_writers(shown.arguments, waiting);
    while (!waiting.empty() && needed.size() <= most_launches) {
        const std::size_t number = *waiting.rbegin();  // what it needs comes before it
        waiting.erase(number);
        needed.insert(number);
        if (const auto launch = code_.program.find(number); launch != code_.program.end())
            add_writers(launch->second.arguments, waiting);
    }
    if (needed.empty()) return;
    std::string text = text_with_headers(kernel_) + '\0' + kernel_.path;
    for (const auto* list : {&kernel_.defines, &kernel_.include_paths})
        for (const std::string& word : *list) text += '\0' + word;
    source_key_ = hash_of(text);
    for (const std::size_t number : needed) {
        const auto launch = code_.program.find(number);
        if (needed.size() > most_launches)
            made_.emplace(number, fail("more than {} launches come before it", most_launches));
        else if (launch == code_.program.end()) made_.emplace(number, fail("its kernel is not found"));
        else made_.emplace(number, make(launch->second));
    }
}

EarlierLaunches::Made EarlierLaunches::make(const HostLaunch& launch) {
    const auto entry =
        std::ranges::find_if(entries_, [&](const EntryFacts& facts) { return is_launch_of(launch, facts); });
    if (entry == entries_.end()) return fail("its kernel is not found");
    LaunchDraft draft = follow_(*entry, launch);
    if (std::string missing = missing_in(draft, launch); !missing.empty()) return fail("{}", missing);
    attach(draft, launch);
    EarlierLaunch made;
    made.number = launch.number;
    made.name = fmt::format("kernel `{}` in {}", launch.expression(), place_in_code(launch.origin, code_));
    KernelFile declared = with_launch(kernel_, draft);
    declared.note.clear();
    const std::string launch_text = header_text(declared) + draft.entry;
    const auto [wrong, is_new] = wrong_.try_emplace(launch_text);  // passes of a loop are often alike
    if (is_new)
        if (const auto errors = check_draft(draft); !errors.empty()) wrong->second = errors.front().message;
    if (!wrong->second.empty()) return fail("{}", wrong->second);
    std::string text = source_key_ + launch_text;
    for (const std::vector<DraftArgument>* rows : {&draft.arguments, &draft.targets})
        for (const DraftArgument& row : *rows) {
            if (row.written) {
                const EarlierLaunch& by = *row.written->by;
                text +=
                    fmt::format("\n{} {} {} {}", row.name, by.key, row.written->buffer, row.written->offset);
                for (const auto& [mine, other] : row.written->same) text += ' ' + mine + '=' + other;
                made.random |= by.random;
                made.guesses.insert(made.guesses.end(), by.guesses.begin(), by.guesses.end());
            } else if (row.contents_guessed) {
                made.guesses.push_back(fmt::format("`{}` of {}", row.name, made.name));
            }
        }
    made.random |= reads_random(launch.arguments);
    std::ranges::sort(made.guesses);
    made.guesses.erase(std::unique(made.guesses.begin(), made.guesses.end()), made.guesses.end());
    if (made.guesses.size() > most_guesses) made.guesses.resize(most_guesses);
    made.key = hash_of(text);
    made.kernel = std::make_shared<const KernelFile>(std::move(declared));
    drafts_.emplace(launch.number, std::move(draft));
    return std::make_shared<const EarlierLaunch>(std::move(made));
}

void EarlierLaunches::attach(LaunchDraft& draft, const HostLaunch& launch) const {
    for (std::size_t i = 0; i < std::min(draft.arguments.size(), launch.arguments.size()); ++i) {
        DraftArgument& row = draft.arguments[i];
        const HostArgument& given = launch.arguments[i];
        if (row.kind == DraftArgument::Kind::buffer && row.shares.empty())
            attach_row(row, given, draft, launch);
        if (row.kind != DraftArgument::Kind::structure) continue;
        const std::function<void(const HostArgument&, const std::string&)> add =
            [&](const HostArgument& structure, const std::string& name) {
                for (const HostArgument& member : structure.members) {
                    const std::string inner = name + "_" + member.name;
                    const auto target = std::ranges::find(draft.targets, inner, &DraftArgument::name);
                    if (target != draft.targets.end()) attach_row(*target, member, draft, launch);
                    add(member, inner);
                }
            };
        add(given, row.name);
    }
}

void EarlierLaunches::attach_row(DraftArgument& row, const HostArgument& given, const LaunchDraft& draft,
                                 const HostLaunch& launch) const {
    const auto write = write_of(given);
    if (!write) return;
    const auto refuse = [&](const std::string& why) { row.contents += "; it is not run, since " + why; };
    if (!write->unknown.empty()) return refuse(write->unknown);
    const auto made = made_.find(write->launch);
    if (made == made_.end()) return;
    if (!made->second) return refuse(made->second.error().message);
    const LaunchDraft& earlier = drafts_.at(write->launch);
    const HostLaunch& by = code_.program.at(write->launch);
    WrittenContents written{*made->second, buffer_of(earlier, by, write->memory),
                            static_cast<std::uint64_t>(std::max<std::int64_t>(write->offset, 0))};
    if (written.buffer.empty() || write->offset < 0) return refuse("which of its buffers it is is not known");
    if (has_guessed_length(row)) return refuse("the length of this buffer is not known");
    // The numbers that both launches get from the program: a knob of this one changes the other, too.
    for (std::size_t i = 0; i < std::min(earlier.arguments.size(), by.arguments.size()); ++i) {
        const HostArgument& theirs = by.arguments[i];
        if (earlier.arguments[i].kind != DraftArgument::Kind::scalar || theirs.roots.empty()) continue;
        for (std::size_t k = 0; k < std::min(draft.arguments.size(), launch.arguments.size()); ++k) {
            const HostArgument& mine = launch.arguments[k];
            if (draft.arguments[k].kind != DraftArgument::Kind::scalar || mine.kind != theirs.kind ||
                mine.integer != theirs.integer || mine.roots != theirs.roots)
                continue;
            written.same.emplace(earlier.arguments[i].name, draft.arguments[k].name);
            break;
        }
    }
    row.written = std::move(written);
}

}  // namespace warplens::instrumentation

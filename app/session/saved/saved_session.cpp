#include "app/session/saved/saved_session.h"

#include <cstdlib>
#include <filesystem>
#include <limits>

#include "core/base64.h"
#include "core/json_text.h"
#include "core/read_file.h"
#include "core/whole_file.h"
#include "instrumentation/catalog/catalogue.h"

namespace warplens::app {
namespace {

constexpr int version = 1;
constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20;     // of the file
constexpr std::size_t most_items = 1000, most_characters = 4096;  // of a list; of a name, value or path
constexpr std::size_t most_text = std::size_t{16} << 20;          // of unsaved changes, as of a kernel file

/// Reads members of an object and remembers the first that is not what it must be.
class Reader {
  public:
    explicit Reader(std::string& fault) : fault_(fault) {}

    const Json* member(const Json& from, const char* name, bool needed = true) {
        if (const Json* found = from.find(name); found && !found->is_null()) return found;
        if (needed) blame(name);
        return nullptr;
    }
    void text(const Json& from, const char* name, std::string& into, std::size_t most = most_characters) {
        const Json* value = member(from, name);
        if (value) text(*value, into, name, most);
    }
    void text(const Json& value, std::string& into, const char* name, std::size_t most = most_characters) {
        const std::string& found = value.as_string();
        if (!value.is_string() || found.size() > most || found.find('\0') != std::string::npos) blame(name);
        else into = found;
    }
    void bytes(const Json& from, const char* name, std::string& into) {
        std::string written;
        text(from, name, written, most_text);
        if (auto found = from_base64(written); found && found->size() <= most_kept_machine_code)
            into = std::move(*found);
        else blame(name);
    }
    void flag(const Json& from, const char* name, bool& into) {
        const Json* value = member(from, name);
        if (value && value->is_boolean()) into = value->as_bool();
        else blame(name);
    }
    template <class Number>
    void number(const Json& from, const char* name, Number& into) {
        const Json* value = member(from, name);
        if (!value) return;
        const bool fits =
            value->is_integer() &&
            (value->is_unsigned()
                 ? value->as_unsigned() <= static_cast<std::uint64_t>(std::numeric_limits<Number>::max())
                 : std::numeric_limits<Number>::is_signed &&
                       value->as_int() >= std::numeric_limits<int>::min());
        if (fits) into = static_cast<Number>(value->is_unsigned() ? value->as_unsigned() : value->as_int());
        else blame(name);
    }
    /// Calls use(item) for each item of a list.
    template <class Use>
    void list(const Json& from, const char* name, Use&& use) {
        const Json* value = member(from, name);
        if (!value) return;
        if (!value->is_array() || value->size() > most_items) return blame(name);
        for (const Json& item : *value) use(item);
    }
    void blame(const char* name) {
        if (fault_.empty()) fault_ = fmt::format("`{}` is missing or damaged", name);
    }

  private:
    std::string& fault_;
};

Json json_of(const SavedRun& run) {
    Json tree{
        {"kernel", run.kernel}, {"knobs", run.knobs}, {"gpu", run.gpu}, {"engine", word_of(run.engine)}};
    if (!run.name.empty()) tree["name"] = run.name;
    if (!run.trace.empty()) tree["trace"] = run.trace;
    if (run.text) {
        Json& text = tree["text"] = {{"path", run.text->path},
                                     {"declared", run.text->declared},
                                     {"include_paths", run.text->include_paths},
                                     {"defines", run.text->defines}};
        if (instrumentation::is_machine_code(run.text->path)) text["bytes"] = base64(run.text->source);
        else text["source"] = run.text->source;
    }
    return tree;
}

void read_text(Reader& reader, const Json& from, SavedText& text) {
    if (!from.is_object()) return reader.blame("text");
    reader.text(from, "path", text.path);
    if (instrumentation::is_machine_code(text.path)) reader.bytes(from, "bytes", text.source);
    else reader.text(from, "source", text.source, most_text);
    reader.text(from, "declared", text.declared, most_text);
    for (const auto& [name, list] :
         {std::pair{"include_paths", &text.include_paths}, std::pair{"defines", &text.defines}})
        reader.list(from, name, [&reader, name = name, list = list](const Json& item) {
            reader.text(item, list->emplace_back(), name);
        });
}

void read_run(Reader& reader, const Json& from, SavedRun& run) {
    if (!from.is_object()) return reader.blame("run");
    if (reader.member(from, "trace", false)) reader.text(from, "trace", run.trace);
    if (const Json* text = reader.member(from, "text", false)) read_text(reader, *text, run.text.emplace());
    reader.text(from, "kernel", run.kernel);
    reader.text(from, "gpu", run.gpu);
    if (reader.member(from, "name", false)) reader.text(from, "name", run.name);
    std::string engine;
    reader.text(from, "engine", engine);
    if (const auto parsed = parse_engine(engine)) run.engine = *parsed;
    else reader.blame("engine");
    const Json* knobs = reader.member(from, "knobs");
    if (!knobs) return;
    if (!knobs->is_object() || knobs->size() > most_items) return reader.blame("knobs");
    for (const auto& [name, value] : knobs->members()) reader.text(value, run.knobs[name], "knobs");
}

Json json_of(const Spot& spot) {
    return {{"warp", spot.warp_record}, {"visit", spot.visit},     {"site", spot.site},
            {"access", spot.access},    {"lane", spot.lane},       {"step", spot.step},
            {"cycle", spot.cycle},      {"line", spot.source_line}};
}

void read_spot(Reader& reader, const Json& from, Spot& spot) {
    if (!from.is_object()) return reader.blame("chosen");
    reader.number(from, "warp", spot.warp_record);
    reader.number(from, "visit", spot.visit);
    reader.number(from, "site", spot.site);
    reader.number(from, "access", spot.access);
    reader.number(from, "lane", spot.lane);
    reader.number(from, "step", spot.step);
    reader.number(from, "cycle", spot.cycle);
    reader.number(from, "line", spot.source_line);
}

using instrumentation::DraftArgument, instrumentation::LaunchDraft;

struct NamedText {
    const char* name;
    std::string DraftArgument::*text;
};
constexpr NamedText argument_texts[] = {{"name", &DraftArgument::name},
                                        {"written_type", &DraftArgument::written_type},
                                        {"scalar_type", &DraftArgument::scalar_type},
                                        {"element_type", &DraftArgument::element_type},
                                        {"length", &DraftArgument::length},
                                        {"shares", &DraftArgument::shares},
                                        {"offset", &DraftArgument::offset},
                                        {"fill", &DraftArgument::fill},
                                        {"value", &DraftArgument::value},
                                        {"contents", &DraftArgument::contents},
                                        {"from", &DraftArgument::from}};

struct NamedFlag {
    const char* name;
    bool LaunchDraft::*flag;
};
constexpr NamedFlag draft_flags[] = {{"cooperative", &LaunchDraft::cooperative},
                                     {"grid_guessed", &LaunchDraft::grid_guessed},
                                     {"block_guessed", &LaunchDraft::block_guessed},
                                     {"cooperative_guessed", &LaunchDraft::cooperative_guessed}};

/// Flags that files of older versions lack.
constexpr const char* shared_guessed = "shared_guessed";
constexpr const char* contents_guessed = "contents_guessed";
/// Of launches as a program has run them.
constexpr const char* address = "address";
constexpr const char* linked = "linked";
constexpr const char* file_part = "file_part";

struct NamedExtents {
    const char* name;
    std::vector<std::string> LaunchDraft::*extents;
};
constexpr NamedExtents draft_extents[] = {
    {"grid", &LaunchDraft::grid}, {"block", &LaunchDraft::block}, {"cluster", &LaunchDraft::cluster}};

struct NamedDraftText {
    const char* name;
    std::string LaunchDraft::*text;
};
constexpr NamedDraftText draft_texts[] = {{"entry", &LaunchDraft::entry},
                                          {"dynamic_shared_bytes", &LaunchDraft::dynamic_shared_bytes},
                                          {"from", &LaunchDraft::from},
                                          {"grid_from", &LaunchDraft::grid_from},
                                          {"block_from", &LaunchDraft::block_from}};

struct NamedArguments {
    const char* name;
    std::vector<DraftArgument> LaunchDraft::*arguments;
};
constexpr NamedArguments draft_arguments[] = {{"arguments", &LaunchDraft::arguments},
                                              {"targets", &LaunchDraft::targets}};

Json json_of(const DraftArgument& argument) {
    Json tree = {
        {"kind", static_cast<int>(argument.kind)}, {"bytes", argument.bytes}, {"guessed", argument.guessed}};
    for (const auto& [name, text] : argument_texts) tree[name] = argument.*text;
    tree[contents_guessed] = argument.contents_guessed;
    if (argument.address != 0) tree[address] = argument.address;
    if (argument.file_part) tree[file_part] = *argument.file_part;
    return tree;
}

void read_argument(Reader& reader, const Json& from, DraftArgument& argument) {
    if (!from.is_object()) return reader.blame("arguments");
    std::uint8_t kind = 0;
    reader.number(from, "kind", kind);
    if (kind > static_cast<std::uint8_t>(DraftArgument::Kind::image)) reader.blame("kind");
    else argument.kind = static_cast<DraftArgument::Kind>(kind);
    reader.number(from, "bytes", argument.bytes);
    reader.flag(from, "guessed", argument.guessed);
    for (const auto& [name, text] : argument_texts) reader.text(from, name, argument.*text);
    if (reader.member(from, contents_guessed, false))
        reader.flag(from, contents_guessed, argument.contents_guessed);
    if (reader.member(from, address, false)) reader.number(from, address, argument.address);
    if (reader.member(from, file_part, false)) reader.number(from, file_part, argument.file_part.emplace());
}

Json json_of(const LaunchDraft& draft) {
    Json tree;
    for (const auto& [name, text] : draft_texts) tree[name] = draft.*text;
    for (const auto& [name, flag] : draft_flags) tree[name] = draft.*flag;
    tree[shared_guessed] = draft.shared_guessed;
    if (draft.linked) tree[linked] = true;
    for (const auto& [name, extents] : draft_extents) tree[name] = draft.*extents;
    for (const auto& [name, arguments] : draft_arguments) {
        tree[name] = Json::array();
        for (const DraftArgument& argument : draft.*arguments) tree[name].push_back(json_of(argument));
    }
    return tree;
}

void read_draft(Reader& reader, const Json& from, LaunchDraft& draft) {
    if (!from.is_object()) return reader.blame("launch");
    for (const auto& [name, text] : draft_texts) reader.text(from, name, draft.*text);
    for (const auto& [name, flag] : draft_flags) reader.flag(from, name, draft.*flag);
    if (reader.member(from, shared_guessed, false)) reader.flag(from, shared_guessed, draft.shared_guessed);
    if (reader.member(from, linked, false)) reader.flag(from, linked, draft.linked);
    for (const auto& [name, extents] : draft_extents)
        reader.list(from, name, [&, name = name, extents = extents](const Json& item) {
            reader.text(item, (draft.*extents).emplace_back(), name);
        });
    for (const auto& [name, arguments] : draft_arguments)
        reader.list(from, name, [&, arguments = arguments](const Json& item) {
            read_argument(reader, item, (draft.*arguments).emplace_back());
        });
}

const char* word_of(Level level) { return level == Level::machine ? "machine" : "ptx"; }

/// Files of older versions have none.
void read_level(Reader& reader, const Json& from, const char* name, Level& level) {
    if (!reader.member(from, name, false)) return;
    std::string word;
    reader.text(from, name, word);
    if (word != word_of(Level::machine) && word != word_of(Level::ptx)) return reader.blame(name);
    level = word == word_of(Level::ptx) ? Level::ptx : Level::machine;
}

void read_own(Reader& reader, const Json& from, SavedSession::OwnText& own) {
    if (!from.is_object()) return reader.blame("own");
    reader.text(from, "path", own.path);
    reader.flag(from, "copy", own.copy);
    reader.flag(from, "shown", own.shown);
    if (const Json* unsaved = reader.member(from, "unsaved", false))
        reader.text(*unsaved, own.unsaved.emplace(), "unsaved", most_text);
    if (const Json* launch = reader.member(from, "launch", false)) {
        read_draft(reader, *launch, own.launch.emplace());
        reader.flag(from, "launch_in_use", own.launch_in_use);
    }
}

}  // namespace

std::string to_json(const SavedSession& saved) {
    Json tree = {{"version", version},
                 {"run", json_of(saved.run)},
                 {"level", word_of(saved.level)},
                 {"counts", word_of(saved.counts)},
                 {"centre_view", saved.centre_view},
                 {"filled_view", saved.filled_view},
                 {"editing", saved.editing},
                 {"baselines", Json::array()},
                 {"folded_subjects", saved.folded_subjects},
                 {"recent_files", saved.recent_files}};
    for (const SavedRun& run : saved.baselines) tree["baselines"].push_back(json_of(run));
    if (saved.compared) tree["compared"] = *saved.compared;
    if (saved.chosen) tree["chosen"] = json_of(*saved.chosen);
    if (saved.cycles) tree["cycles"] = {{"first", saved.cycles->first}, {"last", saved.cycles->last}};
    if (saved.own) {
        tree["own"] = {{"path", saved.own->path}, {"copy", saved.own->copy}, {"shown", saved.own->shown}};
        if (saved.own->unsaved) tree["own"]["unsaved"] = *saved.own->unsaved;
        if (saved.own->launch) {
            tree["own"]["launch"] = json_of(*saved.own->launch);
            tree["own"]["launch_in_use"] = saved.own->launch_in_use;
        }
    }
    return json_text(tree, 1, MemberOrder::by_name) + "\n";
}

Result<SavedSession> read_saved_session(std::string_view json) {
    const auto parsed = parse_json(json);
    if (!parsed || !parsed->is_object()) return fail("it is not a session");
    const Json& tree = *parsed;
    std::string fault;
    Reader reader(fault);
    int written = 0;
    reader.number(tree, "version", written);
    if (fault.empty() && written != version)
        return fail("it was written by another version of Warplens (format {}, this is {})", written,
                    version);
    SavedSession saved;
    if (const Json* run = reader.member(tree, "run")) read_run(reader, *run, saved.run);
    read_level(reader, tree, "level", saved.level);
    read_level(reader, tree, "counts", saved.counts);
    reader.text(tree, "centre_view", saved.centre_view);
    reader.text(tree, "filled_view", saved.filled_view);
    reader.flag(tree, "editing", saved.editing);
    reader.list(tree, "baselines",
                [&](const Json& item) { read_run(reader, item, saved.baselines.emplace_back()); });
    reader.list(tree, "recent_files", [&](const Json& item) {
        reader.text(item, saved.recent_files.emplace_back(), "recent_files");
    });
    reader.list(tree, "folded_subjects", [&](const Json& item) {
        std::string subject;
        reader.text(item, subject, "folded_subjects");
        saved.folded_subjects.insert(std::move(subject));
    });
    if (reader.member(tree, "compared", false)) reader.number(tree, "compared", saved.compared.emplace());
    if (saved.compared && *saved.compared >= saved.baselines.size()) reader.blame("compared");
    if (const Json* chosen = reader.member(tree, "chosen", false))
        read_spot(reader, *chosen, saved.chosen.emplace());
    if (const Json* cycles = reader.member(tree, "cycles", false)) {
        saved.cycles.emplace();
        reader.number(*cycles, "first", saved.cycles->first);
        reader.number(*cycles, "last", saved.cycles->last);
        if (saved.cycles->first >= saved.cycles->last) reader.blame("cycles");
    }
    if (const Json* own = reader.member(tree, "own", false))
        read_own(reader, *own, saved.own.emplace(SavedSession::OwnText{}));
    if (!fault.empty()) return fail("{}", fault);
    return saved;
}

std::string session_path() {
    if (const char* state = std::getenv("XDG_STATE_HOME"); state && *state)
        return std::string(state) + "/warplens/session.json";
    if (const char* home = std::getenv("HOME"); home && *home)
        return std::string(home) + "/.local/state/warplens/session.json";
    return {};
}

Result<std::optional<SavedSession>> load_session(const std::string& path) {
    std::error_code error;
    if (path.empty() || !std::filesystem::exists(path, error)) return std::nullopt;
    const auto text = read_file(path, most_bytes);
    if (!text) return fail("The last session could not be restored: {}.", text.error().message);
    auto saved = read_saved_session(*text);
    if (!saved)
        return fail("The last session could not be restored from {}: {}.", path, saved.error().message);
    return std::optional(std::move(*saved));
}

Status save_session(const SavedSession& saved, const std::string& path) {
    if (path.empty()) return {};
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
    return write_regular_file(path, to_json(saved));
}

}  // namespace warplens::app

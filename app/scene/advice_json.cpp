#include "app/scene/advice_json.h"

namespace warplens::app {
namespace {

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }
Json cycles_or_null(const RunFigures& figures) {
    return figures.cycles > 0 ? Json(figures.cycles) : Json(nullptr);
}

const char* word(Edit::Kind kind) {
    switch (kind) {
        case Edit::Kind::replace:
            return "replace";
        case Edit::Kind::insert:
            return "insert";
        case Edit::Kind::remove:
            return "remove";
    }
    return "";
}

Json change_row(const Change& change) {
    Json row{{"title", title_of(change)},
             {"parameter", text_or_null(change.parameter)},
             {"value", text_or_null(change.value)},
             {"launch", text_or_null(change.launch)},
             {"condition", text_or_null(change.condition)},
             {"edits", Json::array()}};
    for (const Edit& edit : change.edits)
        row["edits"].push_back({{"kind", word(edit.kind)}, {"line", edit.line}, {"code", edit.code}});
    return row;
}

}  // namespace

Json to_json(const Advice& advice) {
    Json out{{"basis", basis_of(advice)},
             {"complete", advice.complete},
             {"level", advice.level == Level::machine ? "machine" : "PTX"},
             {"cycles", cycles_or_null(advice.now)},
             {"helpful", Json::array()},
             {"not_offered", Json::array()},
             {"modelled", advice.modelled}};
    for (const TriedChange& tried : advice.helpful) {
        Json row = change_row(tried.change);
        row["cycles"] = cycles_or_null(tried.after);
        row["effect"] = tried.effect;
        out["helpful"].push_back(std::move(row));
    }
    for (const VainChange& vain : advice.vain) {
        Json row = change_row(vain.change);
        row["cycles"] = cycles_or_null(vain.after);
        row["reason"] = vain.reason;
        out["not_offered"].push_back(std::move(row));
    }
    return out;
}

}  // namespace warplens::app

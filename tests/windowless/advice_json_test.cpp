// Advice for scripts: every change with what has to be edited, its cycles and its reason.
#include <gmock/gmock.h>

#include "app/scene/advice_json.h"
#include "tests/windowless/advised.h"

namespace warplens::app {
namespace {

TEST(advice_json, has_each_change_with_its_edits_and_its_result) {
    Advice advice;
    advice.level = Level::machine;
    advice.now.cycles = 200;
    TriedChange better;
    better.change.edits = {{Edit::Kind::insert, 7, "#pragma unroll 4"}, {Edit::Kind::replace, 9, "a += b;"}};
    better.change.condition = "rounded to single precision";
    better.after.cycles = 150;
    better.effect = {"−25 % cycles"};
    advice.helpful = {better};
    VainChange worse;
    worse.change.launch = "block 64 instead of 128";
    worse.reason = "other results";
    advice.vain = {worse};
    advice.tried = 2;
    EXPECT_EQ(json_text(to_json(advice)),
              R"({"basis":"Tried: 2 changes run by the CPU engine. Cycles are modelled from machine code.",)"
              R"("complete":true,"level":"machine","cycles":200.0,)"
              R"("helpful":[{"title":"before line 7: `#pragma unroll 4`; line 9: `a += b;`",)"
              R"("parameter":null,"value":null,"launch":null,"condition":"rounded to single precision",)"
              R"("edits":[{"kind":"insert","line":7,"code":"#pragma unroll 4"},)"
              R"({"kind":"replace","line":9,"code":"a += b;"}],)"
              R"("cycles":150.0,"effect":["−25 % cycles"]}],)"
              R"("not_offered":[{"title":"Launch with block 64 instead of 128",)"
              R"("parameter":null,"value":null,"launch":"block 64 instead of 128","condition":null,)"
              R"("edits":[],"cycles":null,"reason":"other results"}],"modelled":[]})");
}

}  // namespace
}  // namespace warplens::app

// PTX assembled in processes of their own: at the same time, once for each content, and never longer than
// somebody waits. A script stands in for ptxas: no toolkit is needed.
#include "instrumentation/compile/assembler.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>

namespace warplens::instrumentation {
namespace {

namespace fs = std::filesystem;
using testing::Eq;
using testing::Optional;

class AssemblerTest : public testing::Test {
  protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "warplens_test_XXXXXX").string();
        folder_ = fs::canonical(::mkdtemp(name.data()));
        places_.system = (folder_ / "system").string();
        places_.path = folder_.string();
    }
    void TearDown() override { fs::remove_all(folder_); }

    /// A ptxas that logs its process and does this; $2 is the PTX, $4 the cubin.
    void install(const std::string& commands) const {
        std::ofstream(folder_ / "ptxas") << "#!/bin/sh\necho $$ >> '" << log() << "'\n" << commands << "\n";
        fs::permissions(folder_ / "ptxas", fs::perms::owner_all);
    }
    std::string log() const { return (folder_ / "log").string(); }
    std::vector<int> processes() const {
        std::vector<int> all;
        std::ifstream file(log());
        for (int process = 0; file >> process;) all.push_back(process);
        return all;
    }
    std::string cache() const { return (folder_ / "cache").string(); }

    fs::path folder_;
    ToolkitPlaces places_;
};

constexpr const char* copies = "test \"$1\" = -arch=sm_90 && cp \"$2\" \"$4\"";

TEST_F(AssemblerTest, without_a_ptxas_gives_nothing) {
    Assembler assembler("", places_);
    EXPECT_FALSE(assembler.found());
    EXPECT_THAT(assembler.assemble({{"a", "sm_90"}}), testing::ElementsAre(std::nullopt));
}

TEST_F(AssemblerTest, assembles_all_texts_at_the_same_time) {
    // Each waits until all three have begun.
    install("while [ $(wc -l < '" + log() + "') -lt 3 ]; do sleep 0.01; done; cp \"$2\" \"$4\"");
    Assembler assembler("", places_);
    const auto cubins = assembler.assemble({{"a", "sm_90"}, {"b", "sm_90"}, {"c", "sm_90"}});
    EXPECT_THAT(cubins, testing::ElementsAre(Optional(Eq("a")), Optional(Eq("b")), Optional(Eq("c"))));
}

TEST_F(AssemblerTest, asks_for_few_registers_where_ptxas_knows_how) {
    const AssemblerText text{.ptx = "a", .target = "sm_90", .few_registers = true};
    install("echo \"$5\" > \"$4\"");
    Assembler knows("", places_);
    EXPECT_THAT(knows.assemble({text}), testing::ElementsAre(Optional(Eq("--register-usage-level=2\n"))));
    install("test $# -eq 4 && cp \"$2\" \"$4\"");
    Assembler does_not("", places_);
    EXPECT_THAT(does_not.assemble({text}), testing::ElementsAre(Optional(Eq("a"))));
}

TEST_F(AssemblerTest, assembles_a_content_once) {
    install(copies);
    {
        Assembler assembler(cache(), places_);
        EXPECT_THAT(assembler.assemble({{"a", "sm_90"}}).front(), Optional(Eq("a")));
        EXPECT_THAT(assembler.assemble({{"a", "sm_90"}}).front(), Optional(Eq("a")));
        EXPECT_EQ(processes().size(), 1u);
        EXPECT_EQ(assembler.assemble({{"a", "sm_80"}}).front(), std::nullopt) << "refused";
        EXPECT_EQ(assembler.assemble({{"a", "sm_80"}}).front(), std::nullopt) << "and remembered";
        EXPECT_EQ(processes().size(), 2u);
    }
    Assembler later(cache(), places_);
    EXPECT_THAT(later.assemble({{"a", "sm_90"}}).front(), Optional(Eq("a")));
    EXPECT_EQ(processes().size(), 2u) << "the folder kept it";
}

TEST_F(AssemblerTest, leaves_no_process_and_no_file_when_nobody_waits_any_more) {
    install("exec sleep 60");
    Assembler assembler("", places_);
    const auto begun = std::chrono::steady_clock::now();
    const auto cubins =
        assembler.assemble({{"a", "sm_90"}, {"b", "sm_90"}}, [&] { return processes().size() == 2; });
    EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(30));
    EXPECT_THAT(cubins, testing::Each(Eq(std::nullopt)));
    for (const int process : processes()) EXPECT_NE(::kill(process, 0), 0) << process;
    install(copies);
    EXPECT_THAT(assembler.assemble({{"a", "sm_90"}}).front(), Optional(Eq("a"))) << "it was not refused";
}

}  // namespace
}  // namespace warplens::instrumentation

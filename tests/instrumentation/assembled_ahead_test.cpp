// Machine code made before the run that loads it: the run then starts no assembler.
#include <gmock/gmock.h>

#include "instrumentation/compile/assembler.h"
#include "instrumentation/device/assembled_modules.h"
#include "tests/instrumentation/recorder_fixture.h"

namespace warplens::instrumentation {
namespace {

namespace fs = std::filesystem;

class AssembledAheadTest : public GpuRecorderTest {
  protected:
    void SetUp() override {
        GpuRecorderTest::SetUp();
        std::string name = (fs::temp_directory_path() / "warplens_test_XXXXXX").string();
        folder_ = ::mkdtemp(name.data());
    }
    void TearDown() override {
        fs::remove_all(folder_);
        GpuRecorderTest::TearDown();
    }

    /// One whose ptxas is a script: it logs that it started; the machine code is the text.
    std::shared_ptr<Assembler> assembler() const {
        const fs::path program = fs::path(folder_) / "ptxas";
        std::ofstream(program) << "#!/bin/sh\necho started >> '" << starts() << "'\ncp \"$2\" \"$4\"\n";
        fs::permissions(program, fs::perms::owner_all);
        return std::make_shared<Assembler>("", ToolkitPlaces{{}, folder_, {}, folder_});
    }
    std::string starts() const { return folder_ + "/log"; }
    std::size_t started() const {
        std::ifstream file(starts());
        std::size_t lines = 0;
        for (std::string line; std::getline(file, line);) ++lines;
        return lines;
    }

    std::string folder_;
};

TEST_F(AssembledAheadTest, a_run_loads_what_was_made_and_starts_no_assembler) {
    GpuRecorder recorder({runner()}, assembler());
    const auto device = recorder.device();
    ASSERT_TRUE(device) << device.error().message;
    recorder.assemble(*device, launch(), {variant()}, {});
    EXPECT_EQ(started(), 2u) << "the clean form and the recording one";
    const auto run = recorder.run(launch(), {variant()}, {});
    ASSERT_TRUE(run) << run.error().message;
    EXPECT_EQ(run->driver_assembles, "");
    EXPECT_EQ(started(), 2u);
    ASSERT_TRUE(recorder.run(launch({"another text"}), {variant()}, {}));
    EXPECT_EQ(started(), 3u) << "another form";
}

TEST_F(AssembledAheadTest, lines_of_the_source_are_not_given_to_the_assembler) {
    GpuVariant form = variant();
    form.ptx = "// a\n\t.loc 1 2 3\n.file 1 \"k.cu\"\n  .loc 1 3 4\n// .loc 1\n// b";
    GpuRecorder recorder({runner()}, assembler());
    const auto device = recorder.device();
    ASSERT_TRUE(device) << device.error().message;
    const auto made = assemble_modules(*assembler(), *device, launch(), {form}, {});
    ASSERT_TRUE(made);
    EXPECT_THAT(made->variants, testing::ElementsAre("// a\n.file 1 \"k.cu\"\n// .loc 1\n// b"));
}

}  // namespace
}  // namespace warplens::instrumentation

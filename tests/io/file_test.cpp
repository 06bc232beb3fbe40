#include "io/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

#include "files.h"

namespace rigor {
namespace {

TEST(FileWriter, LeavesTheOldFileUntilCommit) {
  const TemporaryFolder folder;
  const std::string path = folder.write("file", "old");
  {
    FileWriter file(path);
    file.write("half");
  }
  EXPECT_EQ(readText(path), "old");
  EXPECT_EQ(folder.count(), 1);  // no leftovers beside it
  writeFile(path, "new");
  EXPECT_EQ(readText(path), "new");
  EXPECT_EQ(folder.count(), 1);
}

TEST(FileWriter, FullDiskIsAnErrorThatNamesTheFile) {
  const Error error = expectError([] { writeFile("/dev/full", "text"); });
  EXPECT_EQ(error.where().file, "/dev/full");
  EXPECT_TRUE(contains(error.remedy(), "disk is full")) << error.what();
  struct stat status{};
  ASSERT_EQ(::stat("/dev/full", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));  // still a device, not replaced by a file
}

TEST(FileWriter, ClosedPipeIsAnErrorAndNotTheEndOfTheProgram) {
  const TemporaryFolder folder;
  const std::string pipe = folder("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  FileWriter file(pipe);
  ::close(reader);
  const Error error = expectError([&] { file.write("text"); });
  EXPECT_TRUE(contains(error.remedy(), "reading program")) << error.what();
}

TEST(FileWriter, MissingFolderAndFolderItselfAreErrors) {
  const TemporaryFolder folder;
  EXPECT_TRUE(contains(expectError([&] { writeFile(folder("no/file"), ""); }).remedy(), "folder"));
  EXPECT_TRUE(contains(expectError([&] { writeFile(folder(""), ""); }).problem(), "is a folder"));
}

TEST(FileWriter, FollowsLinksInsteadOfReplacingThem) {
  const TemporaryFolder folder;
  const std::string target = folder.write("target", "old");
  std::filesystem::create_symlink(target, folder("link"));
  writeFile(folder("link"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder("link")));
  EXPECT_EQ(readText(target), "new");
}

TEST(ComputeHash, IsThePublishedFnv) {
  EXPECT_EQ(computeHash(""), "cbf29ce484222325");
  EXPECT_EQ(computeHash("foobar"), "85944171f73967e8");
}

}  // namespace
}  // namespace rigor

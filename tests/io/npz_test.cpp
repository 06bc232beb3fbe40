#include "io/npz/npz.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "files.h"

namespace rigor {
namespace {

// One entry of a ZIP file, deflated as numpy.savez_compressed does.
std::string makeDeflatedZip(const std::string& name, const std::string& content) {
  std::string packed(content.size() + 100, '\0');
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);

  std::string zip;
  const auto put = [&](std::uint64_t value, int bytes) {
    for (; bytes > 0; --bytes, value >>= 8) zip += static_cast<char>(value);
  };
  const auto crc = crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size()));
  const auto shared = [&] {
    put(20, 2), put(0, 2), put(8, 2), put(0, 4), put(crc, 4);
    put(packed.size(), 4), put(content.size(), 4), put(name.size(), 2), put(0, 2);
  };
  put(0x04034b50, 4), shared();
  zip += name + packed;
  const std::size_t directory = zip.size();
  put(0x02014b50, 4), put(20, 2), shared(), put(0, 10), put(0, 4);
  zip += name;
  const std::size_t end = zip.size();
  put(0x06054b50, 4), put(0, 4), put(1, 2), put(1, 2), put(end - directory, 4), put(directory, 4), put(0, 2);
  return zip;
}

std::string npyOfThree() {
  std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }";
  header.resize(118, ' ');
  std::string npy = std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header;
  const double values[] = {1.0, -0.0, 1e-300};
  npy.append(reinterpret_cast<const char*>(values), sizeof values);
  return npy;
}

TEST(Npz, GivesBackTheSameBits) {
  const TemporaryFolder folder;
  const std::vector<double> numbers = {0.1, -0.0, 5e-324, 1.7976931348623157e308, -1.0 / 3.0, 2.0};
  const std::vector<std::uint64_t> ids = {0, std::numeric_limits<std::uint64_t>::max()};
  const std::vector<std::int64_t> starts = {std::numeric_limits<std::int64_t>::min(), 7};
  const std::vector<std::int32_t> bodies = {-1, 5};
  const std::vector<std::uint8_t> modes = {0, 255};
  NpzWriter writer(folder("a.npz"));
  writer.add("numbers", numbers, 3);
  writer.add("ids", ids);
  writer.add("starts", starts);
  writer.add("bodies", bodies);
  writer.add("modes", modes);
  writer.add("none", std::vector<double>{}, 3);
  writer.addText("header", "{\"λ\": 1}");
  writer.commit();

  const NpzReader reader(folder("a.npz"));
  const Array<double> read = reader.read<double>("numbers");
  EXPECT_EQ(read.shape, (ArrayShape{2, 3}));
  EXPECT_EQ(std::memcmp(read.values.data(), numbers.data(), 6 * sizeof(double)), 0);
  EXPECT_EQ(reader.read<std::uint64_t>("ids", {2}), ids);
  EXPECT_EQ(reader.read<std::int64_t>("starts", {2}), starts);
  EXPECT_EQ(reader.read<std::int32_t>("bodies", {2}), bodies);
  EXPECT_EQ(reader.read<std::uint8_t>("modes", {2}), modes);
  EXPECT_EQ(reader.read<double>("none").shape, (ArrayShape{0, 3}));
  EXPECT_EQ(reader.readText("header"), "{\"λ\": 1}");
  EXPECT_TRUE(reader.has("ids"));
  EXPECT_FALSE(reader.has("id"));
}

TEST(Npz, ReadsDeflatedArrays) {
  const TemporaryFolder folder;
  const NpzReader reader(folder.write("d.npz", makeDeflatedZip("x.npy", npyOfThree())));
  EXPECT_EQ(reader.read<double>("x", {3}), (std::vector<double>{1.0, 0.0, 1e-300}));
}

TEST(Npz, ReadsColumnMajorMatricesAndUnicodeText) {
  const TemporaryFolder folder;
  std::string matrix = npyOfThree();
  matrix.replace(matrix.find("False"), 5, "True ");
  matrix.replace(matrix.find("(3,)"), 6, "(1, 3)");
  EXPECT_EQ(NpzReader(folder.write("m.npz", makeDeflatedZip("x.npy", matrix))).read<double>("x").shape,
            (ArrayShape{1, 3}));
  std::string text = npyOfThree();
  text.replace(text.find("<f8"), 3, "<U6");
  text.replace(text.find("(3,)"), 4, "()  ");
  const std::uint32_t letters[6] = {'a', 0x3bb, 0x20ac, 0x1f916, 0, 0};
  text.replace(text.size() - 24, 24, reinterpret_cast<const char*>(letters), 24);
  EXPECT_EQ(NpzReader(folder.write("t.npz", makeDeflatedZip("x.npy", text))).readText("x"), "aλ€🤖");
}

TEST(Npz, NeverWritesNanOrInfinity) {
  const TemporaryFolder folder;
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    const Error error = expectError([&] {
      NpzWriter writer(folder("bad.npz"));
      writer.add("x", std::vector<double>{1.0, bad});
    });
    EXPECT_TRUE(contains(error.what(), "x: entry 1 is not finite")) << error.what();
  }
  EXPECT_EQ(folder.count(), 0);
}

TEST(Npz, FullDiskIsAnError) {
  const Error error = expectError([] {
    NpzWriter writer("/dev/full");
    writer.add("x", std::vector<double>(10, 1.0));
    writer.commit();
  });
  EXPECT_TRUE(contains(error.what(), "/dev/full")) << error.what();
}

TEST(Npz, WrongTypeShapeAndNameAreErrors) {
  const TemporaryFolder folder;
  const NpzReader reader(folder.write("d.npz", makeDeflatedZip("x.npy", npyOfThree())));
  EXPECT_TRUE(contains(expectError([&] { reader.read<double>("x", {4}); }).problem(), "shape (3), not (4)"));
  EXPECT_TRUE(contains(expectError([&] { reader.read<std::int32_t>("x"); }).problem(), "<f8, not <i4"));
  EXPECT_TRUE(contains(expectError([&] { reader.read<double>("y"); }).problem(), "holds no \"y.npy\""));
  EXPECT_TRUE(contains(expectError([&] { reader.readText("x"); }).problem(), "not text"));
}

TEST(Npz, LyingSizesAreRefusedBeforeMemoryIsTaken) {
  const TemporaryFolder folder;
  for (const char* shape : {"(999999999999999,)", "(4294967296, 4294967296, 16)", "(-1,)", "(2.5,)", "(x,)"}) {
    std::string npy = npyOfThree();
    npy.replace(npy.find("(3,), }"), 30, (std::string(shape) + ", }" + std::string(30, ' ')).substr(0, 30));
    const std::string file = folder.write("lie.npz", makeDeflatedZip("x.npy", npy));
    EXPECT_FALSE(expectError([&] { NpzReader(file).read<double>("x"); }).remedy().empty()) << shape;
  }
  std::string zip = makeDeflatedZip("x.npy", npyOfThree());
  const std::size_t directory = zip.find("PK\x01\x02");
  zip.replace(directory + 24, 4, "\xfe\xff\xff\xff");  // says that it unpacks to 4 GB
  EXPECT_TRUE(
      contains(expectError([&] { NpzReader(folder.write("b.npz", zip)).read<double>("x"); }).problem(), "packed"));
}

TEST(Npz, EveryTruncationIsAnError) {
  const TemporaryFolder folder;
  const std::string zip = makeDeflatedZip("x.npy", npyOfThree());
  for (std::size_t length = 0; length < zip.size(); ++length) {
    const std::string file = folder.write("cut.npz", zip.substr(0, length));
    EXPECT_THROW(NpzReader(file).read<double>("x"), Error) << length;
  }
}

TEST(Npz, AnyChangedDataByteFailsItsCheckSum) {
  const TemporaryFolder folder;
  NpzWriter writer(folder("a.npz"));
  writer.add("x", std::vector<double>(20, 0.25));
  writer.commit();
  const std::string zip = readText(folder("a.npz"));
  const std::size_t data = zip.find("\x93NUMPY");
  for (std::size_t i = data; i < data + 128 + 160; i += 7) {
    std::string changed = zip;
    changed[i] ^= 0x20;
    EXPECT_THROW(NpzReader(folder.write("c.npz", changed)).read<double>("x"), Error) << i;
  }
}

}  // namespace
}  // namespace rigor

#include "normdyn/files/hdf5.hpp"
#include "support/capture.hpp"
#include "support/scratch_folder.hpp"

#include <boost/mpl/list.hpp>
#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>

using namespace normdyn::files;
using namespace normdyn::test;
using normdyn::core::FileError;

namespace {
using NumberTypes = boost::mpl::list<double, float, std::int64_t, std::int32_t, std::int8_t, std::uint64_t>;

template <class T>
std::span<const T> view(const std::vector<T>& values) {
  return values;
}
} // namespace

BOOST_AUTO_TEST_SUITE(files)

BOOST_AUTO_TEST_CASE_TEMPLATE(numbers_of_each_type_come_back_as_they_were, T, NumberTypes) {
  const ScratchFolder scratch;
  const std::vector<T> values{T(1), std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max(), T(4), T(5), T(6)};
  {
    Hdf5File file = Hdf5File::create(scratch.file("a.h5"));
    file.root().write("x", {3, 2}, view(values)).attributes().set("largest", values[2]);
    file.close();
  }
  const Hdf5File file = Hdf5File::open(scratch.file("a.h5"));
  const Dataset x = file.root().dataset("x");
  BOOST_TEST(x.shape() == (Shape{3, 2}), boost::test_tools::per_element());
  BOOST_TEST(x.read<T>() == values, boost::test_tools::per_element());
  BOOST_TEST(x.read_rows<T>(1, 2) == std::vector<T>(values.begin() + 2, values.end()),
             boost::test_tools::per_element());
  BOOST_TEST(x.attributes().number("largest") == static_cast<double>(values[2]));
}

BOOST_AUTO_TEST_CASE(a_growing_dataset_starts_empty_and_takes_rows) {
  const ScratchFolder scratch;
  Hdf5File file = Hdf5File::create(scratch.file("a.h5"));
  for (const int deflate : {0, 4}) {
    Storage storage{.grows = true, .chunk = {4, 1}};
    storage.deflate = deflate;
    Dataset x = file.root().create<double>("x" + std::to_string(deflate), {0, 2}, storage);
    BOOST_TEST(x.read<double>().empty());
    for (int i = 0; i < 5; ++i)
      x.append(view(std::vector<double>{2.0 * i, 2.0 * i + 1, -2.0 * i, -2.0 * i - 1}));
    BOOST_TEST(x.shape() == (Shape{10, 2}), boost::test_tools::per_element());
    BOOST_TEST(x.read_rows<double>(8, 2) == (std::vector<double>{8, 9, -8, -9}), boost::test_tools::per_element());
  }
  BOOST_TEST(
      contains(message_of<FileError>([&] { static_cast<void>(file.root().dataset("x0").read_rows<double>(9, 2)); }),
               "has 10 rows, too few for rows 9 to 10"));
}

BOOST_AUTO_TEST_CASE(texts_survive_in_every_form) {
  const ScratchFolder scratch;
  const std::string difficult = "beta=\u221e \u00fc \u6f22\u5b57";
  const std::string large(70'000, 'c');
  const std::vector<std::string> list{difficult, "", large};
  {
    Hdf5File file = Hdf5File::create(scratch.file("a.h5"));
    Group root = file.root();
    root.write_text("label", difficult);
    root.write_text("empty", "");
    root.write_text("large", large);
    root.write_texts("list", list);
    root.create_texts("growing", {0}, {.grows = true}).append_texts(list);
    root.attributes().set("label", difficult);
    root.attributes().set("empty", "");
    root.attributes().set("large", large);
    root.attributes().set("large", large + "!"); // replaced
    root.attributes().set_fixed("status", "running", 16);
    root.attributes().set_fixed("status", "completed", 16);
    file.close();
  }
  const Hdf5File file = Hdf5File::open(scratch.file("a.h5"));
  const Group root = file.root();
  BOOST_TEST(root.dataset("label").read_texts().at(0) == difficult);
  BOOST_TEST(root.dataset("empty").read_texts().at(0) == "");
  BOOST_TEST(root.dataset("large").read_texts().at(0) == large);
  BOOST_TEST(root.dataset("list").read_texts() == list, boost::test_tools::per_element());
  BOOST_TEST(root.dataset("growing").read_texts() == list, boost::test_tools::per_element());
  BOOST_TEST(root.attributes().text("label") == difficult);
  BOOST_TEST(root.attributes().text("empty") == "");
  BOOST_TEST(root.attributes().text("large") == large + "!");
  BOOST_TEST(root.attributes().text("status") == "completed");
}

BOOST_AUTO_TEST_CASE(links_and_attributes_keep_their_order_of_creation) {
  const ScratchFolder scratch;
  Hdf5File file = Hdf5File::create(scratch.file("a.h5"));
  Group root = file.root();
  const std::vector<std::string> order{"zebra", "apple", "mango", "banana"};
  for (const std::string& name : order) {
    root.write_scalar(name, 1.0);
    root.attributes().set(name, std::int64_t{1});
  }
  BOOST_TEST(root.names() == order, boost::test_tools::per_element());
  BOOST_TEST(root.attributes().names() == order, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(files_that_cannot_be_read_are_refused_in_one_line_and_silently) {
  const ScratchFolder scratch;
  scratch.write("plain.h5", "not an HDF5 file");
  scratch.write("empty.h5", "");
  {
    Hdf5File file = Hdf5File::create(scratch.file("good.h5"));
    file.root().write("theta", {2}, view(std::vector<double>(2)));
    file.root().create_group("attention").write("query", {100, 100}, view(std::vector<double>(10'000)));
    file.close();
  }
  std::filesystem::copy_file(scratch.file("good.h5"), scratch.file("cut.h5"));
  std::filesystem::resize_file(scratch.file("cut.h5"), 40'000);
  const auto opening = [&](const std::string& name) {
    return message_of<FileError>([&] { static_cast<void>(Hdf5File::open(scratch.file(name))); });
  };
  const std::string printed = stderr_of([&] {
    BOOST_TEST(opening("god.h5") ==
               scratch.file("god.h5") + ": no such file; did you mean '" + scratch.file("good.h5") + "'?");
    BOOST_TEST(opening("plain.h5") == scratch.file("plain.h5") + ": is no HDF5 file");
    BOOST_TEST(opening("empty.h5") == scratch.file("empty.h5") + ": is no HDF5 file");
    BOOST_TEST(opening("") == scratch.file("") + ": is a folder, not a file");
    BOOST_TEST(opening("cut.h5") == scratch.file("cut.h5") + ": is truncated: bytes are missing at its end");
    const Hdf5File file = Hdf5File::open(scratch.file("good.h5"));
    const auto dataset = [&](const std::string& name) {
      return message_of<FileError>([&] { static_cast<void>(file.root().dataset(name)); });
    };
    BOOST_TEST(dataset("/thta") == file.path() + ":/: has no dataset 'thta'; did you mean 'theta'?");
    BOOST_TEST(dataset("/attention/qery") == file.path() + ":/attention: has no dataset 'qery'; did you mean 'query'?");
    BOOST_TEST(dataset("/attention") == file.path() + ":/attention: is no dataset");
    BOOST_TEST(dataset("/a/b/c") == file.path() + ":/: has no dataset '/a/b/c'; known here: theta or attention");
    BOOST_TEST(message_of<FileError>([&] { static_cast<void>(file.root().group("atention")); }) ==
               file.path() + ":/: has no group 'atention'; did you mean 'attention'?");
  });
  BOOST_TEST(printed == "");
}

BOOST_AUTO_TEST_CASE(a_file_is_made_only_where_there_is_none) {
  const ScratchFolder scratch;
  const std::string path = scratch.write("taken.h5", "precious");
  const std::string text = message_of<FileError>([&] { static_cast<void>(Hdf5File::create(path)); });
  BOOST_TEST(text == path + ": cannot be created (File exists)");
  BOOST_TEST(std::filesystem::file_size(path) == 8u);
}

BOOST_AUTO_TEST_CASE(the_superblock_is_one_that_older_programs_read) {
  const ScratchFolder scratch;
  const std::string path = scratch.file("a.h5");
  Hdf5File::create(path).close();
  char bytes[9] = {};
  std::ifstream(path, std::ios::binary).read(bytes, 9);
  BOOST_TEST(int(bytes[8]) == 2); // HDF5 1.8; "latest" would write 3
}

BOOST_AUTO_TEST_CASE(an_abandoned_file_keeps_the_state_of_its_last_flush) {
  const ScratchFolder scratch;
  const std::string path = scratch.file("a.h5");
  {
    Hdf5File file = Hdf5File::create(path);
    Dataset x = file.root().create<double>("x", {0}, {.grows = true, .chunk = {2}});
    x.append(view(std::vector<double>{1, 2, 3}));
    file.root().attributes().set("valid", std::int64_t{3});
    file.flush();
    x.append(view(std::vector<double>(1000, 7.0)));
    file.root().attributes().set("valid", std::int64_t{1003});
    file.root().write_text("more", "than before");
    file.abandon();
  }
  const Hdf5File file = Hdf5File::open(path);
  BOOST_TEST(file.root().dataset("x").read<double>() == (std::vector<double>{1, 2, 3}),
             boost::test_tools::per_element());
  BOOST_TEST(file.root().attributes().integer("valid") == 3);
  BOOST_TEST(!file.root().has("more"));
}

BOOST_AUTO_TEST_SUITE_END()

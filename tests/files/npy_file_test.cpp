#include "normdyn/files/npy_file.hpp"
#include "support/capture.hpp"

#include <boost/test/unit_test.hpp>

#include <cstring>

using namespace normdyn::files;
using namespace normdyn::test;
using Values = std::vector<double>;

namespace {

/// An NPY file as numpy.save writes it: header padded to a multiple of 64 bytes, ended by a newline.
template <class T>
std::string npy(int version, const std::string& descr, bool fortran, const std::string& shape,
                const std::vector<T>& values) {
  std::string dictionary =
      "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }";
  const std::size_t prefix = version == 1 ? 10 : 12;
  while ((prefix + dictionary.size() + 1) % 64 != 0)
    dictionary += ' ';
  dictionary += '\n';
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  for (std::size_t i = 0; i < (version == 1 ? 2u : 4u); ++i)
    bytes += static_cast<char>(dictionary.size() >> 8 * i & 0xff);
  bytes += dictionary;
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  return bytes;
}

std::string complaint(const std::string& bytes) {
  return message_of<normdyn::core::FileError>([&] { static_cast<void>(parse_npy(bytes, "a.npy")); });
}

const Values six{1, 2, 3, 4, 5, 6};

} // namespace

BOOST_AUTO_TEST_SUITE(files)

BOOST_AUTO_TEST_CASE(versions_one_to_three_are_read) {
  for (const int version : {1, 2, 3}) {
    const NpyArray a = parse_npy(npy<double>(version, "<f8", false, "(2, 3)", six), "a.npy");
    BOOST_TEST(a.shape == (std::vector<std::size_t>{2, 3}), boost::test_tools::per_element());
    BOOST_TEST(a.values == six, boost::test_tools::per_element());
  }
  BOOST_TEST(complaint(npy<double>(4, "<f8", false, "(2, 3)", six)) ==
             "a.npy: has NPY format 4, where 1, 2 and 3 are known");
}

BOOST_AUTO_TEST_CASE(all_four_types_become_doubles) {
  BOOST_TEST(parse_npy(npy<float>(1, "<f4", false, "(1, 2)", {0.1f, -2}), "a").values == (Values{double(0.1f), -2}),
             boost::test_tools::per_element());
  BOOST_TEST(parse_npy(npy<std::int32_t>(1, "<i4", false, "(1, 2)", {-7, 8}), "a").values == (Values{-7, 8}),
             boost::test_tools::per_element());
  BOOST_TEST(parse_npy(npy<std::int64_t>(1, "<i8", false, "(1, 2)", {-7, 1LL << 40}), "a").values ==
                 (Values{-7, 1099511627776.0}),
             boost::test_tools::per_element());
  BOOST_TEST(contains(complaint(npy<double>(1, ">f8", false, "(2, 3)", six)), "numbers of type '>f8'"));
  BOOST_TEST(contains(complaint(npy<double>(1, "<c16", false, "(3,)", six)), "numbers of type '<c16'"));
}

BOOST_AUTO_TEST_CASE(fortran_order_is_turned_into_rows) {
  // Columns (1, 2), (3, 4), (5, 6) of a 2 x 3 matrix.
  BOOST_TEST(parse_npy(npy<double>(1, "<f8", true, "(2, 3)", six), "a").values == (Values{1, 3, 5, 2, 4, 6}),
             boost::test_tools::per_element());
  BOOST_TEST(parse_npy(npy<double>(1, "<f8", true, "(6,)", six), "a").values == six, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(missing_and_surplus_bytes_are_refused) {
  const std::string good = npy<double>(1, "<f8", false, "(2, 3)", six);
  BOOST_TEST(complaint(good.substr(0, good.size() - 1)) ==
             "a.npy: is truncated: 47 bytes of data are there, 48 are announced");
  BOOST_TEST(complaint(good + "x") == "a.npy: is too long: 49 bytes of data are there, 48 are announced");
  for (std::size_t size = 6; size < 128; ++size)
    BOOST_REQUIRE(complaint(good.substr(0, size)) == "a.npy: is truncated inside its NPY header");
  for (std::size_t size = 0; size < 6; ++size)
    BOOST_REQUIRE(complaint(good.substr(0, size)) == "a.npy: is no NPY file");
}

BOOST_AUTO_TEST_CASE(absurd_shapes_are_refused_without_allocating) {
  BOOST_TEST(contains(complaint(npy<double>(1, "<f8", false, "(9223372036854775807, 4)", six)), "truncated"));
  BOOST_TEST(contains(complaint(npy<double>(1, "<f8", false, "(4294967296, 4294967296)", six)), "truncated"));
  BOOST_TEST(contains(complaint(npy<double>(1, "<f8", false, "(1, 2, 3)", six)), "has 3 dimensions"));
  BOOST_TEST(contains(complaint(npy<double>(1, "<f8", false, "()", six)), "has 0 dimensions"));
  for (const char* shape : {"(2, -3)", "2, 3", "(2, 3", "(a, b)", "(2, 3.5)"})
    BOOST_TEST(complaint(npy<double>(1, "<f8", false, shape, six)) != "", "shape " << shape << " was accepted");
}

BOOST_AUTO_TEST_SUITE_END()

#include "normdyn/files/sha256.hpp"
#include "support/capture.hpp"
#include "support/scratch_folder.hpp"

#include <boost/test/unit_test.hpp>

using namespace normdyn::files;
using namespace normdyn::test;

BOOST_AUTO_TEST_SUITE(files)

// FIPS 180-4 example vectors of NIST.
BOOST_AUTO_TEST_CASE(hashes_of_texts_agree_with_the_vectors_of_nist) {
  BOOST_TEST(sha256_of_text("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  BOOST_TEST(sha256_of_text("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  BOOST_TEST(sha256_of_text("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
             "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  BOOST_TEST(sha256_of_text(std::string(1'000'000, 'a')) ==
             "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

BOOST_AUTO_TEST_CASE(the_hash_does_not_depend_on_how_the_text_is_cut) {
  const std::string text(301, 'x');
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    Sha256 hash;
    hash.update(text.substr(0, cut));
    static_cast<void>(hash.hex()); // asking in between changes nothing
    hash.update(text.substr(cut));
    BOOST_REQUIRE(hash.hex() == sha256_of_text(text));
  }
}

BOOST_AUTO_TEST_CASE(every_padding_length_keeps_texts_apart) {
  std::string text, last;
  for (std::size_t length = 0; length < 130; ++length, text += 'a') {
    const std::string now = sha256_of_text(text);
    BOOST_REQUIRE(now.size() == 64);
    BOOST_REQUIRE(now != last);
    last = now;
  }
  // Lengths around the block boundary, computed with coreutils' sha256sum.
  BOOST_TEST(sha256_of_text(std::string(55, 'a')) ==
             "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  BOOST_TEST(sha256_of_text(std::string(56, 'a')) ==
             "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
  BOOST_TEST(sha256_of_text(std::string(64, 'a')) ==
             "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

BOOST_AUTO_TEST_CASE(a_file_hashes_like_its_bytes_and_a_missing_one_is_refused) {
  const ScratchFolder scratch;
  const std::string bytes("a\0b\r\n\xff", 6);
  BOOST_TEST(sha256_of_file(scratch.write("x", bytes)) == sha256_of_text(bytes));
  const std::string big(200'000, 'q');
  BOOST_TEST(sha256_of_file(scratch.write("big", big)) == sha256_of_text(big));
  BOOST_TEST(
      contains(message_of<normdyn::core::FileError>([&] { static_cast<void>(sha256_of_file(scratch.file("bog"))); }),
               "no such file; did you mean '" + scratch.file("big") + "'?"));
}

BOOST_AUTO_TEST_SUITE_END()

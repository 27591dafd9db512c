#pragma once
// SHA-256 (FIPS 180-4): names inputs and cases by their content.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace normdyn::files {

/// The hash of a stream of bytes, given piece by piece.
class Sha256 final {
 public:
  void update(std::string_view bytes);
  /// 64 lower-case hexadecimal digits of everything given so far; the object can be given more afterwards.
  [[nodiscard]] std::string hex() const;

 private:
  void compress(const unsigned char* block);
  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> block_{};
  std::size_t in_block_ = 0;
  std::uint64_t n_bytes_ = 0;
};

[[nodiscard]] std::string sha256_of_text(std::string_view text);

/// Of the file's bytes. Throws core::FileError when it cannot be read.
[[nodiscard]] std::string sha256_of_file(const std::string& path);

} // namespace normdyn::files

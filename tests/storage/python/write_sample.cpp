// Writes run files with the library's writer, for the checks in Python: write_sample <folder>
#include "storage/sample_run.hpp"

#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: write_sample <folder>\n", stderr);
    return 2;
  }
  using normdyn::test::write_sample;
  const std::string folder = std::string(argv[1]) + "/";
  write_sample(folder + "shared.h5", {});
  write_sample(folder + "own.h5", {.shared_axis = false, .in_layers = true});
  write_sample(folder + "bare.h5", {.has_radius = false, .with_extras = false}); // no events, weights, inputs
  return 0;
}

#include "storage_rows.hpp"

#include "sample_tokens.hpp"

#include "normdyn/attention/attention.hpp"
#include "normdyn/storage/run_writer.hpp"

#include <hdf5.h>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <stdexcept>

namespace normdyn::bench {
namespace {

constexpr std::size_t n = 1056, dim = 64;
constexpr std::int64_t n_frames = 1000;

template <class Work>
double seconds_of(Work work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

template <class Work>
double quickest(int repetitions, Work work) {
  double seconds = seconds_of(work);
  for (int r = 1; r < repetitions; ++r)
    seconds = std::min(seconds, seconds_of(work));
  return seconds;
}

// Frames that differ, so that nothing is written twice from a cache.
void write_run(const std::string& path, const std::vector<geometry::State>& frames) {
  storage::RunHeader header;
  header.scheme = header.label = "post_ln";
  header.n_tokens = n;
  header.dim = dim;
  header.n_states = n_frames;
  header.theta0.assign(frames[0].begin(), frames[0].end());
  header.radius0.assign(n, 1.0);
  storage::RunWriter writer(path, header, true);
  for (std::int64_t k = 0; k < n_frames; ++k) {
    writer.state(static_cast<double>(k), k, frames[static_cast<std::size_t>(k) % frames.size()], {});
    writer.commit();
  }
  writer.finish({storage::Status::completed, "reached the end time", {}});
}

// With the HDF5 library alone and its default cache, as any other program would.
double read_one_token(const std::string& path) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), data = H5Dopen2(file, "theta", H5P_DEFAULT);
  const hsize_t begin[] = {0, n / 2, 0}, count[] = {n_frames, 1, dim};
  const hid_t in_file = H5Dget_space(data), in_memory = H5Screate_simple(3, count, nullptr);
  H5Sselect_hyperslab(in_file, H5S_SELECT_SET, begin, nullptr, count, nullptr);
  std::vector<double> rows(n_frames * dim);
  if (H5Dread(data, H5T_NATIVE_DOUBLE, in_memory, in_file, H5P_DEFAULT, rows.data()) < 0)
    throw std::runtime_error("cannot read " + path);
  for (const hid_t space : {in_file, in_memory})
    H5Sclose(space);
  H5Dclose(data);
  H5Fclose(file);
  return rows.back();
}

} // namespace

Rows storage_rows(int repetitions) {
  const std::string path = (std::filesystem::temp_directory_path() / "normdyn-bench.h5").string();
  std::vector<geometry::State> frames;
  for (int k = 0; k < 7; ++k) {
    frames.push_back(sample_tokens(n, dim));
    std::rotate(frames.back().begin(), frames.back().begin() + k * static_cast<long>(dim), frames.back().end());
  }
  const double writing = quickest(repetitions, [&] { write_run(path, frames); });
  const double bytes = static_cast<double>(n * dim * sizeof(double)) * static_cast<double>(n_frames);
  volatile double sink = 0.0;
  const double reading = quickest(5 * repetitions, [&] { sink = read_one_token(path); });
  std::filesystem::remove(path);

  omp_set_num_threads(2);
  const auto attention = attention::make_attention({}, {});
  geometry::State drift(n * dim);
  const attention::Tokens tokens{frames[0], dim, 0};
  const double evaluation =
      quickest(20 * repetitions, [&] { attention->evaluate(tokens, tokens, 5.0, {.drift = drift}); });
  omp_set_num_threads(1);
  return {against("files", "one frame, n=1056 d=64", 1e3 * writing / static_cast<double>(n_frames), "ms",
                  6e3 * evaluation, "a step of dopri5, 2 threads", 0.04),
          faster_than("files", "write 1000 frames", 1e9 / bytes * writing, "s/GB", 1.0 / 2.5, "2.5 GB/s", 1.0),
          against("files", "read one token of 1000 frames", 1e3 * reading, "ms", 20.0, "20 ms", 1.0)};
}

} // namespace normdyn::bench

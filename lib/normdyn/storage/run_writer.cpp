#include "normdyn/storage/run_writer.hpp"

#include "normdyn/core/error.hpp"
#include "normdyn/files/hdf5.hpp"
#include "normdyn/storage/output_path.hpp"
#include "normdyn/storage/run_header.hpp"
#include "normdyn/storage/run_tables.hpp"

#include <chrono>
#include <filesystem>
#include <optional>

namespace normdyn::storage {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point moment) {
  return std::chrono::duration<double>(Clock::now() - moment).count();
}

} // namespace

class RunWriter::File final {
 public:
  File(const std::string& path, const RunHeader& header, bool overwrite)
      : output_(path, overwrite, header.inputs), flush_seconds_(header.flush_seconds) {
    guarded([&] {
      file_.emplace(files::Hdf5File::create(output_.temporary()));
      files::Group root = file_->root();
      write_root(root, header);
      tables_.emplace(root, header);
      write_groups(root, header);
      file_->flush();
    });
    output_.publish();
    file_->rename(path);
  }

  ~File() {
    if (!file_ || has_failed_)
      return;
    try {
      commit(true, false);
    } catch (const std::exception&) { // the disk is full: the file stays as of its last commit
    }
  }

  /// Runs something that writes; if it fails, nothing more reaches the file.
  template <class Write>
  void guarded(Write write) {
    core::believe(!is_finished_, "nothing is written after finish()");
    if (has_failed_)
      throw core::FileError(path(), "could not be written before: the file ends with its last commit");
    try {
      write();
    } catch (const core::FileError& error) {
      has_failed_ = true;
      if (file_)
        file_->abandon();
      throw core::FileError(path(), error.problem(), error.remedy()); // the user knows the final name only
    }
  }

  void commit(bool force, bool is_end) {
    if (!force && seconds_since(last_flush_) < flush_seconds_)
      return;
    guarded([&] {
      tables_->write_all(is_end);
      file_->flush();
      files::Attributes root = file_->root().attributes();
      root.set("frames_valid", tables_->n_frames());
      root.set("series_valid", tables_->n_series());
      file_->flush();
    });
    last_flush_ = Clock::now();
  }

  void finish(const RunEnd& end) {
    guarded([&] {
      files::Attributes provenance = file_->root().group("provenance").attributes();
      for (const Fact& fact : end.counts)
        std::visit([&](const auto& value) { provenance.set(fact.first, value); }, fact.second);
    });
    commit(true, true);
    guarded([&] {
      files::Attributes root = file_->root().attributes();
      root.set("stop_reason", end.stop_reason);
      root.set_fixed("status", status_text(end.status), 16);
      file_->close();
      file_.reset();
    });
    is_finished_ = true;
    std::error_code ignored; // on a disk without permissions the file is finished all the same
    constexpr auto writing = std::filesystem::perms::owner_write | std::filesystem::perms::group_write |
                             std::filesystem::perms::others_write;
    std::filesystem::permissions(path(), writing, std::filesystem::perm_options::remove, ignored);
  }

  [[nodiscard]] RunTables& tables() { return *tables_; }
  [[nodiscard]] double wall_seconds() const { return seconds_since(start_); }
  [[nodiscard]] const std::string& path() const { return output_.path(); }

 private:
  OutputPath output_;
  double flush_seconds_;
  bool has_failed_ = false, is_finished_ = false;
  Clock::time_point start_ = Clock::now(), last_flush_ = start_;
  std::optional<files::Hdf5File> file_; // closed after the tables' datasets
  std::optional<RunTables> tables_;
};

RunWriter::RunWriter(const std::string& path, const RunHeader& header, bool overwrite)
    : file_(std::make_unique<File>(path, header, overwrite)) {}
RunWriter::RunWriter(RunWriter&&) noexcept = default;
RunWriter& RunWriter::operator=(RunWriter&&) noexcept = default;
RunWriter::~RunWriter() = default;

void RunWriter::state(double time, std::int64_t layer, std::span<const double> theta, std::span<const double> radius) {
  file_->guarded([&] {
    file_->tables().state(time, layer, file_->wall_seconds(), theta, radius);
    file_->tables().write_blocks();
  });
}

void RunWriter::series(double time, std::int64_t layer, std::span<const double> values) {
  file_->guarded([&] {
    file_->tables().series(time, layer, file_->wall_seconds(), values);
    file_->tables().write_blocks();
  });
}

void RunWriter::event(const EventRecord& event) {
  file_->tables().event(event);
}

void RunWriter::commit(bool force) {
  file_->commit(force, false);
}

void RunWriter::finish(const RunEnd& end) {
  file_->finish(end);
}

const std::string& RunWriter::path() const {
  return file_->path();
}

} // namespace normdyn::storage

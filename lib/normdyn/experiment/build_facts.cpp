#include "normdyn/experiment/build_facts.hpp"

#include "normdyn/attention/simd.hpp"
#include "normdyn/files/hdf5_handle.hpp"

#include "normdyn_build_info.hpp"

#include <Eigen/Core>
#include <H5public.h>
#include <boost/version.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <muParser.h>
#include <omp.h>
#include <pwd.h>
#include <sys/utsname.h>
#include <toml++/toml.h>
#include <unistd.h>

#include <chrono>
#include <fstream>

namespace normdyn::experiment {
namespace {

std::string hdf5_in_use() {
  unsigned major = 0, minor = 0, release = 0;
  files::silence_hdf5(); // comes before any other call of HDF5, which would have it close files at exit
  H5get_libversion(&major, &minor, &release);
  return fmt::format("{}.{}.{}", major, minor, release);
}

std::string muparser_version() {
  const std::string text = mu::Parser().GetVersion(mu::pviBRIEF); // "2.3.3 (Release)"
  return text.substr(0, text.find(' '));
}

std::string cpu_model() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name"))
      return line.substr(std::min(line.size(), line.find(':') + 2));
  return "unknown";
}

} // namespace

std::string version() {
  return build_info::version;
}

std::vector<storage::Fact> build_facts() {
  return {
      {"normdyn_version", std::string(build_info::version)},
      {"git_commit", std::string(build_info::git_commit)},
      {"git_dirty", std::int64_t{build_info::git_dirty ? 1 : 0}},
      {"build_type", std::string(build_info::build_type)},
      {"compiler", std::string(build_info::compiler)},
      {"cxx_flags", std::string(build_info::cxx_flags)},
      {"architecture", std::string(build_info::architecture)},
      {"boost_version",
       fmt::format("{}.{}.{}", BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100)},
      {"eigen_version", fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
      {"hdf5_version", hdf5_in_use()},
      {"hdf5_headers_version", fmt::format("{}.{}.{}", H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE)},
      {"fmt_version", fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
      {"muparser_version", muparser_version()},
      {"tomlplusplus_version", fmt::format("{}.{}.{}", TOML_LIB_MAJOR, TOML_LIB_MINOR, TOML_LIB_PATCH)},
  };
}

std::vector<storage::Fact> machine_facts(bool with_host) {
  utsname system{};
  uname(&system);
  std::vector<storage::Fact> facts = {
      {"os", fmt::format("{} {} {}", system.sysname, system.release, system.machine)},
      {"cpu_model", cpu_model()},
      {"simd_target", attention::simd_target()},
      {"n_threads", std::int64_t{omp_get_max_threads()}},
      {"rng", std::string("Philox4x64-10")},
  };
  if (with_host) {
    const passwd* user = getpwuid(getuid());
    facts.emplace_back("hostname", std::string(system.nodename));
    facts.emplace_back("user", std::string(user ? user->pw_name : "unknown"));
  }
  return facts;
}

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

} // namespace normdyn::experiment

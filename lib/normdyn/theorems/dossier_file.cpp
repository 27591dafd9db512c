#include "normdyn/theorems/dossier_file.hpp"

#include "normdyn/files/hdf5.hpp"
#include "normdyn/report/markup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace normdyn::theorems {
namespace {

using files::Dataset;
using files::Group;

/// Columns of evidence, all on one dimension.
class Columns final {
 public:
  Columns(Group group, const std::vector<Evidence>& evidence)
      : group_(std::move(group)), evidence_(evidence), line_(numbered(group_, evidence.size())) {}

  template <class Get>
  void texts(const char* name, Get get) {
    std::vector<std::string> values;
    for (const Evidence& line : evidence_)
      values.emplace_back(get(line));
    group_.write_texts(name, values).attach_scale(0, line_);
  }
  template <class T>
  void numbers(const char* name, T Evidence::*member) {
    std::vector<T> values;
    for (const Evidence& line : evidence_)
      values.push_back(line.*member);
    group_.write<T>(name, {values.size()}, values).attach_scale(0, line_);
  }

 private:
  static Dataset numbered(Group& group, std::size_t count) {
    std::vector<std::int64_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), std::int64_t{0});
    Dataset line = group.write<std::int64_t>("line", {count}, numbers);
    line.make_scale();
    return line;
  }
  Group group_;
  const std::vector<Evidence>& evidence_;
  Dataset line_;
};

void write_evidence(Group group, const std::vector<Evidence>& evidence) {
  Columns columns(std::move(group), evidence);
  columns.texts("quantity", [](const Evidence& line) { return line.quantity; });
  columns.texts("kind", [](const Evidence& line) { return kind_name(line.kind); });
  columns.texts("verdict", [](const Evidence& line) { return verdict_name(line.verdict); });
  columns.numbers("predicted", &Evidence::predicted);
  columns.numbers("measured", &Evidence::measured);
  columns.numbers("low", &Evidence::low);
  columns.numbers("high", &Evidence::high);
  columns.numbers("allowance", &Evidence::allowance);
  columns.numbers("n_runs", &Evidence::n_runs);
  columns.numbers("n_exceptions", &Evidence::n_exceptions);
  columns.numbers("n_unfinished", &Evidence::n_unfinished);
  columns.texts("text", [](const Evidence& line) { return line.text; });
}

void write_figure(Group group, const report::Figure& figure) {
  auto attributes = group.attributes();
  attributes.set("title", figure.title);
  attributes.set("x_label", figure.x.label);
  attributes.set("y_label", figure.y.label);
  attributes.set<std::int8_t>("x_is_logarithmic", figure.x.is_logarithmic ? 1 : 0);
  attributes.set<std::int8_t>("y_is_logarithmic", figure.y.is_logarithmic ? 1 : 0);
  for (std::size_t i = 0; i < figure.curves.size(); ++i) {
    const report::Curve& curve = figure.curves[i];
    const std::size_t size = std::min(curve.x.size(), curve.y.size());
    Group one = group.create_group(fmt::format("curve_{}", i));
    one.attributes().set("name", curve.name);
    one.attributes().set("style", style_name(curve.style));
    Dataset x = one.write<double>("x", {size}, std::span(curve.x).first(size));
    x.make_scale();
    one.write<double>("y", {size}, std::span(curve.y).first(size)).attach_scale(0, x);
  }
}

void write_examination(Group group, const Examination& examination) {
  const Claim& claim = *examination.claim;
  auto attributes = group.attributes();
  attributes.set("title", claim.title);
  attributes.set("source", claim.source);
  attributes.set("statement", claim.statement);
  attributes.set("hypotheses", claim.hypotheses);
  attributes.set("control", claim.control_text);
  attributes.set("verdict", verdict_name(examination.verdict));
  attributes.set<double>("seconds", examination.seconds);
  write_evidence(group.create_group("evidence"), examination.findings.evidence);
  Group figures = group.create_group("figures");
  for (const report::Figure& figure : examination.findings.figures) {
    const std::string stem = report::file_stem(figure.name);
    std::string name = stem;
    for (int number = 2; figures.has(name); ++number)
      name = fmt::format("{}-{}", stem, number);
    write_figure(figures.create_group(name), figure);
  }
}

} // namespace

void write_dossier(const std::string& path, const Dossier& dossier) {
  auto file = files::Hdf5File::create(path);
  Group root = file.root();
  auto attributes = root.attributes();
  attributes.set("normdyn_version", dossier.version);
  attributes.set("command", dossier.command);
  attributes.set<std::uint64_t>("seed", dossier.seed);
  attributes.set<std::int8_t>("of_controls", dossier.of_controls ? 1 : 0);
  attributes.set("summary", tally_text(dossier));
  for (const Examination& examination : dossier.examinations)
    write_examination(root.create_group(examination.claim->id), examination);
  file.flush();
  file.close();
}

std::vector<std::string> figure_names_in(const std::string& path) {
  const auto file = files::Hdf5File::open(path);
  const Group root = file.root();
  std::vector<std::string> names;
  for (const std::string& claim : root.names()) {
    if (root.is_dataset(claim) || !root.group(claim).has("figures"))
      continue;
    for (const std::string& figure : root.group(claim).group("figures").names())
      names.push_back(figure);
  }
  return names;
}

} // namespace normdyn::theorems

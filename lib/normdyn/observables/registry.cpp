#include "normdyn/core/error.hpp"
#include "normdyn/observables/quantity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace normdyn::observables {

// The registry: each observable is declared here and has its line in the table.
Maker mean_cosine, cosine_range, max_angle, variance, order_parameter, energy, clock, clusters, close_pair_fraction,
    cosine_histogram, effective_rank, participation_ratio, angle_moved, norm_error, radius_range, mean_radius,
    radial_rate_range, token_speed, log_partition_range, attention_entropy;

namespace {

struct Entry {
  std::string name;
  Maker* make;
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> table = {
      {"mean_cosine", mean_cosine},
      {"cosine_range", cosine_range},
      {"max_angle", max_angle},
      {"variance", variance},
      {"order_parameter", order_parameter},
      {"energy", energy},
      {"clock", clock},
      {"clusters", clusters},
      {"close_pair_fraction", close_pair_fraction},
      {"cosine_histogram", cosine_histogram},
      {"effective_rank", effective_rank},
      {"participation_ratio", participation_ratio},
      {"angle_moved", angle_moved},
      {"norm_error", norm_error},
      {"radius_range", radius_range},
      {"mean_radius", mean_radius},
      {"radial_rate_range", radial_rate_range},
      {"token_speed", token_speed},
      {"log_partition_range", log_partition_range},
      {"attention_entropy", attention_entropy},
  };
  return table;
}

// What is known of an observable before a study exists: learnt by making it from an empty [output].
struct Facts {
  std::vector<std::string> variables, parameters;
};

Facts facts_of(const Entry& entry) {
  core::Settings empty{core::Value()};
  Facts facts;
  for (const Variable& variable : entry.make(empty, {.n_tokens = 2, .dim = 2, .has_radius = true}).variables)
    facts.variables.push_back(variable.name);
  const core::Value read = empty.resolved();
  for (const auto& [key, value] : read.table())
    facts.parameters.push_back(key);
  return facts;
}

const std::vector<Facts>& all_facts() {
  static const std::vector<Facts> facts = [] {
    std::vector<Facts> all;
    for (const Entry& entry : entries())
      all.push_back(facts_of(entry));
    return all;
  }();
  return facts;
}

// A quantity, or some of its variables.
class Measured final : public Observable {
 public:
  Measured(Quantity quantity, const std::vector<bool>& wanted) : quantity_(std::move(quantity)) {
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const std::size_t width = quantity_.variables[i].width();
      if (wanted[i]) {
        variables_.push_back(quantity_.variables[i]);
        parts_.push_back({full_width_, width});
      }
      full_width_ += width;
    }
  }
  [[nodiscard]] const std::vector<Variable>& variables() const override { return variables_; }
  [[nodiscard]] bool needs_motion() const override { return quantity_.needs_motion; }
  void measure(const Frame& frame, std::span<double> out) const override {
    if (variables_.size() == quantity_.variables.size())
      return quantity_.measure(frame, out);
    std::vector<double> all(full_width_);
    quantity_.measure(frame, all);
    auto next = out.begin();
    for (const auto& [first, width] : parts_)
      next = std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(first), width, next);
  }

 private:
  Quantity quantity_;
  std::vector<Variable> variables_;
  std::vector<std::pair<std::size_t, std::size_t>> parts_; ///< first value and width of each wanted variable
  std::size_t full_width_ = 0;
};

// Which entry a name belongs to, and which of its variables it asks for.
struct Wish {
  std::string name; ///< as written
  std::size_t entry;
  std::vector<bool> wanted;
};

Wish find(const std::string& name, const core::Settings& output) {
  for (std::size_t i = 0; i < entries().size(); ++i)
    if (name == entries()[i].name)
      return {name, i, std::vector<bool>(all_facts()[i].variables.size(), true)};
  for (std::size_t i = 0; i < entries().size(); ++i) {
    const auto& variables = all_facts()[i].variables;
    if (const auto at = std::find(variables.begin(), variables.end(), name); at != variables.end()) {
      std::vector<bool> wanted(variables.size(), false);
      wanted[static_cast<std::size_t>(at - variables.begin())] = true;
      return {name, i, wanted};
    }
  }
  output.refuse("record", fmt::format("there is no observable '{}'", name), core::suggestion(name, observable_names()));
}

// Names of one observable are measured together, where the first of them stands.
std::vector<Wish> gather(const std::vector<std::string>& names, const core::Settings& output) {
  std::vector<Wish> wishes;
  for (const std::string& name : names) {
    const Wish wish = find(name, output);
    const auto same = std::find_if(wishes.begin(), wishes.end(), [&](const Wish& w) { return w.entry == wish.entry; });
    if (same == wishes.end())
      wishes.push_back(wish);
    else
      std::transform(wish.wanted.begin(), wish.wanted.end(), same->wanted.begin(), same->wanted.begin(),
                     std::logical_or<>());
  }
  return wishes;
}

// A parameter that no recorded observable reads is refused as unread, with the observables that would.
void explain_unread(core::Settings& output, const std::vector<Wish>& wishes) {
  for (std::size_t i = 0; i < entries().size(); ++i) {
    if (std::any_of(wishes.begin(), wishes.end(), [&](const Wish& wish) { return wish.entry == i; }))
      continue;
    for (const std::string& key : all_facts()[i].parameters) {
      const auto& variables = all_facts()[i].variables;
      output.foreign(key, fmt::format("is used by {}, which {} not recorded", fmt::join(variables, " and "),
                                      variables.size() == 1 ? "is" : "are"));
    }
  }
}

} // namespace

std::vector<std::unique_ptr<Observable>> make_observables(const std::vector<std::string>& names, core::Settings& output,
                                                          const ObservableContext& context, bool skip_undefined) {
  const std::vector<Wish> wishes = gather(names, output);
  std::vector<std::unique_ptr<Observable>> made;
  for (const auto& [name, index, wanted] : wishes) {
    Quantity quantity = entries()[index].make(output, context);
    if (quantity.missing.empty())
      made.push_back(std::make_unique<Measured>(std::move(quantity), wanted));
    else if (!skip_undefined)
      output.refuse("record", fmt::format("'{}' is undefined here: {}", name, quantity.missing), "leave it out");
  }
  explain_unread(output, wishes);
  return made;
}

std::vector<std::string> observable_names() {
  std::vector<std::string> names;
  for (const Entry& entry : entries())
    names.push_back(entry.name);
  for (const Facts& facts : all_facts())
    for (const std::string& variable : facts.variables)
      if (std::find(names.begin(), names.end(), variable) == names.end())
        names.push_back(variable);
  return names;
}

} // namespace normdyn::observables

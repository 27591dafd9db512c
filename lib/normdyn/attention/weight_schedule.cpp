#include "normdyn/attention/weight_schedule.hpp"

#include "normdyn/attention/weight_entry.hpp"
#include "normdyn/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace normdyn::attention {
namespace {

constexpr double always = -std::numeric_limits<double>::infinity();
constexpr std::int64_t layers_per_entry = std::int64_t{1} << 24; // entry e of a list draws for layers from e 2^24 on

class ListedWeights final : public WeightSchedule {
 public:
  ListedWeights(WeightContext context, std::string place) : context_(std::move(context)), place_(std::move(place)) {}

  void add(double from, WeightEntry entry) { entries_.push_back({from, std::move(entry)}); }

  [[nodiscard]] std::vector<double> breakpoints(core::Interval span) const override;
  [[nodiscard]] Weights on(core::Interval piece) const override;
  [[nodiscard]] bool is_identity() const override {
    return std::all_of(entries_.begin(), entries_.end(), [](const Listed& l) { return l.entry.is_identity(); });
  }
  [[nodiscard]] std::string text() const override;
  [[nodiscard]] std::vector<WeightInput> inputs() const override;

 private:
  struct Listed {
    double from;
    WeightEntry entry;
  };
  [[nodiscard]] std::size_t entry_at(double t) const;
  [[nodiscard]] double layer_at(double t) const { return std::floor(t / context_.layer_time); }

  WeightContext context_;
  std::string place_;
  std::vector<Listed> entries_;
};

std::size_t ListedWeights::entry_at(double t) const {
  const auto next = std::find_if(entries_.begin(), entries_.end(), [&](const Listed& l) { return l.from > t; });
  if (next == entries_.begin())
    throw core::InputError(
        place_, fmt::format("the first weights hold from t = {}, but are needed at t = {}", entries_.front().from, t),
        "leave out the first `from`, or set it to the begin of the run");
  return static_cast<std::size_t>(next - entries_.begin()) - 1;
}

std::vector<double> ListedWeights::breakpoints(core::Interval span) const {
  const double begin = std::min(span.begin, span.end), end = std::max(span.begin, span.end);
  (void)entry_at(begin);
  std::vector<double> times;
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    const double from = std::max(begin, entries_[e].from);
    const double to = std::min(end, e + 1 < entries_.size() ? entries_[e + 1].from : end);
    times.push_back(entries_[e].from);
    const double slack = 1e-9 * context_.layer_time; // a boundary that equals an end up to rounding is that end
    if (entries_[e].entry.redraws())
      for (double layer = layer_at(from + slack) + 1.0; layer * context_.layer_time < to - slack; layer += 1.0)
        times.push_back(layer * context_.layer_time);
  }
  return core::inner_breakpoints(std::move(times), {begin, end});
}

Weights ListedWeights::on(core::Interval piece) const {
  const double middle = piece.middle();
  const std::size_t e = entry_at(middle);
  const WeightEntry& entry = entries_[e].entry;
  std::int64_t layer = entry.redraws() ? static_cast<std::int64_t>(layer_at(middle)) % layers_per_entry : 0;
  if (layer < 0)
    layer += layers_per_entry;
  return entry.weights(context_.seed, context_.member,
                       static_cast<std::uint64_t>(static_cast<std::int64_t>(e) * layers_per_entry + layer));
}

std::string ListedWeights::text() const {
  if (is_identity())
    return "Q, K, V: identity";
  std::string text;
  for (const Listed& listed : entries_)
    text += fmt::format("{}{}{}", text.empty() ? "" : " | ",
                        listed.from == always ? "" : fmt::format("from t = {}: ", listed.from), listed.entry.text());
  return text;
}

std::vector<WeightInput> ListedWeights::inputs() const {
  std::vector<WeightInput> all;
  for (const Listed& listed : entries_)
    all.insert(all.end(), listed.entry.inputs().begin(), listed.entry.inputs().end());
  return all;
}

// The head count as [attention] states it, if it does.
std::optional<std::size_t> stated_heads(core::Settings& config, const WeightContext& context) {
  return config.section("attention").has("heads") ? std::optional(context.n_heads) : std::nullopt;
}

double read_from(core::Settings& table, bool is_first, double previous) {
  if (!table.has("from") && is_first)
    return always;
  const double from = table.number("from");
  if (!is_first && !(from > previous))
    table.refuse("from", fmt::format("{} does not come after {}, where the weights before it begin", from, previous),
                 "list the tables in the order of their times");
  return from;
}

} // namespace

std::shared_ptr<const WeightSchedule> read_weights(core::Settings& config, const WeightContext& context) {
  auto schedule = std::make_shared<ListedWeights>(context, config.place("weights"));
  const std::optional<std::size_t> heads = stated_heads(config, context);
  if (!config.has("weights")) {
    core::Settings nothing(core::Value{}, config.place("weights"));
    schedule->add(always, WeightEntry::read(nothing, context, context.n_heads));
    return schedule;
  }
  const bool is_list = config.raw("weights")->is_array();
  std::vector<core::Settings> tables = config.sections("weights");
  if (tables.empty())
    config.refuse("weights", "the list is empty", "leave it out for Q = K = V = I");
  double from = always;
  std::size_t n_heads = 0;
  for (core::Settings& table : tables) {
    const bool is_first = n_heads == 0;
    if (is_list)
      from = read_from(table, is_first, from);
    else
      table.foreign("from", "belongs to a list of tables, [[weights]], whose entries switch at these times");
    WeightEntry entry = WeightEntry::read(table, context, heads);
    if (!is_first && entry.n_heads() != n_heads)
      table.refuse("file", fmt::format("{} heads, but the weights before it have {}", entry.n_heads(), n_heads));
    n_heads = entry.n_heads();
    schedule->add(from, std::move(entry));
  }
  if (!heads && n_heads != context.n_heads) // the file says so; whoever reads the resolved config shall see it
    config.section("attention").record("heads", core::Value(static_cast<std::int64_t>(n_heads)), true);
  return schedule;
}

} // namespace normdyn::attention

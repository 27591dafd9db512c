#include "normdyn/schemes/registry.hpp"

#include "normdyn/core/error.hpp"

#include <utility>

namespace normdyn::schemes {
namespace {

template <NormScheme Scheme>
SchemeFacts facts_of() {
  const auto options = Scheme::options();
  return {std::string(Scheme::name),
          std::string(Scheme::alias),
          std::string(Scheme::equation),
          std::string(Scheme::layer_map),
          {options.begin(), options.end()}};
}

template <std::size_t... Index>
std::vector<SchemeFacts> facts_of_all(std::index_sequence<Index...>) {
  return {facts_of<std::variant_alternative_t<Index, AnyScheme>>()...};
}

template <std::size_t... Index>
AnyScheme read_alternative(std::size_t wanted, core::Settings& section, const SchemeContext& context,
                           std::index_sequence<Index...>) {
  AnyScheme scheme = PostLn{};
  ((Index == wanted ? void(scheme = std::variant_alternative_t<Index, AnyScheme>::read(section, context)) : void()),
   ...);
  return scheme;
}

constexpr auto alternatives = std::make_index_sequence<std::variant_size_v<AnyScheme>>{};

} // namespace

const std::vector<SchemeFacts>& all_schemes() {
  static const std::vector<SchemeFacts> facts = facts_of_all(alternatives);
  return facts;
}

AnyScheme read_scheme(core::Settings& section, const SchemeContext& context) {
  std::vector<std::string> names;
  for (const SchemeFacts& facts : all_schemes())
    names.push_back(facts.name);
  const std::string word = section.text("name");
  std::size_t index = names.size();
  for (std::size_t i = 0; i < names.size(); ++i)
    if (word == names[i] || word == all_schemes()[i].alias)
      index = i;
  if (index == names.size())
    section.refuse("name", "there is no scheme '" + word + "'",
                   core::suggestion(word, names) + " (all: " + core::listed(names) + ")");
  section.record("name", core::Value(names[index]), false);
  for (std::size_t i = 0; i < names.size(); ++i)
    for (const OptionHelp& option : all_schemes()[i].options)
      if (i != index)
        section.foreign(std::string(option.key),
                        "is an option of scheme " + names[i] + ", and this study's scheme is " + names[index]);
  return read_alternative(index, section, context, alternatives);
}

std::string_view name_of(const AnyScheme& scheme) {
  return std::visit([]<class Scheme>(const Scheme&) { return Scheme::name; }, scheme);
}

std::string_view equation_of(const AnyScheme& scheme) {
  return std::visit([]<class Scheme>(const Scheme&) { return Scheme::equation; }, scheme);
}

std::string_view layer_map_of(const AnyScheme& scheme) {
  return std::visit([]<class Scheme>(const Scheme&) { return Scheme::layer_map; }, scheme);
}

bool has_radius(const AnyScheme& scheme) {
  return std::visit([](const auto& s) { return s.has_radius(); }, scheme);
}

} // namespace normdyn::schemes

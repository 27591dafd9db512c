#include "claim_json.hpp"

namespace normdyn::cli {
namespace {

using nlohmann::ordered_json;
using theorems::Claim;
using theorems::Evidence;
using theorems::Examination;

ordered_json to_json(const Evidence& evidence) {
  return {{"quantity", evidence.quantity},
          {"kind", kind_name(evidence.kind)},
          {"verdict", verdict_name(evidence.verdict)},
          {"predicted", evidence.predicted},
          {"measured", evidence.measured},
          {"low", evidence.low},
          {"high", evidence.high},
          {"allowance", evidence.allowance},
          {"n_runs", evidence.n_runs},
          {"n_exceptions", evidence.n_exceptions},
          {"n_unfinished", evidence.n_unfinished},
          {"text", evidence.text}};
}

ordered_json to_json(const report::Axis& axis) {
  return {{"label", axis.label}, {"is_logarithmic", axis.is_logarithmic}};
}

ordered_json to_json(const report::Figure& figure) {
  ordered_json curves = ordered_json::array();
  for (const report::Curve& curve : figure.curves)
    curves.push_back({{"name", curve.name}, {"style", style_name(curve.style)}, {"x", curve.x}, {"y", curve.y}});
  return {{"name", figure.name},
          {"title", figure.title},
          {"x", to_json(figure.x)},
          {"y", to_json(figure.y)},
          {"curves", std::move(curves)}};
}

ordered_json to_json(const Examination& examination) {
  ordered_json one = claim_json(*examination.claim);
  one["verdict"] = verdict_name(examination.verdict);
  one["seconds"] = examination.seconds;
  one["evidence"] = ordered_json::array();
  for (const Evidence& evidence : examination.findings.evidence)
    one["evidence"].push_back(to_json(evidence));
  one["figures"] = ordered_json::array();
  for (const report::Figure& figure : examination.findings.figures)
    one["figures"].push_back(to_json(figure));
  return one;
}

} // namespace

ordered_json claim_json(const Claim& claim) {
  return {{"id", claim.id},
          {"aliases", claim.aliases},
          {"title", claim.title},
          {"source", claim.source},
          {"statement", claim.statement},
          {"hypotheses", claim.hypotheses},
          {"citations", claim.citations},
          {"control", claim.control_text},
          {"is_quick", claim.is_quick},
          {"is_of_paper", claim.is_of_paper},
          {"cost_seconds", claim.cost_seconds}};
}

ordered_json dossier_json(const theorems::Dossier& dossier, int exit_code) {
  ordered_json out{
      {"normdyn_version", dossier.version}, {"command", dossier.command},      {"seed", dossier.seed},
      {"of_controls", dossier.of_controls}, {"n_asked", dossier.asked.size()}, {"summary", tally_text(dossier)},
      {"seconds", total_seconds(dossier)},  {"exit_code", exit_code}};
  out["claims"] = ordered_json::array();
  for (const Examination& examination : dossier.examinations)
    out["claims"].push_back(to_json(examination));
  return out;
}

} // namespace normdyn::cli

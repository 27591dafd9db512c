#include "normdyn/experiment/study.hpp"

#include "experiment/small_study.hpp"
#include "normdyn/core/error.hpp"
#include "support/capture.hpp"

#include <boost/test/unit_test.hpp>

using namespace normdyn;
using namespace normdyn::experiment;
using namespace normdyn::test;

namespace {

std::string refusal(const std::vector<std::string>& set, const std::string& text = small_study) {
  const ScratchFolder folder;
  return message_of<core::InputError>([&] { (void)study_in(folder, set, text); });
}

} // namespace

BOOST_AUTO_TEST_SUITE(experiment)

BOOST_AUTO_TEST_CASE(a_study_holds_what_its_sections_say) {
  const ScratchFolder folder;
  const Study study = study_in(folder);
  BOOST_TEST(study.seed == 5u);
  BOOST_TEST(study.initial.n_tokens == 6u);
  BOOST_TEST(study.initial.dim == 3u);
  BOOST_TEST(study.scheme == "post_ln");
  BOOST_TEST(study.label == "post_ln");
  BOOST_TEST(study.model.beta(1.5) == 2.0);
  BOOST_TEST(study.time.span.begin == 0.0);
  BOOST_TEST(study.time.span.end == 3.0);
  BOOST_TEST(!study.time.in_layers);
  BOOST_TEST(study.plan.states.times().size() == 4u);
  BOOST_TEST(study.plan.series.times().size() == 7u);
  BOOST_TEST(study.plan.observables.size() == 3u);
  BOOST_TEST(study.output.path == folder.file("run.h5"));
  BOOST_TEST(study.inputs.empty());
}

BOOST_AUTO_TEST_CASE(resolved_holds_defaults_and_changed_does_not) {
  const ScratchFolder folder;
  const Study study = study_in(folder, {"solver.rtol=1e-8", "solver.atol=1e-7"});
  const core::Value *all = study.resolved.find("solver"), *changed = study.changed.find("solver");
  BOOST_REQUIRE(all);
  BOOST_REQUIRE(changed);
  BOOST_TEST(all->find("method")->text() == "dop853");
  BOOST_TEST(all->find("rtol")->number() == 1e-8);
  BOOST_TEST(changed->find("atol")->number() == 1e-7);
  BOOST_TEST(!changed->find("method"));
  BOOST_TEST(!changed->find("rtol")); // written, but the default
}

BOOST_AUTO_TEST_CASE(a_kernel_that_cannot_take_the_study_is_refused_by_name) {
  for (const std::string kernel : {"direct", "small_d", "tiles", "harmonics"}) {
    const ScratchFolder folder;
    BOOST_TEST(kernel_in_use(study_in(folder, {"solver.kernel=" + kernel})).substr(0, kernel.size()) == kernel);
  }
  const std::string message = refusal({"solver.kernel=fourier"}); // of three components
  BOOST_TEST(message.find("solver.kernel") != std::string::npos, message);
  BOOST_TEST(message.find("'fourier' cannot take") != std::string::npos, message);
  BOOST_TEST(message.find("\"auto\"") != std::string::npos, message);
  BOOST_TEST(refusal({"solver.kernel=small_d", "initial.dim=16"}).find("it would be 'direct'") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(formulas_know_what_earlier_sections_define) {
  const ScratchFolder folder;
  const Study study = study_in(folder, {"attention.beta=n/d", "time.end=10*beta"});
  BOOST_TEST(study.model.beta(0.0) == 2.0);
  BOOST_TEST(study.time.span.end == 20.0);
}

BOOST_AUTO_TEST_CASE(layers_set_the_span_and_refuse_a_solver) {
  const ScratchFolder folder;
  const std::vector<std::string> set{"time.mode=layers", "time.layers=8", "time.step=0.5"};
  std::string text = small_study;
  text.erase(text.find("states ="));
  BOOST_TEST(contains(refusal(set, text), "time.end"));
  text.erase(text.find("end = 3.0\n"), 10);
  const Study study = study_in(folder, set, text);
  BOOST_TEST(study.time.in_layers);
  BOOST_TEST(study.time.n_layers == 8);
  BOOST_TEST(study.time.span.end == 4.0);
  BOOST_TEST((study.solve.method == integrate::Method::layers));
  BOOST_TEST(study.plan.states.every_steps() == 1);

  std::vector<std::string> with_solver = set;
  with_solver.push_back("solver.rtol=1e-6");
  BOOST_TEST(contains(refusal(with_solver, text), "no solver"));
}

BOOST_AUTO_TEST_CASE(breakpoints_are_those_inside_the_span) {
  const ScratchFolder folder;
  const auto set = [](const char* tau) {
    return std::vector<std::string>{"scheme.name=mix_ln", std::string("scheme.tau=") + tau};
  };
  BOOST_TEST(breakpoints(study_in(folder, set("1.25"))) == std::vector<double>{1.25}, boost::test_tools::per_element());
  BOOST_TEST(breakpoints(study_in(folder, set("3.0"))).empty());
  BOOST_TEST(breakpoints(study_in(folder)).empty());
}

BOOST_AUTO_TEST_CASE(keys_that_nobody_read_are_refused_with_their_place) {
  const std::string text = refusal({}, std::string(small_study) + "recrod = [\"clock\"]\n");
  BOOST_TEST(contains(text, "study.toml:17: output.recrod"));
  BOOST_TEST(contains(text, "'record'"));
  BOOST_TEST(contains(refusal({"scheme.tau=1"}), "mix_ln"));
}

BOOST_AUTO_TEST_CASE(the_output_is_named_by_the_case_and_is_no_input) {
  const ScratchFolder folder;
  const auto config = config_in(folder, {"output.file=runs/{scheme}-{label}.h5", "scheme.label=a/b"});
  BOOST_TEST(study_of(config).output.path == folder.file("runs/post_ln-a_b.h5"));
  BOOST_TEST(study_of(config, {.output = "here-{scheme}.h5"}).output.path == "here-post_ln.h5");
  BOOST_TEST(contains(refusal({"output.file=of-{shceme}.h5"}), "scheme"));
  BOOST_TEST(contains(refusal({"output.file=study.toml"}), "is an input of this study"));
}

BOOST_AUTO_TEST_CASE(inputs_are_named_as_written_and_hashed) {
  const ScratchFolder folder;
  folder.write("tokens.csv", "1,0\n0,1\n");
  std::string text = small_study;
  const std::string uniform = "kind = \"uniform\"\ntokens = 6\ndim = 3";
  text.replace(text.find(uniform), uniform.size(), "kind = \"file\"\nfile = \"tokens.csv\"");
  const Study study = study_in(folder, {}, text);
  BOOST_REQUIRE(study.inputs.size() == 1u);
  BOOST_TEST(study.inputs[0].key == "initial.file");
  BOOST_TEST(study.inputs[0].path == "tokens.csv");
  // sha256sum of the eight bytes
  BOOST_TEST(study.inputs[0].sha256 == "28d9679320141cb843249a311e9cbd982b4155c8d857a7c1a1d9a40d9c21531f");
}

BOOST_AUTO_TEST_CASE(unnormalized_scores_that_overflow_are_refused) {
  BOOST_TEST(contains(refusal({"attention.kind=unnormalized", "attention.beta=800"}), "attention.beta"));
  BOOST_TEST(refusal({"attention.kind=unnormalized", "attention.beta=600"}) == "");
  BOOST_TEST(refusal({"attention.beta=800"}) == "");
}

BOOST_AUTO_TEST_CASE(float32_kernels_are_taken_where_tolerances_allow_and_named) {
  const ScratchFolder folder;
  const std::string float32 = "solver.kernel_precision=float32";
  BOOST_TEST((study_in(folder).model.attention.precision == attention::Precision::float64));
  BOOST_TEST(kernel_in_use(study_in(folder)) == "small_d");
  const Study study = study_in(folder, {float32, "solver.rtol=1e-7"});
  BOOST_TEST((study.model.attention.precision == attention::Precision::float32));
  BOOST_TEST(kernel_in_use(study) == "small_d, float32");
  BOOST_TEST(study.changed.find("solver")->find("kernel_precision")->text() == "float32");
  BOOST_TEST(kernel_in_use(study_in(folder, {float32, "solver.rtol=1e-6", "solver.kernel=tiles"})) == "tiles, float32");
  const Study fixed = study_in(folder, {float32, "solver.method=rk4", "solver.step=0.1"}); // no tolerance to miss
  BOOST_TEST(kernel_in_use(fixed) == "small_d, float32");
}

BOOST_AUTO_TEST_CASE(float32_is_refused_where_it_cannot_keep_what_is_asked_for) {
  const std::string float32 = "solver.kernel_precision=float32";
  const std::string by_default = refusal({float32});
  BOOST_TEST(contains(by_default, "solver.kernel_precision"));
  BOOST_TEST(contains(by_default, "rtol = 1e-08"));
  BOOST_TEST(contains(by_default, "float64"));
  BOOST_TEST(contains(by_default, "rtol >= 1e-07"));
  BOOST_TEST(contains(refusal({float32, "solver.rtol=9e-8"}), "rtol = 9e-08"));
  BOOST_TEST(contains(refusal({float32, "solver.rtol=1e-6", "solver.radius_rtol=1e-9"}), "radius_rtol = 1e-09"));
  BOOST_TEST(contains(refusal({float32, "solver.rtol=1e-6", "solver.error_scale=spread"}), "spread"));
  for (const std::string kernel : {"direct", "fourier", "harmonics"}) {
    const std::string text = refusal({float32, "solver.rtol=1e-6", "solver.kernel=" + kernel});
    BOOST_TEST(contains(text, "kernel '" + kernel + "'"));
    BOOST_TEST(contains(text, "tiles"));
  }
  BOOST_TEST(contains(refusal({"solver.kernel_precision=float16"}), "float16"));
}

BOOST_AUTO_TEST_SUITE_END()

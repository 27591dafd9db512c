"""Every kind of wrong input is refused before anything is computed, naming key, value, place and the nearest valid choice."""

import unittest

from program import SMALL, SOURCE, ProgramTest


def changed(*changes):
    text = SMALL
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


GRIDS = 'states = { spacing = "linear", count = 4 }\nobservables = { spacing = "linear", count = 7 }\n'


class BadInput(ProgramTest):
    def refuse(self, text, *says, code=2):
        self.write(text)
        result = self.refused("run", "study.toml", code=code, says=says)
        self.assertLess(result.cpu_seconds, 1.0)
        self.assertLess(result.seconds, 5.0)  # on a machine that does other things too
        self.assertFalse((self.folder / "run.h5").exists())

    # keys
    def test_misspelt_section(self):
        self.refuse(changed(("[attention]", "[atention]")), "study.toml:7", "atention", "'attention'")

    def test_misspelt_key(self):
        self.refuse(changed(("beta = 2.0", "bta = 2.0")), "study.toml:8", "attention.bta", "'beta'")

    def test_misspelt_key_in_a_table(self):
        self.refuse(changed(("count = 4", "cuont = 4")), "study.toml:15", "output.states.count", "'cuont'")

    def test_unknown_key_at_the_root(self):
        self.refuse("sede = 1\n" + SMALL, "study.toml:1", "sede", "'seed'")

    def test_misspelt_solver_key(self):
        self.refuse(changed(("[output]", "[solver]\nrtoll = 1e-6\n[output]")), "solver.rtoll", "'rtol'")

    def test_key_given_twice(self):
        self.refuse(changed(("beta = 2.0", "beta = 2.0\nbeta = 3.0")), "study.toml:9", "beta")

    def test_option_of_another_scheme(self):
        self.refuse(changed(('"post_ln"', '"post_ln"\ntau = 1.0')), "scheme.tau", "mix_ln", "post_ln")

    def test_scheme_as_a_text(self):
        self.refuse('scheme = "preln"\n' + changed(('[scheme]\nname = "post_ln"\n', "")), "study.toml:1", "scheme", "preln")

    def test_misspelt_scheme(self):
        self.refuse(changed(('"post_ln"', '"preln"')), "scheme.name", "preln", "'pre_ln'")

    def test_misspelt_choice(self):
        self.refuse(changed(("beta = 2.0", 'mask = "casual"')), "attention.mask", "casual", "'causal'")

    def test_misspelt_observable(self):
        self.refuse(changed(('"mean_cosine"', '"mean_cosin"')), "record", "mean_cosin", "'mean_cosine'")

    def test_misspelt_law(self):
        self.refuse(changed(('"uniform"', '"unifrom"')), "initial.kind", "unifrom", "'uniform'")

    def test_misspelt_key_in_set(self):
        self.write(SMALL)
        self.refused("run", "study.toml", "--set", "attention.bta=3", says=["--set attention.bta=3", "'beta'"])

    def test_misspelt_key_in_the_environment(self):
        self.write(SMALL)
        self.refused("run", "study.toml", env={"NORMDYN_ATTENTION__BTA": "3"}, says=["NORMDYN_ATTENTION__BTA", "'beta'"])

    # values
    def test_wrong_type(self):
        self.refuse(changed(("end = 3.0", "end = true")), "study.toml:12", "time.end", "true")

    def test_text_where_a_number_belongs(self):
        self.refuse(changed(("end = 3.0", 'end = "1e-8x"')), "time.end", "1e-8x", "^")

    def test_nan_and_infinity(self):
        for word in ("nan", "inf", "-inf"):
            self.refuse(changed(("beta = 2.0", f"beta = {word}")), "attention.beta", word)
            self.refuse(changed(("end = 3.0", f"end = {word}")), "time.end", word)

    def test_no_tokens(self):
        self.refuse(changed(("tokens = 6", "tokens = 0")), "initial.tokens", "0")

    def test_negative_tolerance(self):
        self.refuse(changed(("[output]", "[solver]\nrtol = -1e-8\n[output]")), "solver.rtol", "-1e-08")

    def test_end_before_begin(self):
        self.refuse(changed(("end = 3.0", "begin = 5.0\nend = 3.0")), "time.end", "3", "5")

    def test_negative_tau(self):
        self.refuse(changed(('"post_ln"', '"mix_ln"\ntau = -1.0')), "scheme.tau", "-1")

    def test_negative_alpha(self):
        self.refuse(changed(('"post_ln"', '"ngpt"\nalpha = -0.5')), "scheme.alpha", "-0.5")

    def test_orthogonal_with_more_tokens_than_dimensions(self):
        self.refuse(changed(('"uniform"', '"orthogonal"')), "initial", "6", "3")

    def test_impossible_common_angle(self):
        self.refuse(changed(('"uniform"', '"equiangular"\ngamma0 = -0.5'), ("dim = 3", "dim = 8")), "gamma0", "-0.5")

    def test_explicit_tokens_far_from_the_sphere(self):
        self.refuse(changed(('kind = "uniform"\ntokens = 6\ndim = 3', 'kind = "explicit"\ntheta = [[1.0, 0.1], [0.0, 1.0]]')),
                    "initial.theta")

    def test_a_zero_token(self):
        self.refuse(changed(('kind = "uniform"\ntokens = 6\ndim = 3', 'kind = "explicit"\ntheta = [[0.0, 0.0], [0.0, 1.0]]')),
                    "initial.theta")

    def test_negative_radius(self):
        self.refuse(changed(("dim = 3", "dim = 3\nnorms = -1.0"), ('"post_ln"', '"pre_ln"')), "initial.norms", "-1")

    def test_formula_with_a_fault_shows_a_caret(self):
        self.refuse(changed(('"post_ln"', '"formula"\ns = "r^^2"')), "scheme.s", "r^^2", "^\n")

    def test_formula_with_an_unknown_name(self):
        self.refuse(changed(('"post_ln"', '"formula"\ns = "norm_a + 1"')), "scheme.s", "norm_a", "'norm_A'")

    def test_jump_off_the_layers(self):
        self.refuse(changed(('"post_ln"', '"mix_ln"\ntau = 0.35'), ("end = 3.0", 'mode = "layers"\nlayers = 9\nstep = 0.1'),
                            (GRIDS, "")),
                    "scheme", "0.35", "0.1")

    def test_options_of_the_other_mode(self):
        self.refuse(changed(("end = 3.0", "end = 3.0\nlayers = 3")), "time.layers", "flow")
        self.refuse(changed(("end = 3.0", 'mode = "layers"\nlayers = 3\nend = 3.0'), (GRIDS, "")), "time.end", "layers")

    def test_cartesian_variables_without_radii(self):
        self.refuse(changed(("[output]", '[solver]\nvariables = "cartesian"\n[output]')), "solver.variables", "post_ln")

    def test_unnormalized_scores_that_overflow(self):
        self.refuse(changed(("beta = 2.0", 'beta = 800.0\nkind = "unnormalized"')), "attention.beta", "800")

    def test_name_pattern_with_an_unknown_name(self):
        self.refuse(changed(('"run.h5"', '"run-{schme}.h5"')), "output.file", "schme", "'scheme'")

    # features of later versions
    def test_ensembles_and_stores_are_refused_by_name(self):
        self.refuse(SMALL + "[ensemble]\nmembers = 3\n", "[ensemble]", "not available in this version")
        for name, missing in (("phase-circle", ["[ensemble]", "output.store", "output.quantiles"]),
                              ("random-layers", ["[ensemble]", "output.store"])):
            self.write((SOURCE / "tests" / "apps" / f"{name}.toml").read_text())
            self.refused("run", "study.toml", says=missing + ["not available in this version"])

    # values that no study means
    def test_dates_are_refused_with_their_key(self):
        self.refuse(changed(("beta = 2.0", "beta = 1979-05-27")), "study.toml:8", "attention.beta", "1979-05-27")

    def test_a_section_where_a_value_belongs(self):
        self.refuse(changed(("beta = 2.0", "mask = { a = 1 }")), "attention.mask", "a text in quotes")

    def test_sizes_beyond_any_machine(self):
        self.refuse(changed(("tokens = 6", "tokens = 1000000000000")), "initial.tokens")
        self.refuse(changed(("count = 4", "count = 1000000000000")), "output.states.count", "1000000000000")
        self.refuse(SMALL + "[sweep]\nseed = { from = 0, to = 1, count = 1000000000000 }\n", "sweep.seed.count")

    def test_long_values_are_quoted_in_part(self):
        self.write(changed(("beta = 2.0", "beta = [" + "1.0, " * 5000 + "2.0]")))
        result = self.refused("run", "study.toml", says=["attention.beta", "[1.0, 1.0", "..."], lines=1)
        self.assertLess(len(result.err), 600)

    def test_values_do_not_steer_the_terminal(self):
        self.write(changed(('"post_ln"', '"\\u001b[2J\\u0007\\n"')))
        result = self.refused("run", "study.toml", says=["scheme.name"])
        self.assertNotRegex(result.err, "[\x1b\x07]")

    def test_odd_texts(self):
        for text in ("", " ", "\\n", "\u00fc\u221e", "x" * 3000):
            self.refuse(changed(('"post_ln"', f'"{text}"')), "scheme.name")
            self.refuse(changed(("beta = 2.0", f'beta = "{text}"')), "attention.beta")

    def test_nan_in_lists_and_tables(self):
        self.refuse(changed(('{ spacing = "linear", count = 4 }', "[0.0, nan]")), "output.states", "nan")
        self.refuse(changed(("beta = 2.0", "beta = { times = [0.0, nan], values = [1.0, 2.0] }")), "times", "nan")
        self.refuse(changed(('kind = "uniform"\ntokens = 6\ndim = 3', 'kind = "explicit"\ntheta = [[1.0, nan], [0.0, 1.0]]')),
                    "initial.theta", "nan")

    def test_a_mark_of_byte_order_and_windows_line_ends_are_fine(self):
        (self.folder / "study.toml").write_bytes(b"\xef\xbb\xbf" + SMALL.replace("\n", "\r\n").encode())
        self.succeed("run", "study.toml")

    def test_bytes_that_are_no_text(self):
        (self.folder / "study.toml").write_bytes(bytes(range(256)) * 20)
        self.refused("run", "study.toml", says=["study.toml"])

    # files
    def test_missing_config(self):
        self.refused("run", "nothing.toml", code=4, says=["nothing.toml"])

    def test_folder_as_config(self):
        self.refused("run", ".", code=4, says=["is a folder"])

    def test_no_toml(self):
        self.refuse(changed(("end = 3.0", "end = 1,5e-8")), "study.toml:12", "end = 1,5e-8")

    def test_missing_input(self):
        self.refuse(changed(('kind = "uniform"\ntokens = 6\ndim = 3', 'kind = "file"\nfile = "no.h5:/x"')), "no.h5", code=4)

    def test_input_that_is_no_hdf5(self):
        self.write("plain text\n", "text.h5")
        self.refuse(changed(('kind = "uniform"\ntokens = 6\ndim = 3', 'kind = "file"\nfile = "text.h5:/x"')), "text.h5", code=4)

    def test_dataset_that_is_not_there(self):
        glove = SOURCE / "data" / "glove-1024x100.h5"
        self.refuse(changed(('kind = "uniform"\ntokens = 6\ndim = 3', f'kind = "file"\nfile = "{glove}:/y"')), "glove-1024x100.h5", "'y'", "'x'", code=4)

    def test_input_as_output(self):
        self.write("1,0\n0,1\n", "x.csv")
        self.write(changed(('kind = "uniform"\ntokens = 6\ndim = 3', 'kind = "file"\nfile = "x.csv"'), ('"run.h5"', '"x.csv"')))
        self.refused("run", "study.toml", "--overwrite", says=["x.csv", "input"])
        self.assertEqual((self.folder / "x.csv").read_text(), "1,0\n0,1\n")

    # the command line
    def test_unknown_verb(self):
        self.refused("rnu", "study.toml", says=["'rnu'", "'run'"])

    def test_unknown_option(self):
        self.write(SMALL)
        self.refused("run", "study.toml", "--overwirte", says=["--overwirte", "'--overwrite'"])

    def test_options_that_are_alike_in_nothing_are_not_proposed(self):
        self.write(SMALL)
        result = self.refused("run", "study.toml", "--xyzq", says=["'--xyzq'", "normdyn run --help"])
        self.assertNotIn("did you mean", result.err)

    def test_empty_values(self):
        self.write(SMALL)
        self.refused("run", "study.toml", "--output", "", says=["--output", "empty"])
        self.refused("run", "", says=["empty"])

    def test_a_run_file_as_config(self):
        self.write(SMALL)
        self.succeed("run", "study.toml")
        self.refused("run", "run.h5", says=["run.h5", "--from run.h5"])

    def test_keys_in_the_environment_with_one_underscore(self):
        self.write(SMALL)
        for name, right in (("NORMDYN_SEED", "NORMDYN__SEED"), ("NORMDYN_ATTENTION_BETA", "NORMDYN_ATTENTION__BETA")):
            self.refused("run", "study.toml", env={name: "3"}, says=[name, right])
        self.succeed("run", "study.toml", env={"NORMDYN_DATA_DIR": "/data"})

    def test_integers_that_do_not_fit(self):
        self.refuse(changed(("seed = 5", 'seed = "18446744073709551615"')), "seed", "is above 9223372036854775807")
        self.refuse(changed(("tokens = 6", "tokens = 1e18")), "initial.tokens", "1e+18 is above")

    def test_numbers_that_are_empty_or_too_large(self):
        self.refuse(changed(("beta = 2.0", 'beta = "1e400"')), "attention.beta", "too large for a number")
        self.refuse(changed(("beta = 2.0", 'beta = ""')), "attention.beta", "is empty")

    def test_a_solver_key_that_is_only_looked_for_is_proposed(self):
        self.refuse(SMALL + "[solver]\nfirst_stp = 1\n", "solver.first_stp", "'first_step'")

    def test_tables_and_reports_as_run_files(self):
        self.write(SMALL.replace('kind = "uniform"', 'kind = "orthogonal"').replace("dim = 3", "dim = 6"))
        self.succeed("reduced", "study.toml", "--output", "table.h5", "--quiet")
        self.refused("inspect", "table.h5", code=4, says=["table.h5", "normdyn reduced", "--rates"])
        self.succeed("reproduce", "NA-1", "--out", "report")
        self.refused("inspect", "report/reproduce.h5", code=4, says=["report", "normdyn reproduce"])

    def test_no_study(self):
        self.refused("run", says=["no study"])

    def test_a_study_and_a_run(self):
        self.refused("run", "a.toml", "--from", "b.h5", says=["--from"])

    def test_surplus_argument(self):
        self.write(SMALL)
        self.refused("run", "study.toml", "other.toml", says=["other.toml"])

    def test_no_verb(self):
        result = self.normdyn()
        self.assertEqual(result.code, 2)
        self.assertIn("Verbs:", result.err)


if __name__ == "__main__":
    unittest.main()

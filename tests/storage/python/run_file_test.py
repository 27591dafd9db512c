"""Run files as others see them: h5py, xarray with both engines, h5dump, h5repack.

The sample is written by write_sample (environment variable NORMDYN_WRITE_SAMPLE); its numbers are those of
sample_run.hpp, computed here again.
"""
import os
import subprocess
import tempfile
import unittest
import warnings

import h5py
import numpy as np
import xarray

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # Debian's netCDF4 complains about numpy's age when it is imported
    import netCDF4  # noqa: F401

LABEL = "beta=\u221e \u00fc \u6f22\u5b57"
SCALARS = {"scheme", "label", "beta", "n_tokens", "dim", "member", "seed"}


def theta(k):
    angle = 0.25 * k[:, None] + np.arange(2)
    return np.stack([0.8 * np.cos(angle), 0.8 * np.sin(angle), np.full_like(angle, 0.6)], axis=-1)


# name: (dimensions, type), as xarray shows them; integers with a missing value become float64 there.
SHARED = {
    "theta": (("time", "token", "component"), "f8"),
    "radius": (("time", "token"), "f8"),
    "step": (("time",), "i8"),
    "wall_time": (("time",), "f8"),
    "mean_cosine": (("time",), "f8"),
    "n_clusters": (("time",), "f8"),
    "cosine_histogram": (("time", "cosine_bin"), "f8"),
    "cosine_bin_bounds": (("cosine_bin", "bnds"), "f8"),
}
OWN = {
    "theta": (("time", "token", "component"), "f8"),
    "radius": (("time", "token"), "f8"),
    "wall_time": (("time",), "f8"),
    "mean_cosine": (("observable_time",), "f8"),
    "n_clusters": (("observable_time",), "f8"),
    "cosine_histogram": (("observable_time", "cosine_bin"), "f8"),
    "cosine_bin_bounds": (("cosine_bin", "bnds"), "f8"),
}
BARE = {
    "theta": (("time", "token", "component"), "f8"),
    "step": (("time",), "i8"),
    "wall_time": (("time",), "f8"),
    "mean_cosine": (("time",), "f8"),
    "n_clusters": (("time",), "f8"),
}
COORDINATES = {
    "shared": SCALARS | {"time", "token", "component", "cosine_bin", "bnds", "token_label"},
    "own": SCALARS | {"time", "observable_time", "layer", "observable_layer", "token", "component", "cosine_bin",
                      "bnds", "token_label"},
    "bare": SCALARS | {"time", "token", "component"},
}
# As HDF5 holds them.
STORED_TYPES = {"theta": "<f8", "radius": "<f8", "step": "<i8", "wall_time": "<f8", "n_clusters": "<i4",
                "cosine_histogram": "<i8", "seed": "<u8", "beta": "<f8", "n_tokens": "<i8", "token": "<i8"}
GROUPS = {"initial": {"theta0", "radius0"}, "events": {"t", "name", "value"}, "parameters": {"from"},
          "inputs": {"key", "path", "sha256"}, "provenance": {"config", "config_source", "command_line"}}


class RunFile(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        subprocess.run([os.environ["NORMDYN_WRITE_SAMPLE"], cls.scratch.name], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def path(self, name):
        return os.path.join(self.scratch.name, name + ".h5")

    def open_without_warnings(self, name, **options):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return xarray.open_dataset(self.path(name), **options)

    def test_xarray_opens_every_file_with_both_engines_and_no_options(self):
        for name, table in (("shared", SHARED), ("own", OWN), ("bare", BARE)):
            for options in ({}, {"engine": "netcdf4"}, {"engine": "h5netcdf"}):
                with self.subTest(file=name, options=options), self.open_without_warnings(name, **options) as data:
                    found = {key: (value.dims, value.dtype) for key, value in data.data_vars.items()}
                    self.assertEqual(found, {key: (dims, np.dtype(kind)) for key, (dims, kind) in table.items()})
                    self.assertEqual(set(data.coords), COORDINATES[name])

    def test_both_engines_see_the_same(self):
        for name in ("shared", "own", "bare"):
            with self.open_without_warnings(name, engine="netcdf4") as one, \
                    self.open_without_warnings(name, engine="h5netcdf") as other:
                xarray.testing.assert_equal(one.load(), other.load())

    def test_numbers_are_those_that_were_written(self):
        k = np.arange(5)
        with self.open_without_warnings("shared") as data:
            np.testing.assert_array_equal(data.time, 0.125 * k)
            np.testing.assert_allclose(data.theta, theta(k), rtol=1e-15)
            np.testing.assert_allclose((data.theta**2).sum("component"), 1.0, rtol=1e-15)
            np.testing.assert_array_equal(data.radius, 1.0 + np.arange(2) + 0.5 * k[:, None])
            np.testing.assert_array_equal(data.step, 10 * k)
            np.testing.assert_array_equal(data.mean_cosine, np.where(k == 3, np.nan, 1 / (1 + k)))
            np.testing.assert_array_equal(data.n_clusters, np.where(k == 3, np.nan, 2 + k))
            np.testing.assert_array_equal(data.cosine_histogram, k[:, None] * np.arange(1, 5))
            np.testing.assert_array_equal(data.cosine_bin_bounds[1], [-0.5, 0.0])
            self.assertEqual(data.beta, 4.5)
            self.assertEqual(int(data.seed), 2**64 - 1)
            self.assertEqual(str(data.scheme.values), "pre_ln")
            self.assertEqual(data.n_clusters.attrs["threshold"], 0.25)
        with self.open_without_warnings("own") as data:
            self.assertEqual(data.sizes["time"], 5)
            self.assertEqual(data.sizes["observable_time"], 10)
            np.testing.assert_array_equal(data.mean_cosine.observable_layer[:4], [0, 5, 10, 15])

    def test_members_of_an_ensemble_concatenate(self):
        with self.open_without_warnings("shared") as data:
            both = xarray.concat([data, data.assign_coords(member=4)], "member")
            self.assertEqual(both.mean_cosine.dims, ("member", "time"))

    def test_each_group_opens_by_itself(self):
        for name in ("shared", "own", "bare"):
            for engine in ("netcdf4", "h5netcdf"):
                for group, variables in GROUPS.items():
                    with self.subTest(file=name, engine=engine, group=group), \
                            self.open_without_warnings(name, engine=engine, group=group) as data:
                        self.assertEqual(set(data.data_vars), variables)
                with self.open_without_warnings(name, engine=engine, group="initial") as data:
                    self.assertEqual(data.theta0.dims, ("token", "component"))
                    self.assertEqual(set(data.coords), {"token", "component"})
        with self.open_without_warnings("shared", group="parameters/piece_1") as data:
            self.assertEqual(data["query"].dims, ("row", "column"))
            self.assertEqual(float(data["query"][0, 1]), 2.0)
            self.assertEqual(data.attrs["from"], 0.25)

    def test_events_exist_with_all_columns_when_there_are_none(self):
        with self.open_without_warnings("bare", group="events") as data:
            self.assertEqual(data.sizes["event"], 0)
        with self.open_without_warnings("shared", group="events") as data:
            np.testing.assert_array_equal(data.t, [0.25, 0.375])
            self.assertEqual(list(data.name.values), ["merge", "max_angle < 1e-6"])

    def test_texts_are_str_and_equal(self):
        with h5py.File(self.path("shared")) as file:
            self.assertEqual(file["label"].asstr()[()], LABEL)
            self.assertEqual(file.attrs["title"], LABEL)
            self.assertEqual(list(file["token_label"].asstr()), ["\u6f220", ""])
            self.assertEqual(file["provenance/config"].asstr()[()], "c" * 70000)
            self.assertEqual(file["initial"].attrs["note"], "")
            self.assertEqual(file.attrs["status"], b"completed")
            self.assertEqual(list(file.attrs["schema_version"]), [1, 0])
            self.assertEqual(file.attrs["frames_valid"], 5)
            self.assertEqual(file.attrs["series_valid"], 5)
        for engine in ("netcdf4", "h5netcdf"):
            with self.open_without_warnings("shared", engine=engine) as data:
                self.assertEqual(str(data.label.values), LABEL)
                self.assertEqual(data.attrs["title"], LABEL)
                self.assertEqual(list(data.token_label.values), ["\u6f220", ""])

    def test_stored_types_and_shapes(self):
        with h5py.File(self.path("shared")) as file:
            self.assertEqual(file["theta"].shape, (5, 2, 3))
            self.assertEqual(file["theta"].maxshape, (None, 2, 3))
            self.assertEqual(file["theta"].chunks, (32, 1, 3))
            for name, kind in STORED_TYPES.items():
                self.assertEqual(file[name].dtype, np.dtype(kind), name)
            self.assertTrue(np.isnan(file["theta"].fillvalue))

    def test_no_type_that_some_reader_cannot_read(self):
        """The table of docs/file-format.md, walked with the HDF5 API."""
        def check_type(where, kind, is_attribute):
            names = {h5py.h5t.INTEGER, h5py.h5t.FLOAT, h5py.h5t.STRING}
            self.assertIn(kind.get_class(), names, where)
            if kind.get_class() == h5py.h5t.STRING:
                self.assertTrue(kind.is_variable_str() or is_attribute, where)
                self.assertEqual(kind.get_cset(), h5py.h5t.CSET_UTF8, where)
            else:
                self.assertLessEqual(kind.get_size(), 8, where)
                self.assertEqual(kind.get_order(), h5py.h5t.ORDER_LE, where)

        def visit(name, thing):
            for key in thing.attrs:
                if key in ("DIMENSION_LIST", "REFERENCE_LIST", "CLASS", "NAME"):
                    continue  # of the dimension scales: HDF5's own types, which every reader knows
                check_type(f"{name}@{key}", h5py.h5a.open(thing.id, key.encode()).get_type(), True)
            if isinstance(thing, h5py.Dataset):
                check_type(name, thing.id.get_type(), False)
                self.assertNotEqual(thing.id.get_space().get_simple_extent_type(), h5py.h5s.NULL, name)
                for axis, dimension in enumerate(thing.dims):
                    is_scale = h5py.h5ds.is_scale(thing.id)
                    self.assertEqual(len(dimension), 0 if is_scale else 1, f"{name}, axis {axis}")

        for name in ("shared", "own", "bare"):
            with h5py.File(self.path(name)) as file:
                visit("/", file)
                file.visititems(visit)

    def test_h5dump_and_h5repack(self):
        for name in ("shared", "own", "bare"):
            text = subprocess.run(["h5dump", self.path(name)], check=True, capture_output=True, text=True)
            self.assertEqual(text.stderr, "")
            self.assertTrue("beta=" in text.stdout)  # this h5dump writes other letters as bytes
            repacked = self.path(name + "-repacked")
            subprocess.run(["h5repack", "-f", "GZIP=4", self.path(name), repacked], check=True, capture_output=True)
            for engine in ("netcdf4", "h5netcdf"):
                with self.open_without_warnings(name, engine=engine) as one, \
                        self.open_without_warnings(name + "-repacked", engine=engine) as other:
                    xarray.testing.assert_identical(one.load(), other.load())
            for group in GROUPS:  # hard links and scales survive
                with self.open_without_warnings(name, group=group) as one, \
                        self.open_without_warnings(name + "-repacked", group=group) as other:
                    xarray.testing.assert_identical(one.load(), other.load())

    def test_two_runs_differ_in_wall_time_only(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([os.environ["NORMDYN_WRITE_SAMPLE"], folder], check=True)
            with h5py.File(self.path("shared")) as one, h5py.File(os.path.join(folder, "shared.h5")) as other:
                def compare(name, thing):
                    if isinstance(thing, h5py.Dataset) and name != "wall_time":
                        np.testing.assert_array_equal(thing[()], other[name][()], name)
                one.visititems(compare)


if __name__ == "__main__":
    unittest.main()

#pragma once
// The report as numbers: an HDF5 file with a group for each claim.
//
//   /                        attributes normdyn_version, command, seed, of_controls, summary
//   /NA-8                    attributes title, source, statement, hypotheses, control, verdict, seconds
//   /NA-8/evidence           one-dimensional datasets on `line`: quantity, kind, verdict, predicted, measured, low,
//   high,
//                            allowance, n_runs, n_exceptions, n_unfinished, text
//   /NA-8/figures/<name>     attributes title, x_label, y_label, x_is_logarithmic, y_is_logarithmic
//   /NA-8/figures/<name>/curve_0   attributes name, style; datasets x (a dimension scale) and y
//
// Numbers without a meaning are NaN. xarray opens each evidence and curve group, h5py everything.

#include "normdyn/theorems/dossier.hpp"

#include <string>
#include <vector>

namespace normdyn::theorems {

/// Writes a new file. Throws core::FileError.
void write_dossier(const std::string& path, const Dossier& dossier);

/// The names of the figures in such a file, in its order. Throws core::FileError if it cannot be read.
[[nodiscard]] std::vector<std::string> figure_names_in(const std::string& path);

} // namespace normdyn::theorems

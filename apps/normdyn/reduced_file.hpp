#pragma once
// Tables of the reduction as files.

#include "reduced_table.hpp"

#include "normdyn/experiment/study.hpp"
#include "normdyn/storage/output_path.hpp"

#include <string>
#include <vector>

namespace normdyn::cli {

/// CSV of several cases below each other: a header line, then one line for each row, with the case's name in front.
/// Numbers have the digits of the table. Names that contain commas or quotes are quoted (RFC 4180). A column that a
/// case does not have (layer, log_derivative) is empty there.
[[nodiscard]] std::string csv_text(const std::vector<std::string>& labels, const std::vector<ReducedTable>& tables);

/// Writes a text to the temporary file of an output and gives it its name. Throws core::FileError if it cannot be
/// written.
void write_text_file(storage::OutputPath& output, const std::string& text);

/// One case as HDF5 that xarray opens: columns on the dimension scale `time`, scalar coordinates and provenance as in a
/// run file. Throws core::InputError if it exists (unless `overwrite`), core::FileError if it cannot be
/// written.
void write_reduced_file(const std::string& path, const ReducedCase& one, const ReducedTable& table,
                        const experiment::Study& study, bool overwrite);

} // namespace normdyn::cli

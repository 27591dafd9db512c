#pragma once
// The parts of a run file that are written once, before the first row.

#include "normdyn/files/hdf5.hpp"
#include "normdyn/storage/run_schema.hpp"

namespace normdyn::storage {

/// Root attributes, coordinates of tokens and components, scalar coordinates.
void write_root(files::Group& root, const RunHeader& header);

/// The groups /initial, /parameters, /inputs and /provenance.
void write_groups(files::Group& root, const RunHeader& header);

/// A 1-D i64 dimension scale 0, 1, ... of this name.
files::Dataset write_index(files::Group& group, const std::string& name, std::size_t length);

} // namespace normdyn::storage

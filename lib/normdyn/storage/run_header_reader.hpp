#pragma once
// The header of a run file as it was given to the writer.

#include "normdyn/files/hdf5.hpp"
#include "normdyn/storage/run_schema.hpp"

namespace normdyn::storage {

/// Reads what run_header.hpp writes, and the variables on the time axes; see RunReader::header() for what is left out.
/// Throws core::FileError when a part is missing or of another kind.
[[nodiscard]] RunHeader read_header(const files::Group& root);

} // namespace normdyn::storage

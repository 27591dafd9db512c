"""When the mean cosine passes 0.9: the time of the event, and what the clock says then."""

import sys

import numpy
import xarray

print("scheme            t   clock")
for path in sys.argv[1:]:
    with xarray.open_dataset(path) as run, xarray.open_dataset(path, group="events") as events:
        t = float(events.t[0])
        clock = numpy.interp(t, run.observable_time, run.clock)
        print(f"{str(run.scheme.values):13} {t:5.2f}  {clock:6.2f}")

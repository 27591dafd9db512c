#!/usr/bin/python3
"""Draws one observable of several run files twice: against time and against the clock.

    docs/figures/time_and_clock.py VARIABLE FIGURE.svg RUN.h5 ...

Needs python3-matplotlib and python3-xarray, which building normdyn does not.
"""

import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plot
import xarray

COLORS = {"post_ln": "#0072B2", "pre_ln": "#D55E00", "peri_ln": "#CC79A7", "mix_ln": "#009E73", "ngpt": "#000000", "sqrt_scaling": "#E69F00"}
DASHES = {"post_ln": "-", "pre_ln": "-", "peri_ln": (0, (4, 2)), "mix_ln": (0, (6, 2)), "ngpt": (0, (1, 1.2)), "sqrt_scaling": (0, (5, 1.5, 1, 1.5))}
NAMES = {"mean_cosine": "mean cosine", "n_clusters": "clusters (8 deg)", "variance": "variance"}


def main(variable, figure, *paths):
    matplotlib.rcParams.update({"svg.hashsalt": "normdyn", "font.size": 10, "axes.spines.top": False, "axes.spines.right": False})
    drawing, panels = plot.subplots(1, 2, figsize=(8.4, 3.3), sharey=True, layout="constrained")
    for path in paths:
        with xarray.open_dataset(path) as run:
            scheme = str(run.scheme.values)
            time = run.observable_time if "observable_time" in run.dims else run.time
            for panel, x in zip(panels, (time, run.clock)):
                panel.plot(x[1:], run[variable][1:], label=str(run.label.values), color=COLORS[scheme], linestyle=DASHES[scheme], linewidth=1.7)
    for panel, name in zip(panels, ("time t", "clock = mean over tokens of the integral of dt/s")):
        panel.set(xscale="log", xlabel=name)
        panel.set_xlim(left=0.1)
        panel.grid(color="#e4e4e4", linewidth=0.6)
        panel.set_axisbelow(True)
    panels[0].set_ylabel(NAMES.get(variable, variable))
    panels[0].legend(frameon=False, fontsize=9)
    drawing.savefig(figure, metadata={"Date": None})


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])

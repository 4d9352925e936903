"""Two graphs on the same seeds: `python examples/gallery/compare_graphs.py`.

`to_pandas(results)` makes a table of the same results (`make install EXTRAS=pandas`).
"""

from statistics import fmean

from orchestrator import play

for graph in ("offline", "random"):
    results = [play("hollow", graph=graph, seed=seed, steps=40) for seed in (1, 2)]
    print(f"{graph:8} {fmean(result.best_score for result in results):.1f} points")

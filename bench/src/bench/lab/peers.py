"""PageRank of one graph by other libraries: CPU time of the call, and how far the result is from ours.

Called with a folder that holds `edges.u32` (pairs of page numbers) and, for each damping, `scores-<damping>.f64` (ours,
sum 1); then the number of pages, the tolerance, and the dampings. Prints a JSON object a line.
"""

import json
import sys
import time

import igraph
import networkx
import numpy
import scipy.sparse
import sknetwork
import sknetwork.ranking

FOLDER, PAGES, TOLERANCE = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
DAMPINGS = sys.argv[4:]
SOLVERS = ["piteration", "diteration", "lanczos", "bicgstab", "RH", "push"]

links = numpy.fromfile(f"{FOLDER}/edges.u32", dtype="<u4").reshape(-1, 2).astype(numpy.int64)


def measure(library, how, runs, call):
    """Runs `call` for every damping, as often as asked, and prints the least CPU time."""
    for damping in DAMPINGS:
        ours = numpy.fromfile(f"{FOLDER}/scores-{damping}.f64", dtype="<f8")
        told = {"library": library, "how": how, "damping": float(damping), "runs": runs}
        try:
            least = float("inf")
            for _ in range(runs):
                start = time.process_time()
                result = call(float(damping))
                least = min(least, time.process_time() - start)
            if isinstance(result, dict):
                result = [result[page] for page in range(PAGES)]
            result = numpy.asarray(result)
            apart = numpy.abs(result / result.sum() - ours)
            told |= {"cpu": least, "sum_apart": float(apart.sum()), "most_apart": float(apart.max())}
        except Exception as fault:  # A peer that gives up is told of, and does not count.
            told |= {"fault": repr(fault)[:100]}
        print(json.dumps(told), flush=True)


graph = igraph.Graph(n=PAGES, edges=links, directed=True)
measure(
    f"igraph {igraph.__version__}", "prpack", 5, lambda d: graph.pagerank(damping=d, implementation="prpack")
)
del graph

matrix = scipy.sparse.csr_matrix((numpy.ones(len(links)), (links[:, 0], links[:, 1])), shape=(PAGES, PAGES))
for solver in SOLVERS:

    def scikit(d):
        ranking = sknetwork.ranking.PageRank(damping_factor=d, solver=solver, n_iter=1000, tol=TOLERANCE)
        return ranking.fit_predict(matrix)

    measure(f"scikit-network {sknetwork.__version__}", solver, 2, scikit)

graph = networkx.DiGraph()
graph.add_nodes_from(range(PAGES))
graph.add_edges_from(links.tolist())
# It stops at a change of tol times the number of pages.
for how, tol in [(f"tol = {TOLERANCE:g}", TOLERANCE), (f"tol = {TOLERANCE:g}/pages", TOLERANCE / PAGES)]:
    measure(
        f"networkx {networkx.__version__}", how, 1, lambda d: networkx.pagerank(graph, alpha=d, tol=tol, max_iter=1000)
    )

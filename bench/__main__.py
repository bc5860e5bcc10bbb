"""Run a benchmark by name: ``python -m bench NAME [options]``; ``-h`` after a name explains it.

Without a name all run with small counts. ``soak`` runs all with the published counts and writes
``bench/results/*.json``; ``report`` puts those figures into README and docs.
"""

import sys
from collections.abc import Callable, Sequence

from bench import (
    budget,
    bulk,
    calibration,
    chapters,
    consolidation,
    context_sources,
    conversations,
    dates,
    durability,
    emotions,
    fact_durability,
    fact_ingest,
    fact_latency,
    facts,
    graph,
    ingest,
    large,
    latency,
    longform,
    longform_search,
    packed,
    report,
    retrieval,
    routing,
    scale,
    scripts,
    soak,
    startup,
    tokens,
)
from bench.datasets import DataError
from bench.peers import command as peers
from bench.qa import command as qa

NAMES: dict[str, Callable[[Sequence[str]], int]] = {
    "latency": latency.main,
    "context-sources": context_sources.main,
    "scale": scale.main,
    "large": large.main,
    "ingest": ingest.main,
    "startup": startup.main,
    "retrieval": retrieval.main,
    "packed": packed.main,
    "conversations": conversations.main,
    "routing": routing.main,
    "scripts": scripts.main,
    "peers": peers.main,
    "qa": qa.main,
    "tokens": tokens.main,
    "calibration": calibration.main,
    "chapters": chapters.main,
    "budget": budget.main,
    "bulk": bulk.main,
    "durability": durability.main,
    "consolidation": consolidation.main,
    "emotions": emotions.main,
    "dates": dates.main,
    "soak": soak.main,
    "longform": longform.main,
    "longform-search": longform_search.main,
    "facts": facts.main,
    "graph": graph.main,
    "fact-latency": fact_latency.main,
    "fact-ingest": fact_ingest.main,
    "fact-durability": fact_durability.main,
    "report": report.main,
}


def main(argv: Sequence[str]) -> int:
    """Call the benchmark that the first argument names."""
    if not argv:
        return soak.run(full=False)
    if argv[0] not in NAMES:
        sys.stderr.write(f"{__doc__}\nNAME is one of {', '.join(NAMES)}.\n")
        return 0 if argv[0] in {"-h", "--help"} else 2
    try:
        return NAMES[argv[0]](argv[1:])
    except DataError as error:
        sys.stderr.write(f"python -m bench {argv[0]}: {error}\n")
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Our agent in TALES' own benchmark.

In an environment with Python 3.12, tale-suite and this project on PYTHONPATH:
`python benchmark.py --agent examples/tale_suite_agent.py zork --envs TWXCoinCollector`.
"""

from tales.agent import register

from orchestrator.harnesses.tales import TalesAgent, add_arguments

register(
    name="zork",
    desc="zork-orchestrator: plays by a graph, offline or with a model.",
    klass=TalesAgent,
    add_arguments=add_arguments,
)

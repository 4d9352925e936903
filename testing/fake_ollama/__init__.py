"""A faithful Ollama server without a model: for demos, tests, and trying what goes wrong."""

from testing.fake_ollama.faults import FAULTS, random_faults
from testing.fake_ollama.protocol import FakeModel
from testing.fake_ollama.server import FakeOllama, Served
from testing.fake_ollama.walker import Walker

__all__ = ["FAULTS", "FakeModel", "FakeOllama", "Served", "Walker", "random_faults"]

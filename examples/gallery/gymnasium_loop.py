"""A story as a Gymnasium environment: `python examples/gallery/gymnasium_loop.py`.

It needs `make install EXTRAS=gymnasium`. `info` holds what the access allows, here the commands
that would change something.
"""

import gymnasium

import orchestrator.harnesses.gymnasium_env  # noqa: F401  (it registers the stories)

env = gymnasium.make("ZorkOrchestrator/workshop-v0", access="text+tree+actions")
text, info = env.reset(seed=7)
total, ended = 0.0, False
for _ in range(8):
    command = info["admissible_commands"][0] if info["admissible_commands"] else "look"
    text, reward, ended, _, info = env.step(command)
    total += reward
    print(f"> {command}  [{info['location']}]")
print(f"{total:g} points")
env.close()

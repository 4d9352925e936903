"""A headless Chromium that looks at the viewer's page, and what it cost."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

from orchestrator.viewer.server import Server, Viewer

PROGRAMS = ("chromium", "chromedriver")
_FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync --no-proxy-server "
    "--disable-default-apps --disable-extensions --hide-scrollbars"
).split()


def missing() -> str:
    """What is not installed; empty where a page can be looked at."""
    return ", ".join(name for name in PROGRAMS if shutil.which(name) is None)


class Page:
    """One page in a browser."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver

    def open(self, address: str, hash: str = "") -> None:
        """Go to an address and wait until it shows a run or the list."""
        self.driver.get(address)
        self.until("return document.documentElement.dataset.ready === '1'")
        if hash:
            self.goto(hash)

    def goto(self, hash: str) -> None:
        """Go to another place of the same page."""
        self.run("location.hash = arguments[0]", hash)

    def run(self, script: str, *given: Any) -> Any:
        """What a script returns."""
        return self.driver.execute_script(script, *given)

    def until(self, script: str, *given: Any, seconds: float = 20) -> Any:
        """Wait until a script returns something true."""
        end = time.monotonic() + seconds
        while not (found := self.run(script, *given)):
            assert time.monotonic() < end, f"never: {script}"
            time.sleep(0.02)
        return found

    def turn(self, turn: int) -> None:
        """Wait until a turn is shown."""
        self.until("return document.documentElement.dataset.turn === arguments[0]", str(turn))

    def text(self, selector: str) -> str:
        """The text of the first element that fits."""
        return str(self.run("return document.querySelector(arguments[0])?.innerText", selector))

    def press(self, key: str) -> None:
        """Press a key as a person would, on whatever has the focus."""
        for kind in ("rawKeyDown", "keyUp"):
            self.driver.execute_cdp_cmd(
                "Input.dispatchKeyEvent", {"type": kind, "key": key, "windowsVirtualKeyCode": 0}
            )

    def click(self, selector: str) -> None:
        """Click on the first element that fits."""
        self.run("document.querySelector(arguments[0]).click()", selector)

    def _log(self, kind: str) -> list[dict[str, Any]]:
        """What the browser has written down since the last time."""
        driver: Any = self.driver
        return [*driver.get_log(kind)]

    def complaints(self) -> list[str]:
        """What stands in the console since the last time."""
        return [entry["message"] for entry in self._log("browser")]

    def hosts(self) -> set[str]:
        """The hosts that were asked for anything since the last time; a file has none."""
        found = set()
        for entry in self._log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                found.add(urlsplit(message["params"]["request"]["url"]).netloc)
        return found

    def first_paint(self) -> float:
        """Milliseconds from the request to the first contents."""
        entries = "performance.getEntriesByName('first-contentful-paint')"
        return float(self.run(f"return {entries}[0]?.startTime ?? -1"))

    def memory(self) -> float:
        """Megabytes of JavaScript's heap after a collection of garbage."""
        self.driver.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
        return float(self.run("return performance.memory.usedJSHeapSize")) / 1e6

    def process_memory(self) -> float:
        """Megabytes that the largest of the browser's page processes has to itself."""
        below, found = {self.driver.service.process.pid}, [0.0]
        for process in sorted(Path("/proc").glob("[0-9]*"), key=lambda path: int(path.name)):
            with suppress(OSError):
                status = (process / "stat").read_text().rpartition(")")[2].split()
                if int(status[1]) in below:
                    below.add(int(process.name))
                    if b"--type=renderer" in (process / "cmdline").read_bytes():
                        found.append(_private((process / "smaps_rollup").read_text()))
        return max(found)


def _private(smaps: str) -> float:
    kept = [line.split() for line in smaps.splitlines() if line.startswith("Private_")]
    return sum(int(line[1]) for line in kept) / 1e3


@contextmanager
def browser(width: int = 1440, height: int = 900) -> Iterator[Page]:
    """A browser with a window of this size; a narrow one is a phone."""
    options = webdriver.ChromeOptions()
    for flag in (*_FLAGS, f"--window-size={width},{height}"):
        options.add_argument(flag)
    options.binary_location = shutil.which("chromium") or ""
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 700}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        yield Page(driver)
    finally:
        driver.quit()


@contextmanager
def served(viewer: Viewer) -> Iterator[Server]:
    """The page of a viewer, while it is needed."""
    server = Server(viewer)
    thread = Thread(target=server.serve)
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join(10)

// The page: which run and turn the address names, the head with its tools, and the keyboard.

import { openSource, RunData } from "./data.js";
import { button, el, say, shown } from "./dom.js";
import { icon, signButton } from "./icons.js";
import { Help } from "./help.js";
import { StoryHead } from "./story.js";
import { Timeline } from "./timeline.js";
import { RunPage } from "./turn.js";
import { RunList } from "./runs.js";
import { Comparison } from "./compare.js";
import { LiveBar } from "./live.js";

const PACES = [["0.25", 4000], ["0.5", 2000], ["1", 1000], ["2", 500], ["5", 200], ["10", 100]];

class App {
  constructor(source, start) {
    this.source = source;
    this.start = start;
    this.top = document.getElementById("top");
    this.main = document.getElementById("main");
    this.timeline = new Timeline((turn) => this.go(turn));
    this.story = new StoryHead((turn) => this.go(turn));
    this.help = new Help();
    this.sought = "";
    this.turn = 0;
    this.pace = 1000;
    this.hits = [];
    this.playing = null;
    this.routed = 0; // Addresses asked for; what comes for an earlier one is not shown.
    window.addEventListener("hashchange", () => this.route());
    document.addEventListener("keydown", (event) => this.key(event));
  }

  async route() {
    const routed = this.routed += 1;
    const [kind, ...rest] = decodeHash(location.hash);
    const turn = /^t(\d+)$/.exec(rest.at(-1) ?? "");
    try {
      if (kind === "runs" || (!this.start.run && kind !== "run" && kind !== "compare")) await this.list(routed);
      else if (kind === "compare") await this.compare(rest[0], rest[1], turn ? Number(turn[1]) : null, routed);
      else {
        const own = /^t(\d+)$/.exec(kind ?? "");
        const name = kind === "run" ? rest[0] : this.start.run;
        await this.open(name, own ? Number(own[1]) : turn ? Number(turn[1]) : null, routed);
      }
    } catch (error) {
      if (routed !== this.routed) return;
      this.main.replaceChildren(el("p", { class: "empty" }, error.message));
      say(error.message);
    }
  }

  async list(routed) {
    this.leave();
    const runs = await this.source.runs();
    if (routed !== this.routed) return;
    this.title("runs");
    this.top.replaceChildren(this.brand(), el("span", { class: "grow" }), this.helpButton(), themeButton());
    this.view = new RunList(runs);
    this.main.replaceChildren(this.view.element);
  }

  async open(name, turn, routed) {
    if (this.run?.name !== name || !(this.view instanceof RunPage)) {
      this.leave();
      const run = await RunData.open(this.source, name);
      if (routed !== this.routed) return;
      this.run = run;
      this.view = new RunPage(this.source, (to) => this.go(to), {
        told: (frame) => this.story.move(this.run, frame.turn, frame), fork: this.mayFork ? () => this.fork() : null,
      });
      this.live = new LiveBar(this.source, this.run, {
        turns: (told) => this.grown(told), active: (told) => this.view.light?.(told),
        head: (told) => this.headed(told), recap: (told) => this.retold(told),
      });
      this.title(this.run.recap.title);
      this.head();
      this.main.replaceChildren(this.story.element, this.live.element, this.timeline.element, this.view.element);
      this.story.show(this.run);
      this.timeline.show(this.run);
      turn ??= this.run.last; // A finished run shows its whole map and how it ended.
    }
    if (turn === null) return;
    // Who goes to an earlier turn of a live run stays there.
    this.follows = this.run.head.status === "playing" && turn >= this.run.last;
    await this.move(turn);
  }

  async compare(one, other, turn, routed) {
    const same = this.view instanceof Comparison && this.view.runs[0].name === one && this.view.runs[1].name === other;
    if (!same) {
      this.leave();
      const runs = await Promise.all([one, other].map(async (name) => (await RunData.open(this.source, name)).lineage()));
      if (routed !== this.routed) return;
      this.run = runs[0].own;
      this.view = new Comparison(...runs, (to) => this.go(to));
      this.pair = [one, other];
      this.title(`${one} and ${other}`);
      this.head();
      this.main.replaceChildren(this.timeline.element, this.view.element);
      this.timeline.show(...runs);
    }
    await this.move(turn ?? this.view.parting ?? this.view.first);
  }

  leave() {
    this.live?.close();
    this.live = this.run = this.view = this.pair = null;
    this.stop();
  }

  title(name) { document.title = shown(`${name} - zork view`); }

  brand() {
    return el("a", { class: "brand", href: "#/runs", title: "All runs" }, "zork view");
  }

  get mayFork() { return !this.pair && (this.start.control === this.run.name || this.start.fork); }

  helpButton() { return button(["?", el("span", { class: "wide" }, "What am I looking at?")], "What am I looking at? (?)", () => this.help.show(), { class: "sign" }); }

  head() {
    this.told = el("h1", { class: "run-title" });
    this.headed(this.run.head);
    this.where = el("output", { class: "where", "aria-live": "off" });
    this.player = signButton("play", "Play and pause (space)", () => this.toggle());
    const paces = el("select", { "aria-label": "Turns a second", title: "Turns a second", onchange: (event) => { this.pace = Number(event.target.value); if (this.playing) { this.stop(); this.toggle(); } } },
      PACES.map(([label, pace]) => el("option", { value: pace, selected: pace === this.pace }, `${label}/s`)));
    this.finder = el("input", { type: "search", placeholder: "search  (/)", "aria-label": "Search commands, replies and thinking", onkeydown: (event) => { if (event.key === "Enter") { event.preventDefault(); this.find(event.target.value, event.shiftKey ? -1 : 1); } },
      oninput: (event) => { if (!event.target.value) this.sought = ""; } });
    this.top.replaceChildren(this.brand(), this.told,
      el("span", { class: "tools turns" }, signButton("first", "First turn (Home)", () => this.go(this.span.first)), signButton("before", "Turn before (left)", () => this.step(-1)), this.player, signButton("next", "Next turn (right)", () => this.step(1)), signButton("last", "Last turn (End)", () => this.go(this.span.last)), this.where, paces),
      this.finder, this.mayFork ? signButton("fork", "Play on differently from this turn, in a run of its own", () => this.fork(), "Fork") : "",
      el("span", { class: "tools aside" }, this.helpButton(), themeButton()));
  }

  headed(one) {
    this.run.head = one;
    this.told?.setAttribute("title", this.pair ? this.pair.join(" | ") : one.id);
    if (this.told) this.told.textContent = shown(this.pair ? this.view.runs.map((run) => run.head.title).join(" | ") : this.run.recap.title ?? one.title);
  }

  // The run in few words, as far as it has come.
  retold(recap) {
    if (!this.run || this.pair) return;
    this.run.recap = recap;
    this.headed(this.run.head);
    this.story.show(this.run);
  }

  // What is turned through: a run, or two side by side.
  get span() { return this.pair ? this.view : this.run; }

  // Turns that have come or changed while we look.
  grown(told) {
    if (!this.run || this.pair) return;
    const turns = this.run.add(told);
    this.timeline.show(this.run);
    if (this.follows || this.turn > this.run.last) this.go(this.run.last);
    else if (turns.includes(this.turn)) this.view.show(this.run, this.turn);
  }

  step(way) { return this.go(this.span.beside(this.turn, way)); }

  go(turn) {
    const to = this.span.nearest(turn);
    this.follows = to === this.run.last && this.run.head.status === "playing";
    const way = this.pair ? ["compare", ...this.pair] : this.source.exported ? [] : ["run", this.run.name];
    const hash = way.length ? `#/${way.map(encodeURIComponent).join("/")}/t${to}` : `#t${to}`;
    history.replaceState(null, "", hash);
    return this.move(to);
  }

  async move(turn) {
    this.turn = this.span.nearest(turn);
    this.timeline.move(this.turn);
    if (!this.pair) this.story.move(this.run, this.turn);
    if (this.where) this.where.textContent = `${this.turn} / ${this.span.last}`;
    performance.mark("turn");
    await (this.pair ? this.view.show(this.turn) : this.view.show(this.run, this.turn, this.sought));
    document.documentElement.dataset.turn = this.turn;
    performance.measure("shown", "turn");
  }

  toggle() {
    if (this.playing) { this.stop(); return; }
    if (this.turn >= this.span.last) this.go(this.span.first);
    this.player.replaceChildren(icon("pause"));
    this.playing = setInterval(() => (this.turn < this.span.last ? this.step(1) : this.stop()), this.pace);
  }

  stop() {
    clearInterval(this.playing);
    this.playing = null;
    this.player?.replaceChildren(icon("play"));
  }

  find(text, way) {
    if (!text.trim()) return;
    const hits = this.run.search(text);
    const next = way > 0 ? hits.find((turn) => turn > this.turn) ?? hits[0] : hits.findLast((turn) => turn < this.turn) ?? hits.at(-1);
    if (next === undefined) { say(`"${text}" is nowhere in this run`); return; }
    say(`"${text}": ${hits.indexOf(next) + 1} of ${hits.length} turns`);
    this.sought = text.trim();
    this.go(next);
  }

  async fork() {
    try {
      const { run } = await this.source.control({ do: "fork", run: this.run.name, turn: this.turn });
      say(`${run} is being played`);
      location.hash = `#/run/${encodeURIComponent(run)}`;
    } catch (error) {
      say(error.message);
    }
  }

  key(event) {
    if (event.key === "?" && !/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) this.help.show();
    if (this.help.isOpen || !this.run || event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== "range") {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const act = {
      ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1),
      PageUp: () => this.go(this.turn - 10), PageDown: () => this.go(this.turn + 10),
      Home: () => this.go(this.span.first), End: () => this.go(this.span.last), "/": () => this.finder.focus(),
      " ": () => this.toggle(), p: () => this.toggle(),
      n: () => this.find(this.finder.value, 1), N: () => this.find(this.finder.value, -1),
    }[event.key];
    if (!act || (event.key === " " && event.target.tagName === "BUTTON")) return;
    event.preventDefault();
    act();
  }
}

function decodeHash(hash) {
  return hash.replace(/^#\/?/, "").split("/").map((piece) => {
    try { return decodeURIComponent(piece); } catch { return piece; }
  });
}

function themeButton() {
  return signButton("theme", "Light or dark", () => {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const now = document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
    theme(now === "dark" ? "light" : "dark");
  });
}

function theme(name) {
  document.documentElement.dataset.theme = name;
  try { localStorage.setItem("zork-theme", name); } catch { /* a page from disk may have no storage */ }
}

function remembered() {
  try { return localStorage.getItem("zork-theme"); } catch { return null; }
}

const chosenTheme = remembered();
if (chosenTheme === "dark" || chosenTheme === "light") theme(chosenTheme);
openSource().then(async (source) => new App(source, await source.start()).route())
  .then(() => { document.documentElement.dataset.ready = "1"; })
  .catch((error) => say(error.message));

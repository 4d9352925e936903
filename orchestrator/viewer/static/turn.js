// One run: the game's words, what the nodes made of them, the map and the graphs.

import { button, el, figure, folding, part, seconds } from "./dom.js";
import { Board, showDiagram, showMap } from "./drawing.js";
import {
  beliefsPart, callsPart, hypothesesPart, nodesPart, objectivesPart, optionsPart, oraclePart,
  proposalsPart, readingPart, trustPart,
} from "./sections.js";

const AROUND = 25;
const PARTS = [proposalsPart, oraclePart, optionsPart, objectivesPart, readingPart, beliefsPart,
  trustPart, hypothesesPart, callsPart, nodesPart];

folding("Nodes", false);

// The transcript around a turn; the turn itself is marked.
class Transcript {
  constructor(go) {
    this.go = go;
    this.element = el("div", { class: "transcript", tabindex: 0, "aria-label": "What the game said" });
  }

  show(run, turn) {
    const first = Math.max(0, turn - AROUND);
    const shown = run.rows.slice(first, turn + AROUND + 1).filter(Boolean);
    this.element.replaceChildren(...shown.map((row) => this.entry(run, row, row.turn === turn)));
    const now = this.element.querySelector(".now");
    if (now) this.element.scrollTop = now.offsetTop - this.element.clientHeight * 0.3;
  }

  entry(run, row, now) {
    const gained = run.gained(row.turn);
    const died = run.has(row.turn - 1) && row.deaths > run.rows[row.turn - 1].deaths;
    return el("article", { class: `entry${now ? " now" : ""}`, "aria-current": now ? "true" : null },
      el("header", {}, button(row.turn, `Turn ${row.turn}`, () => this.go(row.turn), { class: "number" }),
        el("span", { class: "room-name" }, row.room),
        gained ? el("b", { class: gained > 0 ? "gain" : "loss" }, `${gained > 0 ? "+" : ""}${gained}`) : null,
        died ? el("b", { class: "loss" }, "died") : null,
        row.attempts > 1 ? el("span", { class: "objection" }, `${row.attempts - 1} objections`) : null,
        row.error ? el("span", { class: "objection" }, row.error) : null),
      row.command ? el("p", { class: "command" }, `> ${row.command}`) : null,
      el("p", { class: "reply" }, row.text || (row.seconds === null ? "This turn has not ended." : "")));
  }
}

const TABS = [["text", "Text"], ["made", "Thinking"], ["map", "Map"]];

export class RunPage {
  constructor(source, go) {
    this.source = source;
    this.transcript = new Transcript(go);
    this.made = el("div", { class: "made" });
    this.boards = { map: new Board("Map"), graph: new Board("Graph of the turn"), puzzles: new Board("Puzzles") };
    this.graphs = new Map();
    this.which = "map";
    this.live = null;
    this.boardTabs = el("div", { class: "tabs", role: "group", "aria-label": "Picture" },
      [["map", "Map"], ["graph", "Graph of the turn"], ["puzzles", "What needs what"]].map(([id, label]) => button(
        label, label, () => this.pick(id), { "data-board": id, "aria-pressed": String(id === "map") })));
    this.boardSpot = el("div", { class: "board-spot" }, this.boards.map.element);
    this.columns = el("div", { class: "columns", "data-tab": "text" },
      el("section", { class: "column text", "aria-label": "The game" }, this.transcript.element),
      el("section", { class: "column making", "aria-label": "What the nodes made of it" }, this.made),
      el("section", { class: "column pictures", "aria-label": "Pictures" }, this.boardTabs, this.boardSpot));
    this.phoneTabs = el("nav", { class: "phone-tabs", "aria-label": "Parts of the page" }, TABS.map(([id, label]) => button(
      label, label, () => this.tab(id), { "data-tab": id, "aria-pressed": String(id === "text") })));
    this.element = el("div", { class: "run-page" }, this.columns, this.phoneTabs);
  }

  tab(id) {
    this.columns.dataset.tab = id;
    for (const one of this.phoneTabs.children) one.setAttribute("aria-pressed", String(one.dataset.tab === id));
    for (const board of Object.values(this.boards)) board.place();
  }

  pick(id) {
    this.which = id;
    for (const one of this.boardTabs.children) one.setAttribute("aria-pressed", String(one.dataset.board === id));
    this.boardSpot.replaceChildren(this.boards[id].element);
    if (this.frame) this.draw();
  }

  async show(run, turn) {
    this.run = run;
    this.turn = turn;
    this.transcript.show(run, turn);
    const frame = await run.frame(turn);
    if (this.turn !== turn || this.run !== run) return;
    this.frame = frame;
    const parts = PARTS.map((make) => make(frame)).filter(Boolean);
    this.made.replaceChildren(el("h2", { class: "turn-title" }, `Turn ${turn}`,
      el("span", { class: "note" }, ` ${frame.room} · score ${figure(run.rows[turn].score)} · ${frame.seconds === null ? "not ended" : seconds(frame.seconds)}`)),
      ...(frame.error ? [el("p", { class: "objection" }, frame.error)] : []),
      ...(parts.length ? parts : [part("Nothing yet", "", el("p", {}, "No node has told anything of this turn."))]));
    await this.draw();
  }

  // The node that is active in a live run.
  light(active) {
    this.live = active && active.node ? active : null;
    if (this.which === "graph" && this.frame) this.draw();
  }

  async draw() {
    const { run, turn, frame, which } = this;
    if (which === "map") showMap(this.boards.map, frame.map);
    else if (which === "graph") {
      if (!this.graphs.has(run.name)) this.graphs.set(run.name, await this.source.graph(run.name));
      const lit = this.live && this.live.turn === turn ? this.live.node.split(", ") : [];
      showDiagram(this.boards.graph, this.graphs.get(run.name), spent(frame), lit);
    } else {
      const puzzles = await this.source.puzzles(run.name, turn);
      if (this.turn === turn && this.which === which) showDiagram(this.boards.puzzles, puzzles);
    }
  }
}

// What each node took, by its name.
function spent({ nodes }) {
  const found = {};
  for (const one of nodes) {
    const sum = found[one.name] ?? { time: 0, tokens: 0, times: 0 };
    found[one.name] = { open: one.seconds === null, time: sum.time + (one.seconds ?? 0), tokens: sum.tokens + one.tokens[0] + one.tokens[1], times: sum.times + 1 };
  }
  return Object.fromEntries(Object.entries(found).map(([name, one]) => [name,
    `${one.open ? "at work" : seconds(one.time)}${one.tokens ? `, ${figure(one.tokens)} tokens` : ""}${one.times > 1 ? `, ${one.times} times` : ""}`]));
}

// One run: the story, what the nodes made of it, and the pictures.

import { button, el, figure, folding, markHits, part, seconds } from "./dom.js";
import { Board } from "./board.js";
import { MapBoard } from "./map.js";
import { pathTaken, showDiagram } from "./diagram.js";
import { endCard, turnCard, wayOn } from "./card.js";
import { TraceView } from "./trace.js";
import {
  beliefsPart, callsPart, hypothesesPart, objectivesPart, optionsPart, oraclePart, readingPart, trustPart,
} from "./sections.js";

const AROUND = 25;
const PHONE = 820; // Up to this width one part is shown at a time.
const DETAILS = [callsPart, oraclePart, optionsPart, objectivesPart, readingPart, beliefsPart, trustPart, hypothesesPart];

folding("the deciding call", true);

// The story around a turn; the turn itself is told in full.
class Transcript {
  constructor(go) {
    this.go = go;
    this.element = el("div", { class: "transcript", tabindex: 0, "aria-label": "The story" });
  }

  show(run, turn, sought) {
    const first = Math.max(0, turn - AROUND);
    const shown = run.rows.slice(first, turn + AROUND + 1).filter(Boolean);
    const over = run.head.status !== "playing" && shown.at(-1)?.turn === run.last;
    this.element.replaceChildren(...shown.map((row) => turnCard(run, row, null, row.turn === turn, this.go)), ...(over ? [endCard(run)] : []));
    this.settle(sought);
  }

  // The card of the turn with all that its frame tells.
  tell(run, row, frame, sought) {
    this.element.querySelector(".now")?.replaceWith(turnCard(run, row, frame, true, this.go));
    this.settle(sought);
  }

  settle(sought) {
    const now = this.element.querySelector(".now");
    if (!now) return;
    if (sought) markHits(now, sought);
    const end = now.nextElementSibling?.matches(".end-card") ? now.nextElementSibling.offsetHeight : 0;
    const above = Math.min(this.element.clientHeight * 0.3, Math.max(0, this.element.clientHeight - now.offsetHeight - end - 8));
    this.element.scrollTop = now.offsetTop - above;
  }
}

const TABS = [["text", "Story"], ["made", "Thinking"], ["map", "Pictures"]];
const PICTURES = [["map", "Map"], ["trace", "Trace"], ["graph", "Graph of the turn"], ["puzzles", "What needs what"]];

export class RunPage {
  // `told` hears of every frame that is shown; `fork` starts a run from the turn, where it may.
  constructor(source, go, { told, fork }) {
    this.source = source;
    this.told = told;
    this.fork = fork;
    this.transcript = new Transcript(go);
    this.made = el("div", { class: "made", tabindex: 0, "aria-label": "What the nodes made of it" });
    this.trace = new TraceView();
    this.boards = { map: new MapBoard("Map", go), graph: new Board("Graph of the turn"), puzzles: new Board("What needs what"), trace: this.trace };
    this.graphs = new Map();
    this.which = "map";
    this.live = null;
    this.boardTabs = el("div", { class: "tabs", role: "group", "aria-label": "Picture" },
      PICTURES.map(([id, name]) => {
        // A file holds the last one only.
        const label = id === "puzzles" && source.exported ? `${name}, at the end` : name;
        return button(label, label, () => this.pick(id), { "data-board": id, "aria-pressed": String(id === "map") });
      }));
    this.boardSpot = el("div", { class: "board-spot" }, this.boards.map.element);
    this.columns = el("div", { class: "columns" },
      el("section", { class: "column text", "aria-label": "The game" }, this.transcript.element),
      el("section", { class: "column making", "aria-label": "Thinking" }, this.made),
      el("section", { class: "column pictures", "aria-label": "Pictures" }, this.boardTabs, this.boardSpot));
    this.phoneTabs = el("nav", { class: "phone-tabs", "aria-label": "Parts of the page" }, TABS.map(([id, label]) => button(
      label, label, () => this.tab(id), { "data-tab": id })));
    this.tab(innerWidth > PHONE ? "map" : "text");
    this.element = el("div", { class: "run-page" }, this.columns, this.phoneTabs);
  }

  tab(id) {
    this.columns.dataset.tab = id;
    for (const one of this.phoneTabs.children) one.setAttribute("aria-pressed", String(one.dataset.tab === id));
  }

  pick(id) {
    this.which = id;
    for (const one of this.boardTabs.children) one.setAttribute("aria-pressed", String(one.dataset.board === id));
    this.boardSpot.replaceChildren(this.boards[id].element);
    return this.frame ? this.draw() : null;
  }

  async show(run, turn, sought = "") {
    this.run = run;
    this.turn = turn;
    this.transcript.show(run, turn, sought);
    const frame = await run.frame(turn);
    if (this.turn !== turn || this.run !== run) return;
    this.frame = frame;
    this.transcript.tell(run, run.rows[turn], frame, sought);
    this.told(frame);
    const parts = DETAILS.map((make) => make(frame)).filter(Boolean);
    this.made.replaceChildren(el("h2", { class: "turn-title" }, `Turn ${turn}`,
      el("span", { class: "note" }, ` ${frame.room} · score ${figure(run.rows[turn].score)} · ${frame.seconds === null ? "not ended" : seconds(frame.seconds)}`)),
      wayOn(run, turn),
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
    if (which === "map") this.boards.map.showMap(run, turn, frame.map);
    else if (which === "trace") this.trace.show(run, frame, this.fork);
    else if (which === "graph") await this.drawGraph(run, turn, frame);
    else {
      const puzzles = await this.source.puzzles(run.name, turn);
      if (this.turn === turn && this.which === which) showDiagram(this.boards.puzzles, puzzles);
    }
  }

  async drawGraph(run, turn, frame) {
    if (!this.graphs.has(run.name)) this.graphs.set(run.name, await this.source.graph(run.name));
    const graph = this.graphs.get(run.name);
    const lit = this.live && this.live.turn === turn ? this.live.node.split(", ") : [];
    const pick = async (node) => { await this.pick("trace"); this.trace.open(node); };
    showDiagram(this.boards.graph, graph, { notes: spent(frame), lit, taken: pathTaken(frame.nodes, graph.edges), pick });
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

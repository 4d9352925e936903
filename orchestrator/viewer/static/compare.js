// Two runs, or a run and its fork, side by side: what differs is marked, with both maps and curves.

import { button, el, figure, say } from "./dom.js";
import { wayOn } from "./card.js";
import { MapBoard } from "./map.js";
import { decider } from "./story.js";

const SAME = [["story", "story"], ["graph", "graph"], ["models", "model"], ["seed", "seed"], ["agent_seed", "agent's seed"]];
const MOST_OPTIONS_BESIDE = 3;
const MOST_OBJECTIVES_BESIDE = 5;

// The first turn whose commands or replies differ; nothing where one run goes on as the other.
export function partingTurn(one, other) {
  const shorter = Math.min(one.last, other.last);
  for (let turn = Math.max(one.first, other.first); turn <= shorter; turn += 1) {
    const [a, b] = [one.rows[turn], other.rows[turn]];
    if (!a || !b || a.command !== b.command || a.text !== b.text) return turn;
  }
  return null;
}

// Of a fork, the turns before it are those of the run that it was forked from.
export class Comparison {
  constructor(one, other, go) {
    this.runs = [one, other];
    this.go = go;
    this.parting = partingTurn(one, other);
    this.boards = this.runs.map((run) => new MapBoard(`Map of ${run.name}`, go));
    this.words = this.runs.map(() => el("div", { class: "side-words", tabindex: 0 }));
    this.sides = this.runs.map((run, n) => el("section", { class: `side side-${n}`, "aria-label": run.name },
      el("h2", {}, el("span", { class: `line-${n}` }), run.head.title ?? run.name, run.head.parent ? el("span", { class: "note" }, ` fork, after turn ${run.head.parent.turn}${run.head.agent_seed === run.head.seed ? "" : `, with the agent's seed ${run.head.agent_seed}`}`) : null), this.words[n], this.boards[n].element));
    this.element = el("div", { class: "comparison" }, el("p", { class: "parting" }, el("b", {}, this.told()), " ", this.setUp(), " ",
      this.parting === null ? null : button("To where they part", "To where they part", () => this.go(this.parting))),
    el("div", { class: "sides" }, this.sides));
  }

  told() {
    const [one, other] = this.runs;
    if (this.parting !== null) return `They part at turn ${this.parting}.`;
    return Math.max(one.first, other.first) > Math.min(one.last, other.last)
      ? "They have no turn in common." : "As far as both go they are the same.";
  }

  // What was different from the beginning.
  setUp() {
    const [one, other] = this.runs.map((run) => run.head);
    const shown = (value) => (Array.isArray(value) ? value.join(", ") || "none" : String(value));
    const differ = SAME.filter(([id]) => shown(one[id]) !== shown(other[id])).map(([id, name]) => `${name} ${shown(one[id])} against ${shown(other[id])}`);
    const forked = this.runs.findIndex((run, n) => run.head.parent?.run_id === this.runs[1 - n].name);
    const parent = forked < 0 ? "" : `The ${["first", "second"][forked]} is a fork of the other, made after turn ${this.runs[forked].head.parent.turn}. `;
    return `${parent}${differ.length ? `Different: ${differ.join("; ")}.` : "Story, graph, model and seeds are the same."}`;
  }

  get first() { return Math.min(...this.runs.map((run) => run.first)); }
  get last() { return Math.max(...this.runs.map((run) => run.last)); }
  beside(turn, way) { return turn + way; }
  nearest(turn) { return Math.max(this.first, Math.min(this.last, turn)); }

  async show(turn) {
    this.turn = turn;
    const tellers = this.runs.map((run) => run.teller(turn));
    const frames = await Promise.all(tellers.map((run) => (run ? run.frame(turn) : null)));
    if (this.turn !== turn) return;
    this.runs.forEach((run, n) => {
      this.words[n].replaceChildren(...this.side(run, tellers[n], frames[n], frames[1 - n], turn));
      this.boards[n].showMap(run, turn, frames[n]?.map);
      this.boards[n].element.hidden = !frames[n]?.map;
    });
  }

  side(run, teller, frame, beside, turn) {
    const link = el("a", { href: `#/run/${encodeURIComponent(run.name)}/t${turn}` }, run.name);
    if (!frame) return [el("p", { class: "note" }, link), el("p", { class: "empty" }, missing(run, turn))];
    const row = run.rows[turn];
    const other = this.runs.find((one) => one !== run).rows[turn];
    const differs = (one, same) => (other && !same ? `${one} differs` : one);
    const aims = (told) => told.objectives.filter((one) => one.status === "active").slice(0, MOST_OBJECTIVES_BESIDE).map((one) => one.text);
    const others = beside ? aims(beside) : null;
    const carries = frame.carried.join(", ") || "nothing";
    return [el("p", { class: "note" }, link, teller === run.own ? "" : ` as in ${teller.name}, which it was forked from`),
      el("p", {}, el("b", {}, "model "), decider(run.head)),
      el("p", {}, `turn ${turn} · `, el("span", { class: differs("place", other?.room === row.room) }, row.room), " · ",
        el("span", { class: differs("score", other?.score === row.score) }, `score ${figure(row.score)}`), `, best ${figure(row.best)}, deaths ${row.deaths}`),
      el("p", { class: differs("command", other?.command === row.command) }, `> ${row.command}`),
      el("p", { class: differs("reply", other?.text === row.text) }, row.text),
      row.thinking ? el("p", { class: differs("thinking", other?.thinking === row.thinking) }, row.thinking) : null,
      frame.proposals.filter((one) => one.objection).map((one) => el("p", { class: "objection" }, `Objection to "${one.command}": ${one.objection}`)),
      el("p", { class: differs("carries", !beside || (beside.carried.join(", ") || "nothing") === carries) }, el("b", {}, "carries "), carries),
      frame.options.length ? [el("h3", {}, "Options"), el("ol", {}, frame.options.slice(0, MOST_OPTIONS_BESIDE).map((one) => el("li", {}, el("code", {}, one.command), ` ${figure(one.value)}`)))] : null,
      el("h3", {}, "Objectives"), el("ul", {}, aims(frame).map((text) => el("li", { class: others && !others.includes(text) ? "differs" : null }, text))), wayOn(run, turn)].flat(2).filter(Boolean);
  }
}

// Why a run has no such turn.
function missing(run, turn) {
  if (!run.rows.length) return "Its trace tells of no turn.";
  if (turn > run.last) return run.head.status === "playing" ? `It has come to turn ${run.last}.` : `It ended at turn ${run.last}.`;
  if (turn >= run.first) return `Its trace does not tell of turn ${turn}.`;
  const { parent } = run.runs.at(-1).head;
  const from = parent ? `: the turns before are those of ${parent.run_id}, which is not here` : "";
  return `It begins at turn ${run.first}${from}.`;
}

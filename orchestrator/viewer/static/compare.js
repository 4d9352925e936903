// Two runs, or a run and its fork, side by side.

import { button, el, figure, say } from "./dom.js";

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
    this.sides = this.runs.map((run, n) => el("section", { class: `side side-${n}`, "aria-label": run.name }));
    this.element = el("div", { class: "comparison" },
      el("p", { class: "note" }, `${this.told()} `,
        button("To where they part", "To where they part", () => (this.parting === null ? say("They never part.") : this.go(this.parting)))),
      el("div", { class: "sides" }, this.sides));
  }

  told() {
    const [one, other] = this.runs;
    if (this.parting !== null) return `They part at turn ${this.parting}.`;
    return Math.max(one.first, other.first) > Math.min(one.last, other.last)
      ? "They have no turn in common." : "As far as both go they are the same.";
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
    this.runs.forEach((run, n) => this.sides[n].replaceChildren(...this.side(run, tellers[n], frames[n], turn)));
  }

  side(run, teller, frame, turn) {
    const title = el("h2", {}, el("a", { href: `#/run/${encodeURIComponent(run.name)}/t${turn}` }, run.name));
    if (!frame) return [title, el("p", { class: "empty" }, missing(run, turn))];
    const row = run.rows[turn];
    const differs = this.runs.some((other) => other !== run && other.rows[turn] && other.rows[turn].command !== row.command);
    return [title,
      teller === run.own ? null : el("p", { class: "note" }, `as in ${teller.name}, which it was forked from`),
      el("p", { class: "note" }, `turn ${turn} · ${row.room} · score ${figure(row.score)}, best ${figure(row.best)}, deaths ${row.deaths}`),
      el("p", { class: `command${differs ? " differs" : ""}` }, `> ${row.command}`), el("p", { class: "reply" }, row.text),
      el("h3", {}, "Why"), el("p", { class: "thinking" }, row.thinking),
      frame.proposals.filter((one) => one.objection).map((one) => el("p", { class: "objection" }, `Objection to "${one.command}": ${one.objection}`)),
      el("h3", {}, "Options"), el("ol", {}, frame.options.slice(0, 5).map((one) => el("li", {}, el("code", {}, one.command), ` ${figure(one.value)}`))),
      el("h3", {}, "Objectives"), el("ul", {}, frame.objectives.filter((one) => one.status === "active").slice(0, 6).map((one) => el("li", {}, `${one.id} ${one.text}`)))].flat().filter(Boolean);
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

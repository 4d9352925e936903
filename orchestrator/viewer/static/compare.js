// Two runs, or a run and its fork, side by side.

import { button, el, figure, say } from "./dom.js";

// The first turn whose commands or replies differ; nothing where one run goes on as the other.
export function partingTurn(one, other) {
  const shorter = Math.min(one.last, other.last);
  for (let turn = 0; turn <= shorter; turn += 1) {
    const [a, b] = [one.rows[turn], other.rows[turn]];
    if (!a || !b || a.command !== b.command || a.text !== b.text) return turn;
  }
  return null;
}

export class Comparison {
  constructor(one, other, go) {
    this.runs = [one, other];
    this.go = go;
    this.parting = partingTurn(one, other);
    this.sides = this.runs.map((run, n) => el("section", { class: `side side-${n}`, "aria-label": run.name }));
    this.element = el("div", { class: "comparison" },
      el("p", { class: "note" }, this.parting === null ? "As far as both go they are the same. " : `They part at turn ${this.parting}. `,
        button("To where they part", "To where they part", () => (this.parting === null ? say("They never part.") : this.go(this.parting)))),
      el("div", { class: "sides" }, this.sides));
  }

  async show(turn) {
    this.turn = turn;
    const frames = await Promise.all(this.runs.map((run) => (run.has(turn) ? run.frame(turn) : null)));
    if (this.turn !== turn) return;
    this.runs.forEach((run, n) => this.sides[n].replaceChildren(...this.side(run, frames[n], turn)));
  }

  side(run, frame, turn) {
    const title = el("h2", {}, el("a", { href: `#/run/${encodeURIComponent(run.name)}/t${turn}` }, run.name));
    if (!frame) return [title, el("p", { class: "empty" }, `It ended at turn ${run.last}.`)];
    const row = run.rows[turn];
    const differs = this.runs.some((other) => other !== run && other.rows[turn] && other.rows[turn].command !== row.command);
    return [title,
      el("p", { class: "note" }, `turn ${turn} · ${row.room} · score ${figure(row.score)}, best ${figure(row.best)}, deaths ${row.deaths}`),
      el("p", { class: `command${differs ? " differs" : ""}` }, `> ${row.command}`), el("p", { class: "reply" }, row.text),
      el("h3", {}, "Why"), el("p", { class: "thinking" }, row.thinking),
      frame.proposals.filter((one) => one.objection).map((one) => el("p", { class: "objection" }, `Objection to "${one.command}": ${one.objection}`)),
      el("h3", {}, "Options"), el("ol", {}, frame.options.slice(0, 5).map((one) => el("li", {}, el("code", {}, one.command), ` ${figure(one.utility ?? one.value)}`))),
      el("h3", {}, "Objectives"), el("ul", {}, frame.objectives.filter((one) => one.status === "active").slice(0, 6).map((one) => el("li", {}, `${one.id} ${one.text}`)))];
  }
}

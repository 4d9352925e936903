// The head of a run's page: what it is, how it stands, and what was remarkable; always in sight.

import { el, figure } from "./dom.js";

// Who decides in a run: a model, or rules alone.
export const decider = (head) => (head.models?.length ? head.models.join(", ") : "none, it plays by rules");

const known = (text) => (text && text !== "unknown" ? text : "");

export class StoryHead {
  constructor(go) {
    this.go = go;
    this.standing = el("dl", { class: "standing" });
    this.chips = el("ul", { class: "highlights", "aria-label": "Highlights" });
    this.element = el("section", { class: "story", "aria-label": "The run so far" }, this.standing, this.chips);
  }

  // What was remarkable in the whole run, to be gone to.
  show(run) {
    const highlights = run.recap?.highlights ?? [];
    const shape = JSON.stringify(highlights);
    if (shape === this.shape) return;
    this.shape = shape;
    this.chips.hidden = !highlights.length;
    const more = highlights.filter((one) => !one.best).length;
    this.chips.replaceChildren(...highlights.map((one) => el("li", { class: one.best ? "" : "lesser" }, el("button", {
      type: "button", class: `chip ${one.kind.replace(" ", "-")}`, "data-turn": one.turn, title: one.text, onclick: () => this.go(one.turn),
    }, el("span", { class: "chip-turn" }, one.turn), el("span", { class: "chip-text" }, one.text)))),
    more ? el("li", {}, el("button", { type: "button", class: "chip", "aria-expanded": "false", onclick: (event) => this.toggle(event.target) }, `all ${highlights.length}`)) : "");
  }

  // All highlights, or only those that tell most.
  toggle(button) {
    const all = this.chips.classList.toggle("all");
    button.setAttribute("aria-expanded", String(all));
    button.textContent = all ? "fewer" : `all ${this.chips.querySelectorAll("[data-turn]").length}`;
  }

  // How the run stands after a turn; what only the frame tells follows it.
  move(run, turn, frame) {
    const row = run.rows[turn];
    if (!row) return;
    const { head } = run;
    const goal = frame ? frame.objectives.find((one) => one.status === "active")?.text ?? known(frame.beliefs?.overall_goal) : "";
    const tokens = run.rows.slice(0, turn + 1).reduce((sum, one) => sum + one.prompt_tokens + one.completion_tokens, 0);
    const gained = run.gained(turn);
    const of = head.max_score ? ` of ${head.max_score}` : "";
    const facts = [
      ["place", row.room], ["score", [`${figure(row.score)}${of}`, gained ? el("b", { class: gained > 0 ? "gain" : "loss" }, ` ${gained > 0 ? "+" : ""}${gained}`) : ""]],
      row.deaths ? ["deaths", row.deaths] : null,
      ["carries", frame ? frame.carried.join(", ") || "nothing" : null], ["goal", goal || (frame ? "none told" : null)],
      row.mode ? ["mode", el("span", { class: `swatch mode-${row.mode}` }, row.mode)] : null,
      ["model", `${decider(head)}${tokens ? `, ${figure(tokens)} tokens so far` : ""}`],
    ];
    const shown = facts.filter(Boolean).map(([name, told]) => {
      const before = told === null ? this.spot(name) : null; // It stays until the frame has come.
      return el("div", { class: `fact ${name}` }, el("dt", {}, name), before ?? el("dd", {}, told ?? ""));
    });
    this.standing.replaceChildren(...shown);
    for (const chip of this.chips.querySelectorAll("button")) chip.classList.toggle("now", Number(chip.dataset.turn) === turn);
  }

  spot(name) { return this.standing.querySelector(`.fact.${name} dd`); }
}

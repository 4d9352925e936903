// A turn as a waterfall: when each node ran, what it took, read and wrote, and what the turn changed.

import { bar, el, figure, fold, say, seconds, tree } from "./dom.js";
import { signButton } from "./icons.js";

const FIELDS = { world: "Things", map: "Map", beliefs: "Beliefs", objectives: "Objectives" };
const NEVER = 1e-6;

export class TraceView {
  constructor() {
    this.element = el("div", { class: "trace", tabindex: 0, "aria-label": "Trace of the turn" });
  }

  // `fork` starts a run from here, where the page may.
  show(run, frame, fork) {
    this.element.replaceChildren(
      el("h2", {}, `Nodes of turn ${frame.turn}`, el("span", { class: "note" }, " when each ran, for how long, and tokens asked + answered")),
      this.waterfall(frame.nodes),
      el("h2", {}, "What the turn changed"), this.changed(frame.changed_facts),
      el("h2", {}, "Go on from here"), this.onwards(run, frame.turn, fork));
  }

  // Opens what a node read and wrote.
  open(name) {
    const found = [...this.element.querySelectorAll(".node-row")].find((one) => one.dataset.node === name);
    if (!found) return;
    found.querySelector("details").open = true;
    found.scrollIntoView({ block: "nearest" });
  }

  waterfall(nodes) {
    if (!nodes.length) return el("p", { class: "empty" }, "No node has told anything of this turn.");
    const began = (one) => Date.parse(one.started) / 1000;
    const first = Math.min(...nodes.map(began));
    const whole = Math.max(NEVER, ...nodes.map((one) => began(one) - first + (one.seconds ?? 0)));
    const most = Math.max(1, ...nodes.map((one) => one.tokens[0] + one.tokens[1]));
    return el("ol", { class: "waterfall" }, nodes.map((one) => {
      const stretch = el("span", { class: `stretch${one.error ? " failed" : ""}` });
      stretch.style.left = `${Math.min(99, (began(one) - first) / whole * 100)}%`;
      stretch.style.width = `${Math.max(0.6, Math.min(100, (one.seconds ?? whole) / whole * 100))}%`;
      const [asked, answered] = one.tokens;
      return el("li", { class: "node-row", "data-node": one.name }, fold([
        el("span", { class: "node-title" }, el("b", {}, one.name.replaceAll("_", " ")), one.part ? el("span", { class: "note" }, ` ${one.part}`) : null),
        el("span", { class: "track" }, stretch),
        el("span", { class: "figure" }, one.seconds === null ? "at work" : seconds(one.seconds)),
        el("span", { class: "figure tokens" }, asked || answered ? [bar((asked + answered) / most, "tokens"), `${figure(asked)} + ${figure(answered)}`] : ""),
        one.error ? el("span", { class: "objection" }, one.error) : null],
      () => [el("h3", {}, "read"), tree(one.inputs), el("h3", {}, "wrote"), tree(one.outputs)], `node ${one.name}`));
    }));
  }

  changed(facts) {
    if (!facts.length) return el("p", { class: "note" }, "Nothing that is kept of the state, as far as can be seen here.");
    const kinds = [...new Set(facts.map((one) => one.of))];
    return el("div", { class: "changed" }, kinds.map((kind) => [el("h3", {}, FIELDS[kind] ?? kind),
      el("ul", {}, facts.filter((one) => one.of === kind).map((one) => el("li", {}, el("b", {}, one.what), " ",
        one.before ? el("del", {}, one.before) : null, one.before && one.after ? " " : null,
        one.after ? el("ins", {}, one.after) : el("span", { class: "note" }, " no longer known"))))]));
  }

  onwards(run, turn, fork) {
    const command = `zork fork ${run.name} --turn ${turn}`;
    return el("p", { class: "onwards" }, el("code", {}, command),
      signButton("copy", "Copy the command", () => navigator.clipboard?.writeText(command).then(() => say("copied"), () => say("it cannot be copied here"))),
      fork ? signButton("fork", "Play on differently from this turn, in a run of its own", fork, "Fork") : null);
  }
}

// The list of all runs, with filters.

import { el, figure } from "./dom.js";

const COLUMNS = [
  ["started", "started"], ["story", "story"], ["graph", "graph"], ["models", "model"], ["seed", "seed"],
  ["steps", "turns"], ["score", "score"], ["best_score", "best"], ["deaths", "deaths"], ["status", "end"],
];

export class RunList {
  constructor(heads) {
    this.heads = heads;
    this.wanted = { text: "", story: "", graph: "", model: "", status: "", since: "", least: "" };
    this.order = ["started", -1];
    this.body = el("tbody");
    this.count = el("p", { class: "note", role: "status" });
    this.compare = new Set();
    this.compareLink = el("a", { class: "button", hidden: true }, "Side by side");
    this.headings = COLUMNS.map(([id, label]) => el("th", { scope: "col", "aria-sort": "none" },
      el("button", { type: "button", onclick: () => this.sort(id) }, label)));
    this.element = el("section", { class: "run-list" }, el("h1", {}, "Runs"), this.filters(),
      this.count, this.compareLink, el("div", { class: "scroll" }, el("table", {},
        el("caption", { class: "hidden" }, "All runs"),
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, el("span", { class: "hidden" }, "compare")), el("th", { scope: "col" }, "run"), this.headings)),
        this.body)));
    this.draw();
  }

  filters() {
    const choices = (name, values) => el("label", {}, name, el("select",
      { onchange: (event) => this.want({ [name === "end" ? "status" : name]: event.target.value }) },
      el("option", { value: "" }, "any"), [...new Set(values)].sort().map((one) => el("option", { value: one }, one))));
    return el("form", { class: "filters", onsubmit: (event) => event.preventDefault() },
      el("label", {}, "search", el("input", { type: "search", oninput: (event) => this.want({ text: event.target.value }) })),
      choices("story", this.heads.map((one) => one.story ?? "")), choices("graph", this.heads.map((one) => one.graph ?? "")),
      choices("model", this.heads.flatMap((one) => one.models ?? [])), choices("end", this.heads.map((one) => one.status)),
      el("label", {}, "since", el("input", { type: "date", onchange: (event) => this.want({ since: event.target.value }) })),
      el("label", {}, "score at least", el("input", { type: "number", oninput: (event) => this.want({ least: event.target.value }) })));
  }

  want(change) {
    this.wanted = { ...this.wanted, ...change };
    this.draw();
  }

  sort(id) {
    this.order = [id, this.order[0] === id ? -this.order[1] : 1];
    this.draw();
  }

  fits(one) {
    const { text, story, graph, model, status, since, least } = this.wanted;
    return (!text || JSON.stringify(one).toLowerCase().includes(text.toLowerCase()))
      && (!story || one.story === story) && (!graph || one.graph === graph)
      && (!model || (one.models ?? []).includes(model)) && (!status || one.status === status)
      && (!since || (one.started ?? "") >= since) && (least === "" || (one.score ?? -Infinity) >= Number(least));
  }

  draw() {
    const [id, way] = this.order;
    const found = this.heads.filter((one) => this.fits(one)).sort((a, b) => {
      const [x, y] = [a[id] ?? "", b[id] ?? ""];
      return (x < y ? -1 : x > y ? 1 : 0) * way;
    });
    this.headings.forEach((one, n) => one.setAttribute("aria-sort",
      COLUMNS[n][0] !== id ? "none" : way > 0 ? "ascending" : "descending"));
    this.count.textContent = `${found.length} of ${this.heads.length} runs`;
    this.body.replaceChildren(...found.map((one) => this.row(one)));
  }

  row(one) {
    const value = (id) => id === "status" && one.status === "steps" ? "all commands played" : id === "started" ? (one.started ?? "").slice(0, 16).replace("T", " ")
      : id === "score" && one.max_score ? `${figure(one.score)} / ${one.max_score}`
        : Array.isArray(one[id]) ? one[id].join(", ") : figure(one[id]);
    return el("tr", {}, el("td", {}, el("input", { type: "checkbox", "aria-label": `Compare ${one.id}`, checked: this.compare.has(one.id), onchange: (event) => this.tick(one.id, event.target.checked) })),
      el("td", {}, el("a", { href: `#/run/${encodeURIComponent(one.id)}` }, one.title ?? one.id), one.title ? el("div", { class: "note" }, one.id) : null, one.parent ? el("div", { class: "note" }, `fork of ${one.parent.run_id} at ${one.parent.turn}`) : null, one.error ? el("div", { class: "objection" }, one.error) : null),
      COLUMNS.map(([id, label]) => el("td", { class: id === "status" ? `end ${one.status}` : "", "data-label": label }, value(id))));
  }

  tick(id, on) {
    if (on) this.compare.add(id);
    else this.compare.delete(id);
    const [one, other] = [...this.compare].slice(-2);
    this.compareLink.hidden = !other;
    if (other) this.compareLink.setAttribute("href", `#/compare/${encodeURIComponent(one)}/${encodeURIComponent(other)}`);
  }
}

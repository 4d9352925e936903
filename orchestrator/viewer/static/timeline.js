// The time line: score, modes, deaths, objections, faults and points gained, turn by turn.

import { el, shown, svg } from "./dom.js";

const HEIGHT = 88;
const LOW = 66;
const TOP = 16;
const FOOT = 30;
const LEFT = 34;
const RIGHT = 12;
const BANDS = 8;
const MARKS = [["gain", "points"], ["death", "death"], ["objection", "objection"], ["fault", "fault"]];
const NARROW = 640; // A time line on a phone is lower.

export class Timeline {
  constructor(seek) {
    this.seek = seek;
    this.picture = svg("svg", { class: "timeline-picture", "aria-hidden": "true" });
    this.slider = el("input", {
      type: "range", min: 0, max: 0, value: 0, class: "slider", "aria-label": "Turn",
      oninput: () => this.seek(Number(this.slider.value)),
    });
    this.legend = el("div", { class: "legend", "aria-hidden": "true" });
    this.element = el("section", { class: "timeline", "aria-label": "Time line" },
      this.picture, this.slider, this.legend);
    this.runs = [];
    this.turn = 0;
    new ResizeObserver(() => this.draw()).observe(this.element);
    this.picture.addEventListener("pointerdown", (event) => this.drag(event));
    this.picture.addEventListener("pointermove", (event) => event.buttons && this.drag(event));
  }

  // One run, or two whose curves are to be compared.
  show(...runs) {
    this.runs = runs;
    this.draw();
  }

  move(turn) {
    this.turn = turn;
    this.slider.value = turn;
    const row = this.runs[0]?.rows[turn];
    if (row) {
      this.slider.setAttribute("aria-valuetext",
        shown(`turn ${turn}, ${row.command || "opening"}, score ${row.score}`));
    }
    if (this.cursor) {
      const x = this.across(turn);
      this.cursor.setAttribute("x1", x);
      this.cursor.setAttribute("x2", x);
    }
  }

  get first() { return Math.min(...this.runs.map((run) => run.first)); }

  get last() { return Math.max(this.first + 1, ...this.runs.map((run) => run.last)); }

  across(turn) { return LEFT + (this.width - LEFT - RIGHT) * (turn - this.first) / (this.last - this.first); }

  drag(event) {
    const x = event.clientX - this.picture.getBoundingClientRect().left;
    const share = (x - LEFT) / (this.width - LEFT - RIGHT);
    this.seek(this.at(Math.max(0, Math.min(1, share))));
  }

  at(share) {
    return Math.round(this.first + share * (this.last - this.first));
  }

  draw() {
    this.width = this.element.clientWidth;
    if (!this.runs.length || !this.width) return;
    this.height = this.width < NARROW ? LOW : HEIGHT;
    this.picture.setAttribute("height", this.height);
    this.slider.style.top = `${this.height - FOOT + 4}px`;
    this.slider.min = this.first;
    this.slider.max = this.last;
    const scores = this.runs.flatMap((run) => run.rows.filter(Boolean).map((row) => row.score));
    this.most = scores.reduce((a, b) => Math.max(a, b), 1);
    this.least = scores.reduce((a, b) => Math.min(a, b), 0);
    this.cursor = svg("line", { class: "cursor", y1: TOP - 10, y2: this.height - FOOT + BANDS + 4 });
    this.picture.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    this.marked = new Set();
    const marks = this.runs.length === 1 ? this.marks(this.runs[0]) : [];
    this.picture.replaceChildren(
      ...this.axis(), ...this.bands(this.runs[0]),
      ...this.runs.map((run, n) => this.curve(run, n)), ...marks, this.cursor);
    this.move(this.turn);
  }

  up(score) {
    return this.height - FOOT - (this.height - FOOT - TOP) * (score - this.least) / (this.most - this.least);
  }

  axis() {
    const turns = [0, 0.25, 0.5, 0.75, 1].map((share) => this.at(share));
    return [
      ...[this.least, this.most].flatMap((score) => [
        svg("line", { class: "rule", x1: LEFT, x2: this.width - RIGHT, y1: this.up(score), y2: this.up(score) }),
        svg("text", { class: "tick", x: LEFT - 6, y: this.up(score) + 4, "text-anchor": "end" }, score),
      ]),
      ...[...new Set(turns)].map((turn) => svg("text",
        { class: "tick", x: this.across(turn), y: this.height - 4, "text-anchor": "middle" }, turn)),
    ];
  }

  bands(run) {
    const found = [];
    const names = [];
    for (const row of run.rows) {
      if (!row || !row.mode) continue;
      if (!names.includes(row.mode)) names.push(row.mode);
      const open = found.at(-1);
      if (open && open.mode === row.mode && open.end === row.turn - 1) open.end = row.turn;
      else found.push({ mode: row.mode, start: row.turn, end: row.turn });
    }
    this.legend.replaceChildren(
      ...names.map((name) => el("span", { class: `swatch mode-${name}` }, name)),
      ...(this.runs.length > 1 ? this.runs.map((one, n) => el("span", { class: `line-${n}` }, one.name))
        : MARKS.filter(([kind]) => this.marked.has(kind)).map(([kind, told]) => el("span", { class: `mark-${kind}` }, told))));
    const edge = (turn) => this.across(Math.max(this.first, Math.min(this.last, turn)));
    return found.map((band) => svg("rect", {
      class: `band mode-${band.mode}`,
      x: edge(band.start - 0.5), y: this.height - FOOT + 4, height: BANDS,
      width: Math.max(1, edge(band.end + 0.5) - edge(band.start - 0.5)),
    }, svg("title", {}, `${band.mode}: turns ${band.start} to ${band.end}`)));
  }

  curve(run, n) {
    let path = "";
    let before;
    for (const row of run.rows) {
      if (!row) continue;
      const x = this.across(row.turn).toFixed(1);
      if (before === undefined) path += `M${x},${this.up(row.score).toFixed(1)}`;
      else if (row.score !== before) path += `H${x}V${this.up(row.score).toFixed(1)}`;
      before = row.score;
    }
    return svg("path", { class: `curve curve-${n}`, d: path && `${path}H${this.across(run.last).toFixed(1)}` });
  }

  marks(run) {
    const found = [];
    let before;
    for (const row of run.rows) {
      if (!row) continue;
      const x = this.across(row.turn);
      const kinds = [];
      if (row.gained > 0) kinds.push(["gain", `${row.gained} points`]);
      if (before && row.deaths > before.deaths) kinds.push(["death", "death"]);
      if (before && row.faults > before.faults) kinds.push(["fault", "a command that could not be played"]);
      if (row.attempts > 1) kinds.push(["objection", `${row.attempts - 1} objections`]);
      if (row.error) kinds.push(["fault", row.error]);
      for (const [kind, told] of kinds) found.push(this.mark(kind, x, row, told));
      before = row;
    }
    return found;
  }

  mark(kind, x, row, told) {
    this.marked.add(kind);
    const y = this.up(row.score);
    const shapes = {
      gain: () => svg("circle", { class: "mark gain", cx: x, cy: y, r: 3.5 }),
      death: () => svg("path", { class: "mark death", d: `M${x - 4},${y - 10}l8,8m0,-8l-8,8` }),
      fault: () => svg("rect", { class: "mark fault", x: x - 3, y: TOP - 10, width: 6, height: 6 }),
      objection: () => svg("path", { class: "mark objection", d: `M${x},${TOP - 2}l-4,-7h8z` }),
    };
    const shape = shapes[kind]();
    shape.append(svg("title", {}, shown(`turn ${row.turn}: ${told}`)));
    return shape;
  }
}

// Maps and diagrams, drawn where the server put them, to be moved and zoomed.

import { button, el, shown, svg } from "./dom.js";

const MOST_SHRUNK = 1.25; // Beyond it labels are hard to read; then a part is shown.
const ALL_SHRUNK = 2; // But a picture in which nothing is looked for is shown as a whole up to here.
const BESIDE = 100; // So far from the edge the player is seen well.
const MARGIN = 40; // So many pixels of nothing are shown around a picture.

const path = (points) => `M${points.map((point) => point.join(",")).join("L")}`;

// A picture that can be dragged, zoomed by wheel, keys and buttons; it stays where it was put.
export class Board {
  constructor(label) {
    this.picture = svg("svg", { class: "board-picture", role: "img", "aria-label": label, tabindex: 0 });
    this.empty = el("p", { class: "empty" });
    this.element = el("div", { class: "board" }, this.picture, this.empty,
      el("div", { class: "board-tools" },
        button("+", "Larger", () => this.zoom(0.8)), button("−", "Smaller", () => this.zoom(1.25)),
        button("⤢", "All of it", () => this.fit())));
    this.scale = 1;
    this.centre = null;
    this.pointers = new Map();
    this.picture.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey && !event.shiftKey && document.activeElement !== this.picture) return;
      event.preventDefault();
      this.zoom(event.deltaY > 0 ? 1.15 : 0.87);
    }, { passive: false });
    this.picture.addEventListener("pointerdown", (event) => this.pointers.set(event.pointerId, event));
    this.picture.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
      this.picture.addEventListener(end, (event) => this.pointers.delete(event.pointerId));
    }
    this.picture.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.place()).observe(this.element);
  }

  drag(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before || !this.centre) return;
    this.pointers.set(event.pointerId, event);
    this.centre = [
      this.centre[0] - (event.clientX - before.clientX) * this.scale,
      this.centre[1] - (event.clientY - before.clientY) * this.scale,
    ];
    this.place();
  }

  key(event) {
    const step = { ArrowLeft: [-80, 0], ArrowRight: [80, 0], ArrowUp: [0, -80], ArrowDown: [0, 80] }[event.key];
    if (step && this.centre) this.centre = [this.centre[0] + step[0], this.centre[1] + step[1]];
    else if (event.key === "+") this.scale *= 0.8;
    else if (event.key === "-") this.scale *= 1.25;
    else if (event.key === "0") this.fit();
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.place();
  }

  zoom(by) {
    this.scale *= by;
    this.place();
  }

  fit() {
    const [x, y, width, height] = this.view ?? [0, 0, 100, 100];
    const { clientWidth, clientHeight } = this.picture;
    this.centre = [x + width / 2, y + height / 2];
    this.scale = Math.max((width + 40) / (clientWidth || 1), (height + 40) / (clientHeight || 1), 1);
    this.place();
  }

  place() {
    const { clientWidth, clientHeight } = this.picture;
    if (!this.centre || !clientWidth) return;
    const width = clientWidth * this.scale;
    const height = clientHeight * this.scale;
    this.picture.setAttribute("viewBox",
      `${this.centre[0] - width / 2} ${this.centre[1] - height / 2} ${width} ${height}`);
  }

  show(view, parts, focus) {
    this.empty.textContent = "";
    this.view = view;
    this.picture.replaceChildren(arrows(), ...parts);
    if (!this.centre) {
      this.fit();
      if (this.scale > (focus ? MOST_SHRUNK : ALL_SHRUNK)) {
        this.scale = MOST_SHRUNK;
        this.turnTo(focus ?? [view[0] + view[2] / 2, view[1]]);
      }
    }
    if (focus && !this.sees(focus)) this.turnTo(focus);
    this.place();
  }

  // A point in the middle, or as near to it as can be without showing what is beyond the picture.
  turnTo(point) {
    const [x, y, width, height] = this.view;
    const middle = (low, length, shown, wanted) => (length + 2 * MARGIN <= shown ? low + length / 2
      : Math.max(low - MARGIN + shown / 2, Math.min(low + length + MARGIN - shown / 2, wanted)));
    const { clientWidth, clientHeight } = this.picture;
    this.centre = [middle(x, width, clientWidth * this.scale, point[0]),
      middle(y, height, clientHeight * this.scale, point[1])];
  }

  nothing(text) {
    this.picture.replaceChildren();
    this.empty.textContent = shown(text);
  }

  // Whether a point is well inside of what is shown.
  sees([x, y]) {
    if (!this.centre) return false;
    const { clientWidth, clientHeight } = this.picture;
    const inside = (wanted, middle, shown) => Math.abs(wanted - middle) < shown / 2 - BESIDE;
    return inside(x, this.centre[0], clientWidth * this.scale)
      && inside(y, this.centre[1], clientHeight * this.scale);
  }
}

function arrows() {
  return svg("defs", {}, ["arrow", "arrow-path"].map((id) => svg("marker", {
    id, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 9, markerHeight: 9,
    markerUnits: "userSpaceOnUse", orient: "auto",
  }, svg("path", { d: "M0,0L10,5L0,10z", class: id }))));
}

export function showMap(board, map) {
  if (!map || !map.rooms.length) {
    board.nothing(map ? "No room is known yet." : "No state of this turn is kept that can be read here, so there is no map.");
    return;
  }
  const here = map.rooms.find((room) => room.id === map.here);
  const centre = here && [here.box[0] + here.box[2] / 2, here.box[1] + here.box[3] / 2];
  const lines = [...map.lines].sort((a, b) => a.on_path - b.on_path);
  board.show(map.view, [
    ...lines.map(way), ...map.stubs.map(stub), ...map.rooms.map((room) => roomBox(room, map.here)),
    ...map.labels.map((label) => svg("text",
      { class: "way-label", x: label.box[0] + label.box[2] / 2, y: label.box[1] + label.box[3] - 3 }, label.text)),
  ], centre);
  board.picture.setAttribute("aria-label", shown(`Map of ${map.rooms.length} rooms. `
    + `The player is in ${here ? here.all[0] : "no known room"}.`));
}

function way(line) {
  const kinds = ["way", line.compass ? "" : "other", line.random ? "random" : line.walked ? "" : "supposed",
    line.on_path ? "on-path" : ""];
  return svg("path", {
    class: kinds.filter(Boolean).join(" "), d: path(line.points),
    "marker-end": line.one_way ? `url(#${line.on_path ? "arrow-path" : "arrow"})` : null,
  }, svg("title", {}, line.told));
}

function stub({ start, end, kind, why }) {
  const [x, y] = end;
  const mark = kind === "blocked"
    ? svg("path", { d: `M${x - 4},${y - 4}l8,8m0,-8l-8,8` }) : svg("circle", { cx: x, cy: y, r: 4 });
  return svg("g", { class: `stub ${kind}` }, svg("title", {}, why || kind), svg("path", { d: path([start, end]) }), mark);
}

function roomBox(room, here) {
  const [x, y, width, height] = room.box;
  const texts = [...room.title.map((text) => ["room-title", 15, text]), ...room.things.map((text) => ["thing", 13, text])];
  let down = y + height / 2 - texts.reduce((sum, [, step]) => sum + step, 0) / 2 - 3;
  return svg("g", { class: `room${room.dark ? " dark" : ""}${room.id === here ? " here" : ""}` },
    svg("title", {}, `${room.id} ${room.all[0]}${room.all.length > 1 ? `: ${room.all.slice(1).join(", ")}` : ""}`),
    svg("rect", { x, y, width, height, rx: 6 }),
    texts.map(([kind, step, text]) => {
      down += step;
      return svg("text", { class: kind, x: x + width / 2, y: down }, text);
    }),
    room.id === here ? svg("circle", { class: "player", cx: x + 9, cy: y + 9, r: 5 }) : null);
}

// `notes` tells more of a node, `lit` names those that are active.
export function showDiagram(board, diagram, notes = {}, lit = []) {
  if (!diagram || !diagram.nodes.length) {
    board.nothing(diagram ? "Nothing is known to need anything yet." : "No state of this turn is kept that can be read here.");
    return;
  }
  board.show(diagram.view, [
    ...diagram.edges.map((edge) => svg("path",
      { class: `way${edge.sure ? "" : " supposed"}`, d: path(edge.points), "marker-end": "url(#arrow)" })),
    ...diagram.nodes.map(({ id, name, box: [x, y, width, height] }) => svg("g",
      { class: `node${lit.includes(id) ? " lit" : ""}${notes[id] ? " used" : ""}` },
      svg("title", {}, name), svg("rect", { x, y, width, height, rx: 6 }),
      svg("text", { class: "node-name", x: x + width / 2, y: y + height / 2 + (notes[id] ? -3 : 4) },
        short(name)),
      notes[id] ? svg("text", { class: "thing", x: x + width / 2, y: y + height / 2 + 13 }, notes[id]) : null)),
    ...diagram.edges.filter((edge) => edge.label).map((edge) => {
      const [[x1, y1], [x2, y2]] = edge.points;
      return svg("text", { class: "way-label", x: (x1 + x2) / 2, y: (y1 + y2) / 2 + 4 }, edge.label);
    }),
  ]);
}

// A node's name without who plays it, cut to fit its box.
function short(name) {
  const own = name.replace(/ \(.*\)$/, "");
  return own.length > 20 ? `${own.slice(0, 19)}…` : own;
}

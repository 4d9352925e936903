// A picture that can be dragged and zoomed by wheel, keys and buttons.

import { el, shown, svg } from "./dom.js";
import { signButton } from "./icons.js";

const MARGIN = 24; // So many pixels of nothing are shown around a picture.
const LARGEST = 0.8; // A small picture is enlarged at most to this many units a pixel.
const FARTHEST = 2; // Units a pixel, beyond which names are hard to read; then a part is shown.
const BESIDE = 100; // So far from the edge the player is seen well.
const STEPS = 10; // Of shrinking, for each of which texts are set anew.

export const path = (points) => `M${points.map((point) => point.join(",")).join("L")}`;

// It shows all of what it is given until it is moved; then it stays where it was put.
export class Board {
  static count = 0;

  constructor(label, ...tools) {
    this.id = Board.count++;
    this.picture = svg("svg", { class: "board-picture", role: "img", "aria-label": label, tabindex: 0 });
    this.empty = el("p", { class: "empty" });
    this.sheet = el("div", { class: "board-sheet" }, this.picture, this.empty);
    this.element = el("div", { class: "board" }, this.sheet,
      el("div", { class: "board-tools" }, tools,
        signButton("larger", "Larger (+)", () => this.zoom(0.8)), signButton("smaller", "Smaller (-)", () => this.zoom(1.25)),
        signButton("all", "All of it (0)", () => this.fit(Infinity)), signButton("screen", "Full screen, and back (Escape)", () => this.toggleFull())));
    this.scale = 1;
    this.centre = null;
    this.whole = true;
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
    new ResizeObserver(() => (this.whole ? this.fit() : this.place())).observe(this.sheet);
  }

  get isFull() { return this.element.classList.contains("full"); }

  toggleFull() {
    this.element.classList.toggle("full");
    this.fit();
  }

  drag(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before || !this.centre) return;
    this.pointers.set(event.pointerId, event);
    this.move(before.clientX - event.clientX, before.clientY - event.clientY);
  }

  move(across, down) {
    if (!this.centre || (!across && !down)) return;
    this.whole = false;
    this.centre = [this.centre[0] + across * this.scale, this.centre[1] + down * this.scale];
    this.place();
  }

  key(event) {
    const step = { ArrowLeft: [-80, 0], ArrowRight: [80, 0], ArrowUp: [0, -80], ArrowDown: [0, 80] }[event.key];
    if (step) this.move(...step);
    else if (event.key === "+") this.zoom(0.8);
    else if (event.key === "-") this.zoom(1.25);
    else if (event.key === "0") this.fit(Infinity);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  zoom(by) {
    this.whole = false;
    this.scale *= by;
    this.place();
  }

  // All of it, or as much as is legible.
  fit(farthest = this.farthest) {
    if (!this.view) return;
    const [x, y, width, height] = this.view;
    const { clientWidth, clientHeight } = this.picture;
    this.whole = true;
    this.centre = [x + width / 2, y + height / 2];
    const wanted = Math.max(width / Math.max(1, clientWidth - 2 * MARGIN), height / Math.max(1, clientHeight - 2 * MARGIN), LARGEST);
    this.scale = Math.min(farthest, wanted);
    if (wanted > farthest) this.centre = this.focus ?? [this.centre[0], y + (clientHeight / 2 - MARGIN) * this.scale];
    this.place();
  }

  place() {
    const { clientWidth, clientHeight } = this.picture;
    if (!this.centre || !clientWidth) return;
    const width = clientWidth * this.scale;
    const height = clientHeight * this.scale;
    this.picture.setAttribute("viewBox", `${this.centre[0] - width / 2} ${this.centre[1] - height / 2} ${width} ${height}`);
    const shrunk = Math.max(1, Math.ceil(this.scale * STEPS - 0.001) / STEPS);
    if (shrunk !== this.shrunk) this.draw(shrunk);
  }

  draw(shrunk) {
    this.shrunk = shrunk;
    this.picture.replaceChildren(arrows(this.id, 9 * Math.min(2, shrunk), this.inset(shrunk)), ...this.make(shrunk));
  }

  get farthest() { return FARTHEST; }

  // So far before the end of a line its arrow points.
  inset() { return 0; }

  // `make` draws for a measure of shrinking, so that texts stay legible; `focus` is to be seen.
  show(view, make, focus) {
    this.empty.textContent = "";
    this.view = view;
    this.make = make;
    this.focus = focus;
    this.shrunk = null;
    if (this.whole || !this.centre) this.fit();
    else {
      if (focus && !this.sees(focus)) this.centre = focus;
      this.place();
    }
  }

  nothing(text) {
    this.view = this.centre = null;
    this.picture.replaceChildren();
    this.empty.textContent = shown(text);
  }

  // Whether a point is well inside of what is shown.
  sees([x, y]) {
    const { clientWidth, clientHeight } = this.picture;
    const inside = (value, middle, pixels) => Math.abs(value - middle) < Math.max(0, pixels / 2 - BESIDE) * this.scale;
    return inside(x, this.centre[0], clientWidth) && inside(y, this.centre[1], clientHeight);
  }
}

function arrows(id, size, inset) {
  return svg("defs", {}, ["arrow", "arrow-path"].map((kind) => svg("marker", {
    id: `${kind}-${id}`, viewBox: "0 0 10 10", refX: 9 + inset * 10 / size, refY: 5, markerWidth: size, markerHeight: size,
    markerUnits: "userSpaceOnUse", orient: "auto",
  }, svg("path", { d: "M0,0L10,5L0,10z", class: kind }))));
}

// Lines of so many letters; what does not fit ends in three dots.
export function wrapped(text, columns, most) {
  const lines = [];
  let line = "";
  const words = text.split(/\s+/).filter(Boolean).map((word) => (word.length > columns ? `${word.slice(0, columns - 1)}…` : word));
  for (const [n, word] of words.entries()) {
    const longer = line ? `${line} ${word}` : word;
    if (longer.length <= columns) line = longer;
    else if (lines.length === most - 1) {
      const cut = `${line} ${words.slice(n).join(" ")}`;
      line = `${cut.slice(0, columns - 1).replace(/…$/, "")}…`;
      break;
    } else {
      lines.push(line);
      line = word;
    }
  }
  return line ? [...lines, line] : lines;
}

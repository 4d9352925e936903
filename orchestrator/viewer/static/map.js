// The map: rooms and the ways between them; what was walked, what is guessed, what nobody tried.

import { button, el, shown, svg } from "./dom.js";
import { signButton } from "./icons.js";
import { Board, path, wrapped } from "./board.js";

const SMALLEST = 11; // Pixels of the smallest letters on the screen.
const [BOLD_WIDE, WIDE] = [0.66, 0.58]; // Width of a letter by its height.
const HIGH = 1.12; // Of a line.
const LEAST_COLUMNS = 6; // Where fewer letters fit into a box, it has its number alone.
const FARTHEST_MAP = 6.5; // Units a pixel, beyond which not even a room's number is legible.
const CROWDED = 1.2; // Beyond this measure of shrinking there is no place for things and ways' names.
const GROWN = [10, 14]; // So much wider and higher on each side is a box where it is crowded.
const MOST_TURNS = 14;
const LONGEST_REPLY = 90;
const SHARP = 2; // Pixels of a saved picture for one of the drawing.

const KINDS = [ // What the legend tells, and where on the map it is.
  ["walked both ways", "way", (map) => map.lines.some((one) => one.walked && !one.one_way && one.compass && !one.random)],
  ["walked one way", "way one-way", (map) => map.lines.some((one) => one.walked && one.one_way && !one.random)],
  ["up, down, other commands", "way other", (map) => map.lines.some((one) => !one.compass && one.walked)],
  ["guessed", "way supposed", (map) => map.lines.some((one) => !one.walked)],
  ["leads to different places", "way random", (map) => map.lines.some((one) => one.random)],
  ["the last turns", "way on-path", (map) => map.lines.some((one) => one.on_path)],
  ["untried", "stub untried", (map) => map.stubs.some((one) => one.kind === "untried")],
  ["refused", "stub blocked", (map) => map.stubs.some((one) => one.kind === "blocked")],
  ["leads back", "stub loop", (map) => map.stubs.some((one) => one.kind === "loop")],
];

export class MapBoard extends Board {
  constructor(label, go) {
    const rooms = el("select", { class: "room-choice", "aria-label": "Room", title: "What is known of a room" });
    super(label, rooms, signButton("save", "Save as SVG", () => this.save("svg"), "SVG"), signButton("save", "Save as PNG", () => this.save("png"), "PNG"));
    this.go = go;
    this.rooms = rooms;
    this.notes = el("aside", { class: "room-notes", hidden: true, tabindex: -1, "aria-label": "Room" });
    this.legend = el("div", { class: "map-legend", "aria-label": "What the lines mean" });
    this.sheet.append(this.notes);
    this.element.append(this.legend);
    rooms.addEventListener("change", () => this.pick(rooms.value));
    this.picture.addEventListener("click", (event) => this.pick(event.target.closest(".room")?.dataset.room ?? ""));
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      if (this.picked) this.pick("");
      else if (this.isFull) this.toggleFull();
    });
  }

  showMap(run, turn, map) {
    this.run = run;
    this.turn = turn;
    this.map = map?.rooms.length ? map : null;
    if (!this.map) {
      this.nothing(map ? "No room is known yet." : "No state of this turn is kept that can be read here, so there is no map.");
      this.rooms.replaceChildren();
      this.legend.replaceChildren();
      this.pick("");
      return;
    }
    const here = map.rooms.find((room) => room.id === map.here);
    this.show(map.view, (shrunk) => drawn(map, shrunk, this.id), here && [here.box[0] + here.box[2] / 2, here.box[1] + here.box[3] / 2]);
    this.picture.setAttribute("aria-label", shown(`Map of ${map.rooms.length} rooms. The player is in ${here ? here.title : "no known room"}.`));
    this.rooms.replaceChildren(el("option", { value: "" }, `${map.rooms.length} rooms`),
      ...map.rooms.map((one) => el("option", { value: one.id }, `${one.id} ${one.title}`)));
    this.legend.replaceChildren(...KINDS.filter(([, , on]) => on(map)).map(([told, kind]) => el("span", {}, swatch(kind), told)));
    this.pick(map.rooms.some((one) => one.id === this.picked) ? this.picked : "");
  }

  get farthest() { return FARTHEST_MAP; }

  inset(shrunk) { return shrunk > CROWDED ? Math.min(...GROWN) : 0; }

  // What is known of a room; nothing for none.
  pick(id) {
    const room = this.map?.rooms.find((one) => one.id === id);
    this.picked = room ? id : "";
    this.rooms.value = this.picked;
    this.notes.hidden = !room;
    for (const one of this.picture.querySelectorAll(".room")) one.classList.toggle("picked", one.dataset.room === this.picked);
    if (room) this.notes.replaceChildren(...this.told(room));
  }

  told(room) {
    const turns = this.run.turnsIn(room.id, this.turn);
    const ways = this.map.lines.filter((one) => one.start === room.id || one.end === room.id);
    const untried = this.map.stubs.filter((one) => one.room === room.id && one.kind === "untried").map((one) => one.direction);
    const name = (id) => (id === room.id ? "here" : [id, this.map.rooms.find((one) => one.id === id)?.title].filter(Boolean).join(" "));
    const named = (told) => told.replace(/\bL\d+\b/g, name);
    const at = (turn) => button(turn, `Turn ${turn}`, () => this.go(turn), { class: "number" });
    const reply = (turn) => this.run.rows[turn]?.text.trim().split("\n")[0].slice(0, LONGEST_REPLY) ?? "";
    return [el("div", { class: "notes-head" }, el("h2", {}, `${room.id} ${room.title}`), signButton("close", "Close", () => this.pick(""))),
      el("p", {}, el("b", {}, "turns "), turns.slice(-MOST_TURNS).map((row) => at(row.turn)), turns.length > MOST_TURNS ? ` and ${turns.length - MOST_TURNS} before` : ""),
      el("p", {}, el("b", {}, "things "), room.things.join(", ") || "none known"),
      ways.length ? [el("b", {}, "ways"), el("ul", {}, ways.map((one) => el("li", {}, named(one.told))))] : null,
      untried.length ? el("p", {}, el("b", {}, "untried "), untried.join(", ")) : null,
      room.failed.length ? [el("b", {}, "failed tries"), el("ul", {}, room.failed.map(([turn, command]) => el("li", {}, at(turn), el("code", {}, command), ` ${reply(turn)}`)))] : null,
    ].flat().filter(Boolean);
  }

  save(kind) {
    if (!this.map) return;
    const [x, y, width, height] = this.view.map((number, n) => number + [-20, -20, 40, 40][n]);
    const picture = svg("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `${x} ${y} ${width} ${height}`, width, height, "font-family": "DejaVu Sans, Verdana, sans-serif" },
      svg("style", {}), svg("rect", { x, y, width, height, class: "sheet" }));
    picture.firstChild.textContent = mapStyle();
    const marks = this.picture.querySelector("defs").cloneNode(true);
    picture.append(marks, ...drawn(this.map, 1, this.id));
    const text = new XMLSerializer().serializeToString(picture);
    const name = `${this.run.name}-t${this.turn}.${kind}`;
    if (kind === "svg") download(new Blob([text], { type: "image/svg+xml" }), name);
    else asPng(text, width, height, (blob) => download(blob, name));
  }
}

function drawn(map, shrunk, board) {
  const size = shrunk > 1 ? SMALLEST * shrunk : 12.5;
  const small = shrunk > 1 ? SMALLEST * shrunk : 11.5;
  const twins = map.rooms.map((one) => one.title).filter((one, n, all) => all.indexOf(one) !== n);
  const lines = [...map.lines].sort((a, b) => a.on_path - b.on_path);
  const labels = shrunk > CROWDED ? [] : map.labels;
  return [...lines.map((one) => way(one, board)),
    ...map.rooms.map((room) => roomBox(room, map.here, shrunk, size, small, twins)), ...map.stubs.map(stub),
    ...labels.map(({ text, box }) => svg("text", { class: "way-label", "font-size": small, x: box[0] + box[2] / 2, y: box[1] + box[3] / 2 + small * 0.36 }, text))];
}

function way(line, board) {
  const kinds = ["way", line.compass ? "" : "other", line.random ? "random" : line.walked ? "" : "supposed", line.on_path ? "on-path" : ""];
  return svg("path", {
    class: kinds.filter(Boolean).join(" "), d: path(line.points),
    "marker-end": line.one_way ? `url(#${line.on_path ? "arrow-path" : "arrow"}-${board})` : null,
  }, svg("title", {}, line.told));
}

function stub({ start, end, kind, why, direction }) {
  return svg("g", { class: `stub ${kind}` }, svg("title", {}, why || `${direction}: ${kind}`), svg("path", { d: path([start, end]) }), mark(kind, end));
}

const mark = (kind, [x, y]) => (kind === "blocked"
  ? svg("path", { class: "cross", d: `M${x - 4},${y - 4}l8,8m0,-8l-8,8` }) : svg("circle", { cx: x, cy: y, r: 4 }));

function roomBox(room, here, shrunk, size, small, twins) {
  const [left, top] = shrunk > CROWDED ? GROWN : [0, 0];
  const [x, y, width, height] = [room.box[0] - left, room.box[1] - top, room.box[2] + 2 * left, room.box[3] + 2 * top];
  const columns = Math.floor((width - 4) / (size * (left ? WIDE : BOLD_WIDE)));
  const rows = Math.max(1, Math.floor(height / (size * HIGH)));
  const named = shrunk <= CROWDED || twins.includes(room.title) ? `${room.id} ${room.title}` : room.title;
  const title = columns < LEAST_COLUMNS ? [room.id] : wrapped(named || "darkness", columns, Math.min(rows, 3));
  const free = shrunk > CROWDED ? 0 : Math.min(2, Math.floor((height - 6 - title.length * size * HIGH) / (small * HIGH)));
  const things = free > 0 ? wrapped(room.things.join(", "), Math.floor((width - 8) / (small * WIDE)), free) : [];
  const texts = [...title.map((text) => [shrunk > CROWDED ? "room-title far" : "room-title", size, text]), ...things.map((text) => ["thing", small, text])];
  let down = y + height / 2 - texts.reduce((sum, [, step]) => sum + step * HIGH, 0) / 2 - size * 0.2;
  return svg("g", { class: `room${room.dark ? " dark" : ""}${room.id === here ? " here" : ""}`, "data-room": room.id },
    svg("title", {}, `${room.id} ${room.title}${room.things.length ? `: ${room.things.join(", ")}` : ""}`),
    svg("rect", { x, y, width, height, rx: 6 }),
    texts.map(([kind, step, text]) => {
      down += step * HIGH;
      return svg("text", { class: kind, "font-size": step, x: x + width / 2, y: down }, text);
    }),
    room.id === here ? svg("circle", { class: "player", cx: x + 9, cy: y + 9, r: 5 * Math.min(2, shrunk) }) : null);
}

function swatch(kind) {
  const [what, which] = kind.split(" ");
  const inner = what === "stub" ? [svg("path", { d: "M1,6L14,6" }), mark(which, [19, 6])]
    : which === "one-way" ? [svg("path", { d: "M1,6L20,6" }), svg("path", { class: "arrow", d: "M17,1L26,6L17,11z" })] : svg("path", { d: "M1,6L26,6" });
  return svg("svg", { class: "line-swatch", viewBox: "0 0 27 12", width: 27, height: 12, "aria-hidden": "true" },
    what === "stub" ? svg("g", { class: kind }, inner) : svg("g", { class: "swatch-line" }, [inner].flat().map((one) => {
      if (!one.classList.contains("arrow")) one.setAttribute("class", kind);
      return one;
    })));
}

// The rules for drawings, with the colours of now, for a file that stands alone.
function mapStyle() {
  const now = getComputedStyle(document.documentElement);
  const drawing = /\.(sheet|room|way|stub|thing|arrow|player)/;
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).filter((rule) => drawing.test(rule.selectorText ?? ""));
  return rules.map((rule) => rule.cssText.replace(/var\((--[\w-]+)\)/g, (_, name) => now.getPropertyValue(name))).join("\n");
}

function asPng(text, width, height, done) {
  const image = new Image();
  image.onload = () => {
    const canvas = el("canvas", { width: width * SHARP, height: height * SHARP });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob(done, "image/png");
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
}

function download(blob, name) {
  const address = URL.createObjectURL(blob);
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

// Graphs: of a turn, with the path it took, and of what needs what.

import { svg } from "./dom.js";
import { path } from "./board.js";

const START = "__start__";
const END = "__end__";
const SMALL = 11; // Pixels of letters on the screen, however far one is from the picture.
const BOLD = 0.64; // Width of a letter by its height.

// `notes` tells more of a node, `lit` names those at work, `taken` the edges that were gone along;
// `pick` is told which node was chosen.
export function showDiagram(board, diagram, { notes = {}, lit = [], taken = () => false, pick } = {}) {
  if (!diagram || !diagram.nodes.length) {
    board.nothing(diagram ? "Nothing is known to need anything yet." : "No state of this turn is kept that can be read here.");
    return;
  }
  const edge = (one) => svg("path", {
    class: `way${one.sure ? "" : " supposed"}${taken(one) ? " on-path" : ""}`, d: path(one.points),
    "marker-end": `url(#${taken(one) ? "arrow-path" : "arrow"}-${board.id})`,
  });
  const node = ({ id, name, box: [x, y, width, height] }, shrunk) => {
    const [size, small] = [Math.max(12.5, SMALL * shrunk), Math.max(11.5, SMALL * shrunk)];
    const note = notes[id] && height > 2.1 * size ? fitted(notes[id], width, small) : "";
    return svg("g", {
      class: `node${lit.includes(id) ? " lit" : ""}${notes[id] ? " used" : ""}${pick && notes[id] ? " open" : ""}`,
      onclick: pick && notes[id] ? () => pick(id) : null,
    }, svg("title", {}, `${name}${notes[id] ? `: ${notes[id]}` : ""}`), svg("rect", { x, y, width, height, rx: 6 }),
    svg("text", { class: "node-name", "font-size": size, x: x + width / 2, y: y + height / 2 + (note ? -3 : size * 0.35) }, fitted(name.replace(/ \(.*\)$/, ""), width, size)),
    note ? svg("text", { class: "thing", "font-size": small, x: x + width / 2, y: y + height / 2 + small + 1 }, note) : null);
  };
  const label = (one, shrunk) => {
    const [[x1, y1], [x2, y2]] = one.points;
    return svg("text", { class: "way-label", "font-size": Math.max(11.5, SMALL * shrunk), x: (x1 + x2) / 2, y: (y1 + y2) / 2 + 4 }, one.label);
  };
  board.show(diagram.view, (shrunk) => [
    ...[...diagram.edges].sort((a, b) => taken(a) - taken(b)).map(edge), ...diagram.nodes.map((one) => node(one, shrunk)),
    ...diagram.edges.filter((one) => one.label).map((one) => label(one, shrunk)),
  ]);
}

// As much of a text as fits a width.
function fitted(text, width, size) {
  const most = Math.floor((width - 6) / (size * BOLD));
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

// Whether a turn went along an edge: from a node to the next one, or to one of several that ran at
// the same time.
export function pathTaken(nodes, edges) {
  const names = nodes.map((one) => one.name).filter((name, n, all) => name !== all[n - 1]);
  const order = [START, ...names, END];
  const beside = (one, other) => one !== other && !edges.some((edge) => edge.start === one && edge.end === other);
  const gone = new Set();
  order.forEach((name, from) => {
    for (let to = from + 1; to < order.length; to += 1) {
      if (edges.some((edge) => edge.start === name && edge.end === order[to])) {
        gone.add(`${name} ${order[to]}`);
        if (!order[to + 1] || !beside(order[to], order[to + 1])) break;
      } else if (!beside(name, order[to])) break;
    }
  });
  return ({ start, end }) => gone.has(`${start} ${end}`);
}

// Graphs: of a turn, with the path it took, and of what needs what.

import { svg } from "./dom.js";
import { path } from "./board.js";

const START = "__start__";
const END = "__end__";

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
  const node = ({ id, name, box: [x, y, width, height] }) => svg("g", {
    class: `node${lit.includes(id) ? " lit" : ""}${notes[id] ? " used" : ""}${pick && notes[id] ? " open" : ""}`,
    onclick: pick && notes[id] ? () => pick(id) : null,
  }, svg("title", {}, name), svg("rect", { x, y, width, height, rx: 6 }),
  svg("text", { class: "node-name", "font-size": 12.5, x: x + width / 2, y: y + height / 2 + (notes[id] ? -3 : 4) }, short(name)),
  notes[id] ? svg("text", { class: "thing", "font-size": 11.5, x: x + width / 2, y: y + height / 2 + 13 }, notes[id]) : null);
  board.show(diagram.view, () => [
    ...[...diagram.edges].sort((a, b) => taken(a) - taken(b)).map(edge), ...diagram.nodes.map(node),
    ...diagram.edges.filter((one) => one.label).map((one) => {
      const [[x1, y1], [x2, y2]] = one.points;
      return svg("text", { class: "way-label", "font-size": 11.5, x: (x1 + x2) / 2, y: (y1 + y2) / 2 + 4 }, one.label);
    }),
  ]);
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

// A node's name without who plays it, cut to fit its box.
function short(name) {
  const own = name.replace(/ \(.*\)$/, "");
  return own.length > 20 ? `${own.slice(0, 19)}…` : own;
}

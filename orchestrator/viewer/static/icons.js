// The signs on buttons, drawn: fonts lack many of them.

import { el, svg } from "./dom.js";

const LINES = {
  first: "M4 3v10M12 3L7 8l5 5", before: "M10 3L5 8l5 5", next: "M6 3l5 5-5 5", last: "M12 3v10M4 3l5 5-5 5",
  pause: "M5.5 3v10M10.5 3v10", larger: "M8 3v10M3 8h10", smaller: "M3 8h10",
  all: "M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3", screen: "M9 7l4-4M9.5 3H13v3.5M7 9l-4 4M6.5 13H3V9.5",
  save: "M8 2v8M5 7l3 3 3-3M3 13h10", fork: "M4 2v12M4 11c0-4 8-2 8-7M9.5 6L12 3.5 14.5 6",
  close: "M4 4l8 8M12 4l-8 8", copy: "M6 6h7v7H6zM3 10V3h7", reject: "M4 4l8 8M12 4l-8 8",
};
const SHAPES = { play: "M4 2.5l9 5.5-9 5.5z", theme: "M8 2a6 6 0 0 1 0 12z" };

export function icon(name) {
  const drawn = [];
  if (name === "theme") drawn.push(svg("circle", { class: "icon-line", cx: 8, cy: 8, r: 6 }));
  if (SHAPES[name]) drawn.push(svg("path", { class: "icon-shape", d: SHAPES[name] }));
  else drawn.push(svg("path", { class: "icon-line", d: LINES[name] }));
  return svg("svg", { class: "icon", viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, drawn);
}

// A button that shows a sign, and says in words what it does; a label stands beside the sign.
export function signButton(name, title, act, label, attributes) {
  return el("button", { type: "button", class: "sign", title, "aria-label": title, onclick: act, ...attributes }, icon(name), label);
}

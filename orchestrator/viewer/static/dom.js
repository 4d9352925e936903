// Making elements. Text from runs only ever becomes text: nothing here parses HTML.

const SVG = "http://www.w3.org/2000/svg";
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

// Control and direction characters as signs one can see.
export function shown(text) {
  return String(text ?? "").replace(/\r\n/g, "\n").replace(HIDDEN, (one) => {
    const code = one.charCodeAt(0);
    return code < 32 ? String.fromCharCode(0x2400 + code)
      : `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
  });
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "value") node.value = value;
    else node.setAttribute(name, value === true ? "" : shown(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    node.append(child instanceof Node ? child : shown(child));
  }
  return node;
}

export function el(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

export function button(label, title, act, attributes) {
  return el("button", { type: "button", title, "aria-label": title, onclick: act, ...attributes },
    label);
}

// A part that can be folded; whether it is open is remembered by its name.
const folded = new Map();
export function part(name, note, ...children) {
  const open = folded.get(name) ?? true;
  const box = el("details", { class: "part", open },
    el("summary", {}, el("h3", {}, name), note ? el("span", { class: "note" }, note) : null),
    ...children);
  box.addEventListener("toggle", () => folded.set(name, box.open));
  return box;
}

export function folding(name, open) {
  if (!folded.has(name)) folded.set(name, open);
}

// Something folded away, filled when it is opened: most never are. With a name it stays open
// while one steps through the turns.
export function fold(summary, fill, name) {
  const box = el("details", { class: "fold" }, el("summary", {}, summary));
  let filled = false;
  const show = () => {
    if (!filled && box.open) box.append(...[fill()].flat(Infinity).filter(Boolean));
    filled ||= box.open;
  };
  box.open = Boolean(name && folded.get(name));
  show();
  box.addEventListener("toggle", () => {
    if (name) folded.set(name, box.open);
    show();
  });
  return box;
}

// All places in which a text stands, marked.
export function markHits(node, text) {
  const wanted = text.toLowerCase();
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) found.push(walker.currentNode);
  for (let one of found) {
    for (let at; (at = one.data.toLowerCase().indexOf(wanted)) >= 0;) {
      const hit = one.splitText(at);
      one = hit.splitText(wanted.length);
      hit.replaceWith(el("mark", {}, hit.data));
    }
  }
}

// A share of one as a bar with its figure; `low` and `high` are an interval.
export function bar(share, label, low, high) {
  const inner = el("span", { class: "bar-inner" });
  inner.style.width = `${Math.max(0, Math.min(1, share)) * 100}%`;
  const box = el("span", {
    class: "bar", role: "img", "aria-label": `${label ?? ""} ${percent(share)}`,
  }, inner);
  if (low !== undefined && high !== undefined) {
    const range = el("span", { class: "bar-range" });
    range.style.left = `${low * 100}%`;
    range.style.width = `${(high - low) * 100}%`;
    box.append(range);
  }
  return box;
}

export function percent(share) {
  return share === undefined || share === null ? "" : `${Math.round(share * 100)} %`;
}

export function figure(number) {
  if (typeof number !== "number") return String(number ?? "");
  return Number.isInteger(number) ? number.toLocaleString("en") : number.toFixed(2);
}

export function seconds(time) {
  if (time === null || time === undefined) return "";
  return time < 1 ? `${Math.round(time * 1000)} ms` : `${time.toFixed(1)} s`;
}

// Plain data as nested lists.
export function tree(value) {
  if (value === null || typeof value !== "object") {
    return el("span", { class: `leaf ${typeof value}` }, String(value));
  }
  const entries = Object.entries(value);
  if (!entries.length) return el("span", { class: "leaf" }, Array.isArray(value) ? "none" : "empty");
  return el("ul", { class: "tree" }, entries.map(([name, inner]) => el("li", {},
    Array.isArray(value) ? null : el("b", {}, `${name}: `), tree(inner))));
}

export function say(text) {
  const spot = document.getElementById("said");
  spot.textContent = shown(text);
  clearTimeout(say.timer);
  say.timer = setTimeout(() => { spot.textContent = ""; }, 6000);
}

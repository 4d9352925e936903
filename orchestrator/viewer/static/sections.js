// What each node made of a turn, one part for each.

import { bar, el, figure, part, percent, seconds, tree } from "./dom.js";

const MOST_OPTIONS = 12;

const fold = (summary, ...children) => el("details", { class: "fold" }, el("summary", {}, summary), children);

// The same, filled when it is opened: most never are.
function closed(summary, fill) {
  const box = fold(summary);
  box.addEventListener("toggle", () => box.append(...[fill()].flat(Infinity).filter(Boolean)), { once: true });
  return box;
}

const words = (text) => el("pre", { class: "words" }, text);

function table(columns, rows, caption) {
  return el("div", { class: "scroll" }, el("table", {}, el("caption", { class: "hidden" }, caption),
    el("thead", {}, el("tr", {}, columns.map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, rows)));
}

export function objectivesPart({ objectives, changes }) {
  if (!objectives.length && !changes.length) return null;
  const active = objectives.filter((one) => one.status === "active");
  const told = new Set(); // One that names itself among those above it is told once.
  const below = (parent) => objectives.filter((one) => parent && one.parent === parent && !told.has(one));
  const known = new Set(objectives.map((one) => one.id));
  const roots = objectives.filter((one) => !one.parent || !known.has(one.parent));
  const item = (one) => told.add(one) && el("li", { class: `objective ${one.status}` },
    el("span", { class: "id" }, one.id), ` ${one.text} `,
    el("span", { class: "note" }, `${one.source}, priority ${one.priority}, ${one.status}, `
      + `since turn ${one.created}${one.evidence ? `: ${one.evidence}` : ""}`),
    one.way ? el("div", { class: "plan" }, `plan: ${one.way}`) : null,
    nested(below(one.id)));
  const nested = (inner) => inner.length ? el("ul", {}, inner.map(item)) : null;
  return part("Objectives", `${active.length} active of ${objectives.length}`,
    changes.length ? el("ul", { class: "changes" }, changes.map((one) => el("li", {},
      el("b", {}, `${one.event} `), `${one.id} ${one.text}${one.why ? ` (${one.why})` : ""}`))) : null,
    el("ul", { class: "objectives" }, roots.filter((one) => one.status === "active").map(item)),
    roots.some((one) => one.status !== "active")
      ? fold("Done, dropped and stale ones",
        el("ul", { class: "objectives" }, roots.filter((one) => one.status !== "active").map(item))) : null);
}

// What the utility is a product of.
const product = (terms) => Object.entries(terms).map(([name, value]) => `${name} ${figure(value)}`).join(" × ");

export function optionsPart({ options, chosen }) {
  if (!options.length) return null;
  const most = Math.max(0.01, ...options.map((one) => Math.abs(one.value ?? 0)));
  const row = (one, n) => el("tr", { class: n + 1 === chosen ? "chosen" : "" },
    el("td", {}, n + 1), el("td", {}, el("code", {}, one.command), 
      el("details", { class: "note", open: n + 1 === chosen }, el("summary", {}, one.purpose), product(one.terms))),
    el("td", {}, bar(one.probability ?? 0, "chance"), el("span", { class: "figure" }, percent(one.probability))),
    el("td", {}, bar(Math.abs(one.value ?? 0) / most, "utility"), el("span", { class: "figure" }, figure(one.value))),
    el("td", {}, one.objective));
  const columns = ["", "command, and what for", "chance", "utility", "serves"];
  return part("Options", chosen ? `number ${chosen} was played` : "another command was played",
    table(columns, options.slice(0, MOST_OPTIONS).map(row), "Options of this turn"));
}

export function oraclePart({ advice }) {
  const told = advice?.understanding;
  if (!told) return null;
  const { worth, price } = advice.deliberation;
  return part("Oracle", `answer worth ${figure(worth)}, price ${figure(price)}`, el("dl", {},
    Object.entries(told).filter(([, value]) => value !== null && value !== "" && !(Array.isArray(value) && !value.length))
      .map(([name, value]) => [el("dt", {}, name.replaceAll("_", " ")),
        el("dd", {}, Array.isArray(value) ? value.join("; ") : figure(value))])));
}

export function proposalsPart({ proposals }) {
  if (!proposals.length) return null;
  return part("Proposal", proposals.length > 1 ? `${proposals.length} attempts` : "",
    proposals.map((one) => el("div", { class: "proposal" },
      el("p", { class: "thinking" }, one.thinking), el("p", {}, el("code", {}, `> ${one.command}`),
        one.by ? el("span", { class: "note" }, ` by ${one.by}`) : null),
      one.chosen_for ? el("p", { class: "note" }, `chosen: ${one.chosen_for}`) : null,
      one.chosen_from.length > 1 ? fold(`Chosen from ${one.chosen_from.length}`, el("ul", {}, one.chosen_from.map((said) => el("li", {},
        el("b", {}, `${said.by} `), el("code", {}, said.command), el("div", { class: "note" }, said.words))))) : null,
      one.objective ? el("p", { class: "note" }, "declares: ", one.objective) : null,
      one.objection ? el("p", { class: "objection" }, one.overruled ? "Overruled objection: " : "Objection: ", one.objection)
        : one.verdict?.reason ? el("p", { class: "accepted" }, `Accepted: ${one.verdict.reason} (${[`${percent(one.verdict.confidence)} sure`, one.verdict.source].filter(Boolean).join(", ")})`) : null,
      one.opinions.length ? el("ul", {}, one.opinions.map((said) => el("li", { class: said.accepts ? "" : "objection" },
        el("b", {}, `${said.by} `), said.accepts ? "accepts" : "objects", said.words ? `: ${said.words}` : ""))) : null,
      one.decision?.proposed ? el("p", { class: "decision" }, decided(one.decision)) : null)));
}

function decided(one) {
  if (!one.by) return "Nobody was asked.";
  const how = !one.accept ? `rejected it: ${one.reason}`
    : one.command === one.proposed ? "accepted it" : `plays "${one.command}" instead`;
  return `A person (${one.by}) ${how}.`;
}

export function readingPart({ reading, result }) {
  if (!reading) return null;
  const { objects_mentioned: things, state_changes: changes, action_result: action, new_information: news } = reading;
  return part("Reading", result,
    el("p", {}, [action.result, action.reason, action.prerequisite].filter(Boolean).join(", "),
      reading.score_change ? ` (${reading.score_change > 0 ? "+" : ""}${reading.score_change} points)` : "",
      reading.died ? " (died)" : ""),
    things.length ? el("ul", { class: "chips" }, things.map((one) => el("li", { title: one.properties.join(", ") },
      one.name, el("span", { class: "note" }, ` ${one.location} ${percent(one.confidence)}`)))) : null,
    changes.length ? closed("What changed", () => tree(changes)) : null,
    news.length ? el("ul", {}, news.map((one) => el("li", {}, typeof one === "string" ? one : JSON.stringify(one)))) : null,
    closed("All of it", () => tree(reading)));
}

export function beliefsPart({ beliefs, carried, mode }) {
  if (!beliefs) return null;
  const { overall_goal: goal, current_subgoal: subgoal, blocked_action: blocked, accomplished } = beliefs;
  const told = (text) => text && text !== "unknown";
  return part("Beliefs", mode.state ? `mode: ${mode.state} since turn ${mode.since}` : "",
    el("dl", {},
      told(goal) ? [el("dt", {}, "goal"), el("dd", {}, goal)] : null,
      told(subgoal) ? [el("dt", {}, "now"), el("dd", {}, subgoal)] : null,
      blocked ? [el("dt", {}, "blocked"), el("dd", {}, blocked)] : null,
      el("dt", {}, "carries"), el("dd", {}, carried.length ? carried.join(", ") : "nothing"),
      accomplished.length ? [el("dt", {}, "accomplished"), el("dd", {}, accomplished.slice(-6).join("; "))] : null),
    closed("All of it", () => tree(beliefs)));
}

export function trustPart({ reliability, calibration }) {
  const judged = reliability.filter((one) => one.judged);
  const rulings = { ...calibration?.accepted, ...calibration?.objected };
  if (!judged.length && !Object.keys(rulings).length) return null;
  return part("Reliability", judged.length ? "with 95 % intervals" : "the oracle was not judged yet",
    judged.map((one) => el("p", { class: "measure" }, el("span", {}, one.kind), bar(one.mean, one.kind, one.low, one.high),
      el("span", { class: "figure" }, `${percent(one.mean)} [${percent(one.low)}, ${percent(one.high)}], ${one.good} of ${one.judged}`))),
    Object.keys(rulings).length ? closed("The critic's calibration", () => tree(calibration)) : null);
}

export function hypothesesPart({ hypotheses }) {
  if (!hypotheses.length) return null;
  const known = (one) => one.disproven ? "disproven" : one.tested ? "tested" : "untested";
  return part("Hypotheses", `${hypotheses.filter((one) => !one.disproven).length} open`,
    hypotheses.map((one) => el("p", { class: `measure ${known(one)}` }, el("span", {}, `${one.id} ${one.text}`),
      bar(one.confidence, one.text), el("span", { class: "figure", title: one.evidence.join("; ") }, `${percent(one.confidence)} ${known(one)}`))));
}

export function callsPart({ calls }) {
  if (!calls.length) return null;
  const sum = (name) => calls.reduce((total, one) => total + one[name], 0);
  return part("Model calls", `${calls.length} ${calls.length === 1 ? "call" : "calls"}, ${figure(sum("prompt_tokens"))} + ${figure(sum("completion_tokens"))} tokens`,
    calls.map((one) => closed(
      [el("b", {}, one.role || "model"), ` ${one.model} `, el("span", { class: "note" },
        `${figure(one.prompt_tokens)} + ${figure(one.completion_tokens)} tokens, ${one.seconds === null ? "no answer yet" : seconds(one.seconds)}`
        + `${one.cached ? ", from the cache" : ""}${one.retries ? `, ${one.retries} retries` : ""}`),
      one.error ? el("span", { class: "objection" }, ` ${one.error}`) : null],
      () => [one.prompt ? el("p", { class: "note" }, `prompt: ${one.prompt}`) : null,
        one.messages.map(([who, said]) => [el("h4", {}, who), words(said)]),
        one.thinking ? [el("h4", {}, "thinking"), words(one.thinking)] : null,
        el("h4", {}, "answer"), words(one.answer)])));
}

export function nodesPart({ nodes }) {
  if (!nodes.length) return null;
  return part("Nodes", "what each read and wrote", nodes.map((one) => closed(
    [el("b", {}, one.name), el("span", { class: "note" }, ` ${one.part} ${seconds(one.seconds)}${one.tokens[0] ? `, ${one.tokens[0]} + ${one.tokens[1]} tokens` : ""}`),
      one.error ? el("span", { class: "objection" }, ` ${one.error}`) : null],
    () => [el("h4", {}, "read"), tree(one.inputs), el("h4", {}, "wrote"), tree(one.outputs)])));
}

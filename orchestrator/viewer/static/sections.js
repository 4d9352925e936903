// What each node made of a turn, one part for each.

import { bar, el, figure, fold, part, percent, seconds, tree } from "./dom.js";

const MOST_OPTIONS = 12;
const SHOWN_OPTIONS = 3;
const IN_WORDS = {
  probability: "chance", reward: "gain", richness: "how much is left to find there", taste: "this agent's leaning",
  cost: "turns it takes", novelty: "how new it is", risk: "risk",
};

const words = (text) => el("pre", { class: "words", tabindex: 0 }, text);

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
  const item = (one) => {
    told.add(one);
    const under = below(one.id);
    return el("li", {}, el("div", { class: `objective ${one.status}` },
      el("span", {}, one.text), el("span", { class: "id note", title: `objective ${one.id}` }, ` ${one.id} `),
      el("span", { class: "note" }, [one.status === "active" ? "" : one.status, one.priority === null ? "" : `priority ${one.priority}`, one.source].filter(Boolean).join(", ")),
      one.way ? el("div", { class: "plan" }, one.way) : null,
      one.evidence ? el("div", { class: "note" }, one.evidence) : null),
    under.length ? el("ul", {}, under.map(item)) : null);
  };
  const rest = roots.filter((one) => one.status !== "active");
  return part("Objectives", `${active.length} active`,
    changes.length ? el("ul", { class: "changes" }, changes.map((one) => el("li", {},
      el("b", {}, `${one.event} `), one.text, one.why ? el("span", { class: "note" }, ` ${one.why}`) : null))) : null,
    el("ul", { class: "objectives" }, roots.filter((one) => one.status === "active").map(item)),
    rest.length ? fold("Done, dropped and stale ones", () => el("ul", { class: "objectives" }, rest.map(item)), "Objectives: the rest") : null);
}

// What the worth is a product of.
const product = (terms) => Object.entries(terms).map(([name, value]) => `${IN_WORDS[name] ?? name.replaceAll("_", " ")} ${figure(value)}`).join(" × ");

// The aim, which follows the command and the place: `open cabinet in L1 Hall: see what is inside`.
function aim(one) {
  const told = one.purpose.split(": ").filter((piece, n) => n && piece !== one.command).join(": ");
  return told || one.purpose;
}

export function optionsPart({ options, chosen, objectives, command }) {
  if (!options.length) return null;
  const most = Math.max(0.01, ...options.map((one) => Math.abs(one.value ?? 0)));
  const serves = (id) => objectives.find((one) => one.id === id)?.text ?? id;
  const row = (one, n) => el("tr", { class: n + 1 === chosen ? "chosen" : "" },
    el("td", {}, n + 1), el("td", {}, el("div", { class: "aim" }, aim(one)), el("code", {}, one.command),
      one.objective ? el("div", { class: "note" }, `for: ${serves(one.objective)}`) : null,
      Object.keys(one.terms).length ? el("div", { class: "note terms" }, product(one.terms)) : null),
    el("td", {}, bar(one.probability ?? 0, "chance"), el("span", { class: "figure" }, percent(one.probability))),
    el("td", {}, bar(Math.abs(one.value ?? 0) / most, "worth"), el("span", { class: "figure" }, figure(one.value))));
  const columns = ["rank", "aim and command", "chance", "worth"];
  const rows = options.slice(0, MOST_OPTIONS).map(row);
  const played = rows.filter((_, n) => n + 1 === chosen);
  const first = [...played, ...rows.filter((one) => !played.includes(one))].slice(0, SHOWN_OPTIONS);
  const more = rows.filter((one) => !first.includes(one));
  return part("Options", chosen ? `number ${chosen} was played` : command ? "another command was played" : "none was played yet",
    table(columns, first, "Options of this turn"),
    more.length ? fold(`${more.length} more`, () => table(columns, more, "Further options"), "Options: more") : null);
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

export function readingPart({ reading, result }) {
  if (!reading) return null;
  const { objects_mentioned: things, state_changes: changes, action_result: action, new_information: news } = reading;
  return part("Reading", result,
    el("p", {}, [action.result, action.reason, action.prerequisite].filter(Boolean).join(", ").replaceAll("_", " "),
      reading.score_change ? ` (${reading.score_change > 0 ? "+" : ""}${reading.score_change} points)` : "",
      reading.died ? " (died)" : ""),
    things.length ? el("ul", { class: "chips" }, things.map((one) => el("li", { title: one.properties.join(", ") },
      one.name, el("span", { class: "note" }, ` ${one.location} ${percent(one.confidence)}`)))) : null,
    changes.length ? fold("What changed", () => tree(changes), "Reading: changes") : null,
    news.length ? el("ul", {}, news.map((one) => el("li", {}, typeof one === "string" ? one : JSON.stringify(one)))) : null,
    fold("All of it", () => tree(reading), "Reading: all"));
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
    fold("All of it", () => tree(beliefs), "Beliefs: all"));
}

export function trustPart({ reliability, calibration }) {
  const judged = reliability.filter((one) => one.judged);
  const rulings = { ...calibration?.accepted, ...calibration?.objected };
  if (!judged.length && !Object.keys(rulings).length) return null;
  return part("Reliability", judged.length ? "how often each kind of answer held, with 95 % intervals" : "the oracle was not judged yet",
    judged.map((one) => el("p", { class: "measure" }, el("span", {}, one.kind), bar(one.mean, one.kind, one.low, one.high),
      el("span", { class: "figure" }, `${percent(one.mean)} [${percent(one.low)}, ${percent(one.high)}], ${one.good} of ${one.judged}`))),
    Object.keys(rulings).length ? fold("The critic's calibration", () => tree(calibration), "Calibration") : null);
}

export function hypothesesPart({ hypotheses }) {
  if (!hypotheses.length) return null;
  const known = (one) => one.disproven ? "disproven" : one.tested ? "tested" : "untested";
  return part("Hypotheses", `${hypotheses.filter((one) => !one.disproven).length} open`,
    hypotheses.map((one) => el("p", { class: `measure ${known(one)}` }, el("span", {}, `${one.id} ${one.text}`),
      bar(one.confidence, one.text), el("span", { class: "figure", title: one.evidence.join("; ") }, `${percent(one.confidence)} ${known(one)}`))));
}

// The roles whose answer is the command.
const DECIDING = ["actor", "advocate", "judge", "arbiter"];

// A model's calls: what it was asked last, and what it answered; the one that decided is open.
export function callsPart({ calls }) {
  if (!calls.length) return null;
  const last = calls.findLastIndex((one) => DECIDING.includes(one.role));
  const decided = last < 0 ? calls.length - 1 : last;
  const sum = (name) => calls.reduce((total, one) => total + one[name], 0);
  return part("Question and answer", `${calls.length} ${calls.length === 1 ? "call" : "calls"}, ${figure(sum("prompt_tokens"))} + ${figure(sum("completion_tokens"))} tokens`,
    calls.map((one, n) => fold(
      [el("b", {}, one.role || "model"), ` ${one.model} `, el("span", { class: "note" },
        `${figure(one.prompt_tokens)} + ${figure(one.completion_tokens)} tokens, ${one.seconds === null ? "no answer yet" : seconds(one.seconds)}`
        + `${one.cached ? ", from the cache" : ""}${one.retries ? `, ${one.retries} retries` : ""}`),
      one.error ? el("span", { class: "objection" }, ` ${one.error}`) : null],
      () => conversation(one, `call ${one.role} ${n}`), n === decided ? "the deciding call" : `call ${n}`)));
}

// What is asked stands at the end of a long question.
function atItsEnd(box) {
  requestAnimationFrame(() => { box.scrollTop = box.scrollHeight; });
  return box;
}

function conversation(call, name) {
  const before = call.messages.slice(0, -1);
  const asked = call.messages.at(-1);
  return [call.prompt ? el("p", { class: "note" }, `prompt: ${call.prompt}`) : null,
    before.length ? fold(`${before.length} ${before.length === 1 ? "message" : "messages"} before it`,
      () => before.map(([who, said]) => [el("h4", {}, who), words(said)]), `${name}: before`) : null,
    asked ? [el("h4", {}, "question"), atItsEnd(words(asked[1]))] : null,
    call.thinking ? [el("h4", {}, "thinking"), words(call.thinking)] : null,
    el("h4", {}, "answer"), el("pre", { class: "words answer", tabindex: 0 }, call.answer || (call.seconds === null ? "not yet" : "nothing"))];
}

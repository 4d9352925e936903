// One turn as a story: where, what was thought and proposed, who objected or chose, what was done,
// and what the game said.

import { button, el, percent } from "./dom.js";

const CAUSE = /^\[(.*?)\]\s*/s; // An advocate says in brackets what it argues for.

// `frame` tells all of the turn; without it the card is a short one.
export function turnCard(run, row, frame, now, go) {
  const told = frame ? frame.proposals.map((one) => attempt(one, frame)) : thought(row);
  return el("article", { class: `entry${now ? " now" : ""}`, "aria-current": now ? "true" : null },
    el("header", {}, button(row.turn, `Turn ${row.turn}`, () => go(row.turn), { class: "number" }),
      el("span", { class: "room-name" }, row.room), events(run, row)),
    told,
    row.command ? line("does", "does", el("p", { class: "command" }, `> ${row.command}`)) : null,
    line("game", row.turn ? "game says" : "it begins",
      el("p", { class: "reply" }, row.text || (row.seconds === null ? "This turn has not ended." : ""))));
}

// What came of the run in words, and how to go on.
export function endCard(run) {
  const { end, then } = run.recap;
  const ways = then.filter((one) => !one.command.includes(" view "));
  return el("article", { class: "entry end-card" }, el("header", {}, el("b", {}, "The end")), el("p", {}, `${end}.`),
    ways.map((one) => el("p", { class: "note" }, el("code", {}, one.command), `: ${one.purpose}`)), wayOn(run, run.last));
}

// How to play on from a turn.
export function wayOn(run, turn) {
  return el("p", { class: "note" }, el("code", {}, `zork fork ${run.name} --turn ${turn}`), ": play on differently from here, in a run of its own");
}

function events(run, row) {
  const gained = run.gained(row.turn);
  const died = run.has(row.turn - 1) && row.deaths > run.rows[row.turn - 1].deaths;
  const objections = row.attempts - 1;
  return [gained ? el("b", { class: gained > 0 ? "gain" : "loss" }, `${gained > 0 ? "+" : ""}${gained} points`) : null,
    died ? el("b", { class: "loss" }, "died") : null,
    objections > 0 ? el("span", { class: "objection" }, `${objections} ${objections === 1 ? "objection" : "objections"}`) : null,
    row.error ? el("span", { class: "objection" }, row.error) : null];
}

const thought = (row) => (row.thinking ? line("thinks", "thinks", el("p", { class: "thinking short" }, row.thinking.replace(CAUSE, ""))) : null);

function line(role, label, ...content) {
  return el("div", { class: `line ${role}` }, el("span", { class: "role" }, label), el("div", { class: "speech" }, content));
}

function attempt(one, frame) {
  const several = one.chosen_from.length > 1;
  return [several ? one.chosen_from.map((said) => voice(said, said.by === one.by)) : alone(one, frame),
    several || one.chosen_for ? line("chooses", "judge", el("p", {}, "chooses ", el("b", {}, one.by || "one"), `: ${one.chosen_for || "no reason is told"}`)) : null,
    one.objective ? line("thinks", "aims at", el("p", {}, one.objective)) : null,
    one.opinions.map((said) => line(said.accepts ? "accepts" : "objects", said.by, el("p", {}, said.accepts ? "accepts" : "objects", said.words ? `: ${said.words}` : ""))),
    critic(one), person(one.decision)];
}

// What the only actor thought, and proposed where something else was played in the end.
function alone(one, frame) {
  const proposes = one.command !== frame.command || one.objection;
  return [one.thinking ? line("thinks", "thinks", el("p", { class: "thinking" }, one.thinking.replace(CAUSE, ""))) : null,
    proposes ? line("proposes", "proposes", el("p", {}, el("code", {}, one.command))) : null];
}

function voice(said, chosen) {
  const cause = CAUSE.exec(said.words)?.[1];
  return line(chosen ? "proposes chosen" : "proposes", said.by, el("p", {}, el("code", {}, said.command), chosen ? el("b", { class: "tag" }, "chosen") : null),
    cause ? el("p", { class: "note" }, `for ${cause}`) : null, el("p", { class: "thinking" }, said.words.replace(CAUSE, "")));
}

function critic(one) {
  if (one.objection) return line("objects", "critic", el("p", { class: "objection" }, one.overruled ? "objects, overruled: " : "objects: ", one.objection));
  if (!one.verdict?.reason || one.opinions.length) return null;
  const sure = [one.verdict.confidence === null ? "" : `${percent(one.verdict.confidence)} sure`, one.verdict.source].filter(Boolean).join(", ");
  return line("accepts", "critic", el("p", {}, `accepts: ${one.verdict.reason}`, sure ? el("span", { class: "note" }, ` (${sure})`) : null));
}

function person(one) {
  if (!one?.proposed) return null;
  if (!one.by) return line("person", "person", el("p", {}, "Nobody was asked."));
  const how = !one.accept ? `rejected it: ${one.reason}`
    : one.command === one.proposed ? "accepted it" : `plays "${one.command}" instead`;
  return line("person", "person", el("p", { class: "decision" }, `A person (${one.by}) ${how}.`));
}

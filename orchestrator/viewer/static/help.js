// What the page shows, in plain words, and its keys.

import { el } from "./dom.js";
import { signButton } from "./icons.js";

const SHOWN = [
  ["the title", "the story, who played it (the graph), the seed, and what came of it"],
  ["the line under it", "where the player stands after the turn before you, the score, what is carried, the goal, and what it cost"],
  ["the chips", "what was remarkable: points, deaths, long stretches without anything new, objections, bad answers. Click on one to go there"],
  ["the curve", "the score over all turns; the colours under it say in which mode the agent played. Click or drag to go to a turn"],
  ["the story, at the left", "one card a turn: where, what was thought and proposed, who objected or chose, what was done, what the game said"],
  ["Thinking", "for a model the question and its answer; the best options with their aims; objectives; what was read and is believed"],
  ["Map", "the rooms seen so far. Pick a room to see its turns, things and failed tries"],
  ["Trace", "when each node ran and what it took; what the turn changed; how to go on from there differently"],
];
const WORDS = [
  ["L18 Gallery", "a room: L18 is the eighteenth place that was found, so that rooms of the same name can be told apart"],
  ["O10", "an objective: the tenth that was set"],
  ["chance, worth", "how likely an option is to do what it is for, and what it is worth: chance times gain, more or less for what the terms below it say"],
  ["mode", "how the agent plays: exploring, pursuing an objective, solving, fighting, lost, stuck"],
  ["node, graph", "a graph is the team that plays; a node is one member: actor, critic, planner, game"],
  ["objection", "the critic sent a command back before it was played"],
  ["fork", "a run of its own that goes on differently from a turn of this one"],
];
const KEYS = [
  ["← →", "a turn back or on"], ["PageUp PageDown", "ten turns"], ["Home End", "first and last turn"],
  ["Space", "play and pause"], ["/", "search; Enter goes on to the next hit"], ["n N", "next and last hit"],
  ["+ − 0 and arrows", "on a picture: larger, smaller, all of it, move"], ["Escape", "close this, or leave the full screen"], ["?", "this page"],
];

const list = (rows, tag) => el("dl", {}, rows.map(([name, told]) => [el("dt", {}, tag ? el(tag, {}, name) : name), el("dd", {}, told)]));

export class Help {
  constructor() {
    this.element = el("dialog", { class: "help", "aria-label": "What am I looking at?" },
      el("div", { class: "help-head" }, el("h2", {}, "What am I looking at?"), signButton("close", "Close", () => this.element.close())),
      el("p", {}, "A program has played a text adventure, turn by turn. This page shows what it saw, thought and did, and why."),
      list(SHOWN), el("h3", {}, "Words"), list(WORDS), el("h3", {}, "Keys"), list(KEYS, "kbd"));
    document.body.append(this.element);
  }

  get isOpen() { return this.element.open; }

  show() { if (!this.isOpen) this.element.showModal(); }
}

// A run that is being played: what is done now, its words as they come, and how to steer it.

import { button, el, say, seconds, shown } from "./dom.js";
import { signButton } from "./icons.js";

export class LiveBar {
  constructor(source, run, { turns, active, head, recap }) {
    this.source = source;
    this.run = run;
    this.doing = el("p", { class: "doing", role: "status" });
    this.words = el("pre", { class: "stream", hidden: true, "aria-label": "What the model says" });
    this.steer = el("div", { class: "steer", hidden: true });
    this.element = el("section", { class: "live", hidden: true, "aria-label": "Live" }, this.doing, this.steer, this.words);
    this.since = null;
    this.stream = source.events(run.name, run.reading);
    this.clock = setInterval(() => this.tick(), 250);
    const on = (name, act) => this.stream?.addEventListener(name, (event) => act(JSON.parse(event.data)));
    on("turns", turns);
    on("recap", recap);
    on("head", (told) => {
      this.element.hidden = told.status !== "playing";
      if (told.status === "damaged") this.broken(told.error);
      else head(told);
    });
    on("active", (told) => { this.active(told); active(told); });
    on("words", (told) => this.said(told));
    on("control", (told) => this.stand(told));
  }

  close() {
    this.stream?.close();
    clearInterval(this.clock);
  }

  // The run cannot be read any more.
  broken(why) {
    this.close();
    this.element.hidden = false;
    this.steer.hidden = this.words.hidden = true;
    this.doing.textContent = shown(why);
  }

  active(told) {
    this.now = told.node ? told : null;
    this.since = told.node ? Date.parse(told.since) : null;
    this.tick();
  }

  tick() {
    if (!this.now) {
      this.doing.textContent = this.asked ? `Turn ${this.asked.turn}: waits for your word` : "Waiting for the next turn";
      return;
    }
    const passed = Math.max(0, (Date.now() - this.since) / 1000);
    const parts = this.parts ? `, ${this.parts} parts of an answer` : "";
    this.doing.textContent = `Turn ${this.now.turn}: ${this.now.node}${this.now.asks ? ` asks ${this.now.asks}` : ""}, ${seconds(passed)}${parts}`;
  }

  said(told) {
    this.parts = told.parts;
    this.words.hidden = !told.words && !told.thinking;
    this.words.textContent = [told.thinking, told.words].filter(Boolean).join("\n");
  }

  async send(request) {
    try {
      this.stand(await this.source.control(request));
    } catch (error) {
      say(error.message);
    }
  }

  stand(told) {
    const shape = JSON.stringify(told);
    if (shape === this.stood) return;
    this.stood = shape;
    this.steer.hidden = told.over;
    const { question } = told;
    this.asked = question;
    this.tick();
    const field = el("input", { type: "text", value: question?.command ?? "", "aria-label": "Command", size: 30 });
    const why = el("input", { type: "text", placeholder: "why not", "aria-label": "Why not", size: 16 });
    this.steer.replaceChildren(
      told.paused ? signButton("play", "Go on", () => this.send({ do: "go" }), "Go on") : signButton("pause", "Pause", () => this.send({ do: "pause" }), "Pause"),
      told.paused ? signButton("next", "One turn", () => this.send({ do: "step" }), "Step") : "",
      ...(question ? [el("form", { class: "judge", onsubmit: (event) => {
        event.preventDefault();
        this.send(field.value === question.command ? { do: "accept" } : { do: "edit", text: field.value });
      } }, el("p", { class: "thinking" }, question.thinking), field, el("button", { type: "submit" }, "Play it"),
      why, button("Reject", "Reject", () => this.send({ do: "reject", text: why.value || "a person says no" })))] : []));
    if (question) field.focus();
  }
}

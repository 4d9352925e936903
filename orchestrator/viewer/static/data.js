// Where the page's data comes from: the server that sent it, or the page itself.

const KEPT = 120;
const AHEAD_MS = 150; // So long after a turn its neighbours are fetched; who hurries on is not held up.

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

async function asked(address) {
  const answer = await fetch(`/api/${address}`);
  if (!answer.ok) throw new Error((await answer.text()) || answer.statusText);
  return answer.json();
}

const address = (name) => `runs/${encodeURIComponent(name)}`;

class Served {
  exported = false;
  start() { return asked("start"); }
  runs() { return asked("runs"); }
  run(name) { return asked(address(name)); }
  turn(name, turn) { return asked(`${address(name)}/turns/${turn}`); }
  puzzles(name, turn) { return asked(`${address(name)}/turns/${turn}/puzzles`); }
  graph(name) { return asked(`${address(name)}/graph`); }
  events(name, reading) { return new EventSource(`/api/${address(name)}/events?since=${reading}`); }
  async control(request) {
    const answer = await fetch("/api/control", {
      method: "POST", headers: { "Content-Type": "application/json" },
      body: JSON.stringify(request),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  }
}

class Embedded {
  exported = true;
  constructor(data) { this.data = data; }
  async start() { return { run: this.data.run.head.id, control: "" }; }
  async runs() { return [this.data.run.head]; }
  async run() { return this.data.run; }
  async turn(_, turn) {
    const found = this.data.turns[turn];
    if (!found) throw new Error(`turn ${turn} is not in this file`);
    return { ...found, map: this.data.maps[turn] };
  }
  async puzzles(_, turn) { return this.data.puzzles[turn] ?? this.data.puzzles.last; }
  async graph() { return this.data.graph; }
  events() { return null; }
}

export async function openSource() {
  const embedded = document.getElementById("data");
  return embedded ? new Embedded(await unpacked(embedded.textContent.trim())) : new Served();
}

// The turns up to one that were played in a room, or led there.
function turnsIn(rows, room, until) {
  const touches = (row) => row.room.split(" → ").some((one) => one.split(" ")[0] === room);
  return rows.slice(0, until + 1).filter((row) => row && touches(row));
}

// A run with named fields for each turn, and its latest frames.
export class RunData {
  constructor(source, name, told) {
    this.source = source;
    this.name = name;
    this.head = told.head;
    this.recap = told.recap;
    this.reading = told.reading; // How far the server had read when it told this.
    this.rows = [];
    this.frames = new Map();
    this.add(told);
  }

  static async open(source, name) {
    return new RunData(source, name, await source.run(name));
  }

  // Takes new or changed turns; returns their numbers. Those after the last were taken back.
  add({ columns, rows, last }) {
    const turns = [];
    for (const values of rows) {
      const row = {};
      columns.forEach((column, i) => { row[column] = values[i]; });
      this.rows[row.turn] = row;
      this.frames.delete(row.turn);
      turns.push(row.turn);
    }
    this.rows.length = Math.min(this.rows.length, last + 1);
    for (const turn of [...this.frames.keys()]) if (turn > last) this.frames.delete(turn);
    return turns;
  }

  turnsIn(room, until) { return turnsIn(this.rows, room, until); }

  // Where its rows begin: a fork behind the turn that it was forked at, others with the opening.
  get first() { return Math.max(0, this.rows.findIndex(Boolean)); }

  get last() { return Math.max(0, this.rows.length - 1); }

  has(turn) { return this.rows[turn] !== undefined; }

  // The nearest turn that it tells of.
  nearest(turn) {
    if (this.has(turn)) return turn;
    let [down, up] = [Math.min(turn, this.last), Math.max(turn, this.first)];
    while (down > this.first && !this.has(down)) down -= 1;
    while (up < this.last && !this.has(up)) up += 1;
    return this.has(up) && (!this.has(down) || up - turn <= turn - down) ? up : down;
  }

  // The turn beside one, as far as it tells of any: 1 forward, -1 back.
  beside(turn, way) {
    let to = turn + way;
    while (to > this.first && to < this.last && !this.has(to)) to += way;
    return this.nearest(to);
  }

  gained(turn) { return this.rows[turn]?.gained ?? 0; }

  // The run as it was played from its opening: what a fork took over is its parent's, and so on up.
  async lineage(known = new Set([this.name])) {
    const { parent } = this.head;
    if (!parent || known.has(parent.run_id)) return new Lineage([this]);
    try {
      const above = await RunData.open(this.source, parent.run_id);
      const { runs } = await above.lineage(known.add(parent.run_id));
      return new Lineage([this, ...runs]);
    } catch { // Its parent is not among these runs any more.
      return new Lineage([this]);
    }
  }

  // The frame of a turn, and those beside it ahead of time.
  async frame(turn) {
    clearTimeout(this.ahead);
    const found = await this.fetched(turn);
    this.ahead = setTimeout(() => this.fetchBeside(turn).catch(() => {}), AHEAD_MS);
    return found;
  }

  async fetchBeside(turn) {
    for (const beside of [this.beside(turn, 1), this.beside(turn, -1)]) if (this.has(beside)) await this.fetched(beside);
  }

  fetched(turn) {
    if (!this.frames.has(turn)) {
      const coming = this.source.turn(this.name, turn);
      coming.catch(() => this.frames.delete(turn));
      this.frames.set(turn, coming);
      if (this.frames.size > KEPT) this.frames.delete(this.frames.keys().next().value);
    }
    return this.frames.get(turn);
  }

  // The turns whose words hold what is looked for.
  search(text) {
    const wanted = text.toLowerCase();
    return this.rows.filter((row) => row && [row.command, row.text, row.thinking, row.room]
      .some((words) => words.toLowerCase().includes(wanted))).map((row) => row.turn);
  }
}

// A run and those that it was forked from, the nearest first; each tells of the turns up to a fork.
export class Lineage {
  constructor(runs) {
    this.runs = runs;
    this.own = runs[0];
    let limit = Infinity;
    this.until = runs.map((run) => {
      const until = limit;
      limit = Math.min(limit, run.head.parent?.turn ?? -1);
      return until;
    });
    this.rows = [];
    runs.toReversed().forEach((run, n) => run.rows.forEach((row) => {
      if (row.turn <= this.until[runs.length - 1 - n]) this.rows[row.turn] = row;
    }));
  }

  get name() { return this.own.name; }
  get head() { return this.own.head; }
  get first() { return Math.max(0, this.rows.findIndex(Boolean)); }
  get last() { return this.own.last; }

  turnsIn(room, until) { return turnsIn(this.rows, room, until); }

  // Who tells of a turn.
  teller(turn) { return this.runs.find((run, n) => turn <= this.until[n] && run.has(turn)); }
}

import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { CvDocument } from "@pro-talent/schemas/studio/document";
import { type Conflict, mergeDocuments } from "@pro-talent/schemas/studio/merge";
import { readCvDocument } from "@pro-talent/schemas/studio/migrate";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createActor, fromPromise, SimulatedClock } from "xstate";
import { getShortestPaths } from "xstate/graph";

import { put } from "../edit/edits.ts";
import type { Outcome, Saved, Sending, Step } from "./saving-calls.ts";
import { type Kept, type SavingEvent, savingMachine } from "./saving.machine.ts";

const empty = readCvDocument({ version: 1, language: "en", page: {}, profile: { fullName: "" } });

type SavedCv = Saved & { readonly document: CvDocument };
const stateOf = (document: CvDocument, version: number): SavedCv => ({
  version,
  savedAt: instantFromMs(Date.UTC(2026, 10, 22, 12, 20)),
  document,
});
const begin = (base: Saved): Kept => ({
  base,
  document: base.document,
  sent: null,
  conflicts: [],
});

/** What the contract says of the service: every saved change is a version, and a repeated one changes nothing. */
class Versions {
  readonly documents: CvDocument[] = [empty];

  current(): SavedCv {
    const document = this.documents.at(-1) ?? empty;
    return stateOf(document, this.documents.length);
  }

  save({ base: { version }, document }: Sending): Outcome {
    const base = this.documents[version - 1];
    if (base === undefined) return { kind: "not-kept" };
    const before = this.current().document;
    const { merged, conflicts } = mergeDocuments(base, before, document);
    if (JSON.stringify(merged) !== JSON.stringify(before))
      this.documents.push(readCvDocument(merged));
    return { kind: "answered", saved: this.current(), conflicts };
  }
}

type Fate = "answered" | "lost-before" | "lost-after";
/** What becomes of the next calls; without one they are answered. */
class Network {
  readonly fates: Fate[] = [];

  through<Answer>(call: () => Answer): Promise<Answer> {
    const fate = this.fates.shift() ?? "answered";
    if (fate === "lost-before") return Promise.reject(new TypeError("no connection"));
    const answer = call();
    return fate === "lost-after"
      ? Promise.reject(new TypeError("no answer"))
      : Promise.resolve(answer);
  }
}

/** A page in which the CV is open; `reload` begins anew with what the tab has kept. */
class Tab {
  readonly network = new Network();
  readonly clock = new SimulatedClock();
  readonly #versions: Versions;
  #actor;

  constructor(versions: Versions) {
    this.#versions = versions;
    this.#actor = this.#open(begin(versions.current()));
  }

  #open(input: Kept) {
    const versions = this.#versions;
    const loaded = (): Outcome => ({
      kind: "answered",
      saved: versions.current(),
      conflicts: [],
    });
    const machine = savingMachine.provide({
      actors: {
        save: fromPromise<Outcome, Sending>(({ input: sending }) =>
          this.network.through(() => versions.save(sending)),
        ),
        load: fromPromise<Outcome, Saved>(() => this.network.through(loaded)),
        step: fromPromise<Outcome, { base: Saved; step: Step }>(() => this.network.through(loaded)),
      },
    });
    return createActor(machine, { input, clock: this.clock }).start();
  }

  get context() {
    return this.#actor.getSnapshot().context;
  }

  /** As it is on the screen. */
  get document(): CvDocument {
    return CvDocument.parse(this.context.document);
  }

  get value() {
    return this.#actor.getSnapshot().value;
  }

  send(event: SavingEvent): void {
    this.#actor.send(event);
  }

  reload(): void {
    const { base, document, sent, conflicts } = structuredClone(this.context);
    this.#actor.stop();
    this.#actor = this.#open({ base, document, sent, conflicts });
  }

  /** Time passes, and answers arrive. */
  async pass(ms: number): Promise<void> {
    this.clock.increment(ms);
    // Calls, their answers and what follows from these are microtasks.
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  }

  async settle(): Promise<void> {
    this.network.fates.length = 0;
    for (let turn = 0; turn < 8; turn++) await this.pass(60_000);
    this.send({ type: "look" });
    await this.pass(0);
    for (let turn = 0; turn < 4; turn++) await this.pass(60_000);
  }
}

const fields = ["fullName", "headline", "place"] as const;
const type = (tab: Tab, field: (typeof fields)[number], text: string): void =>
  tab.send({ type: "edit", change: put(`profile/${field}`, text) });

test("what is typed is saved after a pause, and typing on is merged with the answer", async () => {
  const versions = new Versions();
  const tab = new Tab(versions);
  type(tab, "fullName", "Dana");
  expect(tab.value).toEqual({ changed: "typing" });
  await tab.pass(700);
  expect(tab.value).toBe("saved");
  expect(versions.current().document.profile.fullName).toBe("Dana");
  type(tab, "fullName", "Dana L");
  tab.send({ type: "flush" });
  type(tab, "fullName", "Dana Levi");
  await tab.pass(0);
  expect(tab.document.profile.fullName).toBe("Dana Levi");
  await tab.pass(700);
  expect(versions.current().document.profile.fullName).toBe("Dana Levi");
  expect(tab.context.conflicts).toEqual([]);
});

test("typing without a pause is saved after five seconds", async () => {
  const versions = new Versions();
  const tab = new Tab(versions);
  for (let key = 0; key < 26; key++) {
    type(tab, "headline", `Nurse ${key}`);
    await tab.pass(200);
  }
  expect(versions.documents.length).toBe(2);
});

test("after a lost answer the same content is sent again, and makes no second version and no conflict", async () => {
  const versions = new Versions();
  const tab = new Tab(versions);
  tab.network.fates.push("lost-after");
  type(tab, "fullName", "Dana");
  await tab.pass(700);
  expect(tab.value).toBe("waiting");
  type(tab, "fullName", "Dana Levi");
  tab.send({ type: "online" });
  await tab.pass(0);
  expect(versions.documents.length).toBe(2);
  await tab.pass(700);
  expect(versions.documents.map(({ profile }) => profile.fullName)).toEqual([
    "",
    "Dana",
    "Dana Levi",
  ]);
  expect(tab.context.conflicts).toEqual([]);
});

test("two tabs that change the same field keep mine and name theirs; another field is taken over", async () => {
  const versions = new Versions();
  const [one, two] = [new Tab(versions), new Tab(versions)];
  type(one, "fullName", "Dana");
  type(one, "place", "Haifa");
  await one.pass(700);
  type(two, "fullName", "Noa");
  await two.pass(700);
  const conflict: Conflict = { path: "profile/fullName", theirs: "Dana", mine: "Noa" };
  expect(two.context.conflicts).toEqual([conflict]);
  expect(two.document.profile).toMatchObject({ fullName: "Noa", place: "Haifa" });
  two.send({ type: "settle", path: conflict.path });
  expect(two.context.conflicts).toEqual([]);
  one.send({ type: "look" });
  await one.pass(0);
  expect(one.document.profile.fullName).toBe("Noa");
});

test("undo waits until what was typed is saved, and is not repeated by itself", async () => {
  const versions = new Versions();
  const tab = new Tab(versions);
  type(tab, "fullName", "Dana");
  tab.send({ type: "step", step: "undo" });
  expect(tab.value).toBe("saving");
  tab.network.fates.push("answered", "lost-after");
  await tab.pass(0);
  await tab.pass(0);
  expect(tab.context.asked).toBeNull();
  await tab.pass(60_000);
  expect(tab.value).toBe("saved");
});

/** Events by which the walk goes on, with what the calls may answer. */
const answered = (text: string): Outcome => ({
  kind: "answered",
  saved: stateOf(put("profile/fullName", text)(empty), 2),
  conflicts: [],
});
const outcomes: readonly Outcome[] = [
  answered("Dana"),
  { kind: "not-kept" },
  { kind: "refused", tooLong: true },
  { kind: "deleted" },
  { kind: "unreached" },
];
const walked: readonly SavingEvent[] = [
  { type: "edit", change: put("profile/fullName", "Dana") },
  { type: "flush" },
  { type: "step", step: "undo" },
  { type: "look" },
  { type: "online" },
];

test("every state is reached, and none but a deleted CV is without a way on", () => {
  const done = ["save", "rebase", "look", "step"].flatMap((actor) =>
    outcomes.map((output) => ({ type: `xstate.done.actor.${actor}`, output, actorId: actor })),
  );
  const paths = getShortestPaths(savingMachine, {
    input: begin(stateOf(empty, 1)),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the answers of calls are events of the library
    events: [...walked, ...(done as never[])],
    serializeState: ({ value, context }) =>
      JSON.stringify([value, context.sent !== null, context.asked, context.document]),
  });
  const reached = new Set(paths.map(({ state }) => JSON.stringify(state.value)));
  const states = ["saved", "saving", "waiting", "rebasing", "looking", "stepping"];
  for (const state of [...states, "refused", "deleted"])
    expect(reached).toContain(JSON.stringify(state));
  expect(reached).toContain(JSON.stringify({ changed: "typing" }));
  for (const { state } of paths.filter(({ state: { value } }) => value === "waiting"))
    expect(state.can({ type: "online" })).toBe(true);
  for (const { state } of paths.filter(({ state: { value } }) => value === "saved"))
    expect(state.context.document).toEqual(state.context.base.document);
});

type Move =
  | { do: "type"; tab: 0 | 1; field: (typeof fields)[number] }
  | { do: "pass"; tab: 0 | 1; ms: number }
  | { do: "fail"; tab: 0 | 1; fate: Fate }
  | { do: "reload" | "look" | "flush" | "online"; tab: 0 | 1 };
const tab = fc.constantFrom(0 as const, 1 as const);
const moves = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant("type" as const),
        tab,
        field: fc.constantFrom(...fields),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant("pass" as const),
        tab,
        ms: fc.constantFrom(0, 300, 800, 40_000),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant("fail" as const),
        tab,
        fate: fc.constantFrom<Fate>("lost-before", "lost-after"),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constantFrom(
          "reload" as const,
          "look" as const,
          "flush" as const,
          "online" as const,
        ),
        tab,
      }),
    },
  ),
  { maxLength: 40 },
);

test("with lost answers, offline periods, reloads and two tabs, no text that was typed last is lost", async () => {
  await fc.assert(
    fc.asyncProperty(moves, async (all: readonly Move[]) => {
      const versions = new Versions();
      const tabs = [new Tab(versions), new Tab(versions)] as const;
      const last = new Map<string, { field: (typeof fields)[number]; text: string }>();
      for (const [index, move] of all.entries()) {
        const page = tabs[move.tab];
        if (move.do === "type") {
          const text = `${move.tab} wrote ${index}`;
          last.set(`${move.tab} ${move.field}`, { field: move.field, text });
          type(page, move.field, text);
        } else if (move.do === "pass") await page.pass(move.ms);
        else if (move.do === "fail") page.network.fates.push(move.fate);
        else if (move.do === "reload") page.reload();
        else page.send({ type: move.do });
      }
      for (const page of [...tabs, ...tabs]) await page.settle();
      const [one, two] = tabs;
      const saved = versions.current().document;
      expect([one.value, two.value]).toEqual(["saved", "saved"]);
      expect([one.context.document, two.context.document]).toEqual([saved, saved]);
      for (const { field, text } of last.values()) {
        const kept = versions.documents.some(({ profile }) => profile[field] === text);
        expect([text, kept]).toEqual([text, true]);
      }
    }),
    { numRuns: 300 },
  );
});

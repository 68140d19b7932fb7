import { randomUUID } from "node:crypto";

import { describe, expect, it } from "vitest";
import { z } from "zod";

import { checkModules, defineModule, type DomainModule, joinHandlers } from "./module.ts";
import { defineProcess } from "./processes.ts";
import { column, readModel } from "./read-model.ts";
import { streamKind } from "./stream-kinds.ts";
import { NoteEvent, noteEvents, notes } from "./testing/notes.ts";

const noteRows = readModel({
  table: "note_row",
  version: 1,
  mode: "inline",
  purpose: "P",
  retention: "R",
  events: noteEvents,
  key: { note_id: column.uuid("pseudonym", "Which note") },
  columns: {},
  evolve: () => ({}),
});

const process = (category = "note") =>
  defineProcess({
    name: "test.write-notes",
    reads: { category, contract: NoteEvent },
    stream: notes,
    react: () => undefined,
  });

/** Two modules that have nothing in common unless both get the same part. */
function pair(change: Partial<DomainModule>): DomainModule[] {
  return ["one", "two"].map((name) => ({ ...defineModule({ name, events: [] }), ...change }));
}

describe("modules", () => {
  it("that claim nothing twice pass", () => {
    const modules = pair({});
    expect(checkModules(modules)).toBe(modules);
  });

  it.each<[string, Partial<DomainModule>]>([
    ["module test", { name: "test" }],
    ["stream category note", { events: [noteEvents] }],
    ["read model note_row", { readModels: [noteRows] }],
    ["process test.write-notes", { processes: [process()] }],
    ["kind of stream note", { streams: [streamKind(notes)] }],
  ])("may not both declare the %s", (what, change) => {
    expect(() => checkModules(pair(change))).toThrow(`Two modules declare the ${what}`);
  });

  it("may read the same variable by one contract, not by two", () => {
    const reading = (TEST_LIMIT: z.ZodType) =>
      defineModule({ name: randomUUID(), events: [], environment: { TEST_LIMIT } });
    const contract = z.string();
    expect(checkModules([reading(contract), reading(contract)])).toHaveLength(2);
    expect(() => checkModules([reading(contract), reading(z.string())])).toThrow(
      "Two modules declare the variable TEST_LIMIT",
    );
  });

  it("may not read events that no module has", () => {
    const writer = defineModule({ name: "notes", events: [noteEvents] });
    const reader = (category: string) =>
      defineModule({ name: "reader", events: [], processes: [process(category)] });
    expect(checkModules([reader("note"), writer])).toHaveLength(2);
    expect(() => checkModules([reader("parcel"), writer])).toThrow(
      "test.write-notes reads streams parcel-… of no domain",
    );
  });

  it("may not have kinds of streams without their events", () => {
    const module = defineModule({ name: "notes", events: [], streams: [streamKind(notes)] });
    expect(() => checkModules([module])).toThrow("Streams note-… are of no domain");
  });

  it.each(["message", "timer"])("may not both handle the same %s", (what) => {
    const handler = (): number => 1;
    const parts = [{ "test.a": handler }, { "test.b": handler }];
    expect(Object.keys(joinHandlers(what, parts))).toEqual(["test.a", "test.b"]);
    expect(() => joinHandlers(what, [...parts, { "test.a": handler }])).toThrow(
      `Two modules declare the ${what} test.a`,
    );
  });
});

describe("a module's environment", () => {
  const limits: number[] = [];
  const limited = defineModule({
    name: "limited",
    environment: { TEST_LIMIT: z.coerce.number().int().default(3) },
    events: [],
    messages: (_context, env) => {
      limits.push(env.TEST_LIMIT);
      return {};
    },
  });
  // @ts-expect-error what the module gets from the worker is not used by its message handlers here
  const messages = (source: Record<string, string>) => limited.messages(undefined, source);

  it("is parsed where the module uses it: its own variables, with their defaults", () => {
    messages({});
    messages({ TEST_LIMIT: "7", OTHER: "x" });
    expect(limits).toEqual([3, 7]);
    expect(() => messages({ TEST_LIMIT: "many" })).toThrow(z.ZodError);
  });
});

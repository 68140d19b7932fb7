import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { CounterRow, EventRow } from "@pro-talent/schemas/analytics/row";
import { describe, expect, it } from "vitest";

import { fields } from "./classes.ts";
import { logFields, logFieldsOf } from "./log-fields.ts";
import { compareRegister, register } from "./register.ts";
import { renderRegister } from "./render-register.ts";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

describe("the store register", () => {
  it("knows no store that keeps an identifier or a secret", () => {
    const found = register.flatMap(({ name, fields: all }) =>
      Object.entries(all)
        .filter(([, field]) => field.class === "identifier" || field.class === "secret")
        .map(([field]) => `${name}.${field}`),
    );
    expect(found).toEqual([]);
  });

  it("has the same fields as the records of the spool", () => {
    const [event, counter] = [Object.keys(EventRow.shape), Object.keys(CounterRow.shape)];
    const both = [...new Set([...event, ...counter])];
    const live = [
      ...both.map((column) => ({ table: "quarantined segment", column })),
      ...event.map((column) => ({ table: "event record", column })),
      { table: "event record", column: "claim" },
      ...counter.map((column) => ({ table: "counter record", column })),
    ];
    expect(compareRegister("spool", live)).toEqual({ unclassified: [], gone: [] });
  });

  it("classifies every field that a service hands to its log", () => {
    const known = register
      .filter(({ store }) => store === "log")
      .flatMap((log) => Object.keys(log.fields));
    const written = logFields(at("../../../services"));
    expect(written.length).toBeGreaterThan(5);
    expect(written.filter(({ field }) => !known.includes(field))).toEqual([]);
  });

  it("names a column that is not classified, and one that is gone", () => {
    const live = [{ table: "ledger.head", column: "ip_address" }];
    const { unclassified, gone } = compareRegister("postgres", live);
    expect(unclassified).toEqual(["ledger.head.ip_address"]);
    expect(gone).toContain("ledger.head.pos");
  });

  it("is the document that people read", () => {
    const document = readFileSync(at("../../docs/store-register.md"), "utf8");
    expect(document).toBe(renderRegister(register));
  });
});

describe("classifying fields", () => {
  it("refuses a field with two classes", () => {
    expect(() => fields({ coarse: { a: "x" }, content: { a: "y" } })).toThrow("twice");
  });
});

describe("reading log calls", () => {
  it.each([
    ['log.info("ready")', []],
    ['log.warn({ err, status: 3 }, "no")', ["err", "status"]],
    ['options.log.error({ ip: request.ip }, "no")', ["ip"]],
    ['this.#log.error({ step }, "no")', ["step"]],
    ['log.error(request, "no")', ["…"]],
    ['log.error({ ...facts }, "no")', ["…"]],
  ])("%s", (code, expected) => {
    expect(logFieldsOf("a.ts", code)).toEqual(expected);
  });
});

import { describe, expect, it } from "vitest";

import { pathProblems, strayDeclarations, textProblems, textRules } from "../text/text-rules.ts";

/** A text that breaks each rule, at a path where it applies; the key is the rule's name. */
const planted: Record<string, { path: string; texts: string[] }> = {
  "a path of one machine": {
    path: "infra/docs/architecture.md",
    texts: ["see /work/main/x", 'cd "/root/x"', "`/home/dana/x`", "/Users/dana/x", "'/tmp/spool'"],
  },
  "a path that leaves the repository": {
    path: "README.md",
    texts: ["../shared/design.md", "as research/infra.md says"],
  },
  "a package registry by its host name": {
    path: "package-lock.json",
    texts: ['"resolved": "https://example.org/a.tgz"', "registry.npmjs.org", "npm.pkg.github.com"],
  },
  "a note to oneself": { path: "services/ledger/app.ts", texts: ["// TODO later", "// FIXME"] },
  "a conflict marker": { path: "README.md", texts: ["a\n<<<<<<< ours\nb"] },
  "a test that does not run, or not alone": {
    path: "services/ledger/app.test.ts",
    texts: [
      "it.skip(",
      "it.only(",
      "test.todo(",
      "describe.skipIf(x)(",
      "it.concurrent.only(",
      "it.fails(",
      'it("a", { retry: 2 }, ',
    ],
  },
  "a character that nobody sees": { path: "web/app/page.tsx", texts: ["a\u202Eb", "a\u200Bb"] },
  "a carriage return": { path: "README.md", texts: ["a\r\nb"] },
};

describe("the rules for texts", () => {
  it("have a planted violation each", () => {
    expect(Object.keys(planted)).toEqual(textRules.map((rule) => rule.name));
  });

  it.each(Object.entries(planted))("report: %s", (name, { path, texts }) => {
    for (const text of texts) expect(textProblems(path, text).join()).toContain(name);
  });

  it("say the line", () => {
    expect(textProblems("a.ts", "a\nb\n// TODO")).toEqual(["a.ts:3: a note to oneself (TODO)"]);
  });

  it("report a style sheet that nobody reads to its end", () => {
    expect(textProblems("web/styles/all.css", "a\n".repeat(301))).toHaveLength(1);
  });

  it("leave honest text alone", () => {
    const text = "https://example.org/home/x and ./tmp/x and src/work/x, user agent, PORT=3000";
    expect(textProblems("README.md", text)).toEqual([]);
  });
});

describe("the rules for names", () => {
  it.each([
    "services/ledger/utils.ts",
    "services/ledger/date-helpers.ts",
    "services/common/clock.ts",
    "web/lib/clock.ts",
    "services/ledger/session-manager.ts",
    "services/ledger/index.ts",
    "services/ledger/CamelCase.ts",
    "services/ledger/snake_case.ts",
  ])("refuse %s", (path) => {
    expect(pathProblems(path)).not.toEqual([]);
  });

  it.each([
    "README.md",
    ".oxlintrc.json",
    ".ci/run",
    "infra/docker/Dockerfile",
    "services/ledger/migrations/0001_event_store.sql",
    "services/ledger/consent/current-consent.projection.ts",
    "web/index.html",
  ])("allow %s", (path) => {
    expect(pathProblems(path)).toEqual([]);
  });

  it("report a declaration beside its source, and no other declaration", () => {
    const paths = ["infra/a.ts", "infra/a.d.ts", "web/b.tsx", "web/b.d.ts", "web/vite-env.d.ts"];
    expect(strayDeclarations(paths)).toHaveLength(2);
  });
});

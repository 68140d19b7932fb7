import { beforeEach, describe, expect, test } from "vitest";

import { banner } from "./banner.ts";
import { createTerminal } from "./terminal.ts";

let shown: string[];
let terminal: ReturnType<typeof createTerminal>;

beforeEach(() => {
  shown = [];
  terminal = createTerminal((text) => shown.push(text));
});

describe("lines of services", () => {
  test("warnings and errors are shown with what they are about", () => {
    terminal.serviceLine('{"level":40,"service":"collector","msg":"spool is filling"}');
    const error =
      '{"level":50,"service":"ledger","msg":"request failed","err":{"type":"TypeError","code":"E1"}}';
    terminal.serviceLine(error);
    expect(shown[0]).toMatch(/! .*collector.* spool is filling/);
    expect(shown[1]).toMatch(/✗ .*ledger.* request failed · TypeError · E1/);
  });

  test("everything else stays in the log files", () => {
    for (const line of ['{"level":30,"msg":"listening"}', "plain text", "{broken", "{}", "[]"]) {
      terminal.serviceLine(line);
    }
    expect(shown).toEqual([]);
  });
});

test("a death is shown with its last lines and the pause before the next start", () => {
  const lines = Array.from({ length: 9 }, (_, index) => `line ${index}`);
  terminal.event({ type: "died", name: "site", how: "ended with code 1", lines, retryInMs: 400 });
  terminal.event({ type: "restarted", name: "site", afterMs: 1240 });
  const text = shown.join("\n");
  expect(text).toContain("ended with code 1; starting it again in 0.4 s");
  expect(text).toContain("line 8");
  expect(text).not.toContain("line 3");
  expect(text).toContain("runs again after 1.2 s");
});

describe("the banner", () => {
  const runtime = {
    pid: 1,
    startedAt: "2026-01-01T00:00:00.000Z",
    origin: "http://localhost:3000",
    postgres: {
      superuserUrl: "postgres://postgres:top-secret@127.0.0.1:25432/postgres",
      ownerUrl: "postgres://pro_talent_owner:owner-secret@127.0.0.1:25432/pro_talent",
      operatorUrls: {},
    },
    clickhouse: { url: "http://default:ch-secret@127.0.0.1:28123", database: "pro_talent" },
    mail: { smtpUrl: "smtp://127.0.0.1:21025", webUrl: "http://127.0.0.1:21080" },
    services: {},
    processes: [],
  };

  test("names every address and how to query it, without a password", () => {
    const text = banner(runtime, `${process.cwd()}/.data`, 1234);
    for (const part of [
      "ready in 1.2 s",
      "http://localhost:3000",
      "http://127.0.0.1:21080",
      'npm run clickhouse -- "SELECT',
      "127.0.0.1:25432/pro_talent",
      "npm run -s postgres:url",
      ".data/logs",
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain("secret");
    expect(text).not.toContain("DATA_DIR");
  });

  test("gives commands that work on another data directory too", () => {
    const text = banner(runtime, `${process.cwd()}/.data-2`, 1234);
    expect(text).toContain('DATA_DIR=.data-2 npm run clickhouse -- "SELECT');
  });
});

import { asRole } from "@pro-talent/platform/testing/engines";
import { runProgram } from "@pro-talent/platform/testing/run-program";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";

import { dayMs, openPrivacy, requestIn } from "../testing/open-privacy.ts";

let privacy: Awaited<ReturnType<typeof openPrivacy>>;
let startMs: number;
beforeAll(async () => {
  privacy = await openPrivacy();
  startMs = privacy.time.ms;
});
afterAll(() => privacy.close());

const audit = async (...args: string[]) =>
  await runProgram(new URL("../../../privacy-audit.cli.ts", import.meta.url), args, {
    DATABASE_VERIFIER_URL: asRole(privacy.ledger.ownerUrl, "ledger_verifier"),
  });
const after = (days: number): void => {
  privacy.time.ms = startMs + days * dayMs;
};
const Audit = z.object({
  requests: z.array(
    z.object({
      requestId: z.string(),
      clocks: z.array(z.object({ clock: z.string(), result: z.string() })),
    }),
  ),
  ledger: z.object({ findingCount: z.int() }),
});

it("an auditor sees the clocks of each request, met and missed, and no person", async () => {
  const officer = privacy.officer();
  const dana = privacy.person();
  const inTime = requestIn(await dana.send("POST", "/access", {})).requestId;
  const held = requestIn(await privacy.person().askForDeletion()).requestId;
  const late = requestIn(await privacy.person().send("POST", "/access", {})).requestId;
  await officer.decided(inTime, "claim");
  await officer.decided(inTime, "deny", { reason: "no-match" });
  const reviewAt = new Date(startMs + 10 * dayMs).toISOString();
  await officer.decided(held, "hold", { law: "Evidence Act", reviewAt });
  after(11);
  const reason = "proceedings";
  const next = new Date(startMs + 60 * dayMs).toISOString();
  const { holds } = await officer.read(held);
  await officer.decided(held, `holds/${holds[0]?.holdId}/review`, { reason, reviewAt: next });
  after(25);
  await officer.decided(late, "claim");
  await officer.decided(late, "deny", { reason: "no-match" });
  after(40);
  const later = requestIn(await privacy.person().send("POST", "/access", {})).requestId;
  await officer.decided(later, "claim");
  await officer.decided(later, "deny", { reason: "no-match" });

  const { code, output } = await audit("--json", "--to", "2026-03-31");
  expect(code).toBe(1);
  const { requests, ledger } = Audit.parse(JSON.parse(output));
  const resultsOf = (id: string) =>
    requests
      .find(({ requestId }) => requestId === id)
      ?.clocks.map(({ clock, result }) => `${clock} ${result}`);
  expect(resultsOf(inTime)).toEqual(["due met"]);
  expect(resultsOf(late)).toEqual(["due missed"]);
  expect(resultsOf(held)).toContain("hold-review missed");
  expect(resultsOf(held)?.slice(0, 2)).toEqual(["due met", "erase running"]);
  expect(resultsOf(later)).toBeUndefined();
  expect(ledger.findingCount).toBe(0);
  for (const personal of [dana.accountId, "Dana", "@example.com", "Evidence Act"])
    expect(output).not.toContain(personal);
  const april = await audit("--from", "2026-04-01");
  expect(april.output).toContain(`${later.slice(0, 8)}  access`);
  expect(april.output).toContain("1 requests; clocks: 1 met, 0 missed");
  expect(april.code).toBe(0);
});

it("a ledger that was changed fails the audit, whatever its clocks say", async () => {
  await privacy.ledger.owner.unsafe(`begin; alter table ledger.event disable trigger user;
    update ledger.event set data = replace(data, 'no-match', 'other') where type = 'RequestDenied';
    alter table ledger.event enable always trigger frozen;
    alter table ledger.event enable always trigger frozen_truncate; commit`);
  const { code, output } = await audit("--from", "2026-04-01");
  expect(code).toBe(1);
  expect(output).toContain("hash (a field is not what was recorded)");
});

it("a day that is none is refused", async () => {
  const { code, errors } = await audit("--from", "yesterday");
  expect(code).toBe(1);
  expect(errors).toContain("yesterday is no day");
});

import { join } from "node:path";

import { asRole } from "@pro-talent/platform/testing/engines";
import { runHere, runProgram } from "@pro-talent/platform/testing/run-program";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";

import { HeadFile } from "../../../heads/head-file.ts";
import { publishHeads } from "../../../heads/publish-heads.ts";
import { headKey, signHead } from "../../../heads/signed-head.ts";
import { dayMs, openPrivacy, requestIn } from "../testing/open-privacy.ts";

let privacy: Awaited<ReturnType<typeof openPrivacy>>;
let startMs: number;
beforeAll(async () => {
  privacy = await openPrivacy();
  startMs = privacy.time.ms;
});
afterAll(() => privacy.close());

const program = new URL("../../../privacy-audit.cli.ts", import.meta.url);
const environment = () => ({
  DATABASE_VERIFIER_URL: asRole(privacy.ledger.ownerUrl, "ledger_verifier"),
});
const audit = async (...args: string[]) => await runHere(program, args, environment());
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

  const { code, output } = await runProgram(
    program,
    ["--json", "--to", "2026-03-31"],
    environment(),
  );
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
}, 120_000);

it("a ledger is compared with its signed heads, and one that does not continue them fails the audit", async () => {
  const key = headKey(Buffer.from("7".repeat(64), "hex"));
  const file = join(privacy.directory, "heads.jsonl");
  const publish = { file, key, sql: privacy.ledger.sql, mailer: { send: async () => undefined } };
  await publishHeads({ ...publish, clock: () => privacy.time.ms });
  const given = ["--from", "2026-04-01", "--public-key", key.id, "--head"];
  const kept = await audit(...given, file);
  expect(kept.output).toContain("Ledger verified against 1 signed heads, from position 0 to ");
  expect(kept.code).toBe(0);
  expect((await audit("--from", "2026-04-01")).output).toContain(
    "Ledger verified without signed heads",
  );

  const [published] = await new HeadFile(file).read();
  if (published === undefined) throw new Error("No head was published");
  const { keyId: _keyId, signature: _signature, ...head } = published;
  const other = join(privacy.directory, "other.jsonl");
  await new HeadFile(other).append(signHead(key, "head", { ...head, hash: "0".repeat(64) }));
  const broken = await audit(...given, other);
  expect(broken.output).toContain("rewritten (the ledger is not the one of a signed head)");
  expect(broken.output).toContain("1 finding(s)");
  expect(broken.code).toBe(1);

  const forged = join(privacy.directory, "forged.jsonl");
  await new HeadFile(forged).append({ ...published, position: published.position - 1 });
  const refused = await audit(...given, forged);
  expect(refused.errors).toContain("is signed by no known key");
  expect(refused.code).toBe(1);
}, 120_000);

it("a ledger that was changed fails the audit, whatever its clocks say", async () => {
  await privacy.ledger.owner.unsafe(`begin; alter table ledger.event disable trigger user;
    update ledger.event set data = replace(data, 'no-match', 'other') where type = 'RequestDenied';
    alter table ledger.event enable always trigger frozen;
    alter table ledger.event enable always trigger frozen_truncate; commit`);
  const { code, output } = await audit("--from", "2026-04-01");
  expect(code).toBe(1);
  expect(output).toContain("hash (a field is not what was recorded)");
}, 120_000);

it("a day that is none is refused", async () => {
  const { code, errors } = await audit("--from", "yesterday");
  expect(code).toBe(1);
  expect(errors).toContain("yesterday is no day");
}, 120_000);

import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { tablesWithIds } from "@pro-talent/schemas/primitives/data-map";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { ErasureCertificate } from "@pro-talent/schemas/privacy/evidence";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import { ledgerDataMaps } from "./data-map.ts";
import { contactEraser, contactHeld, contactSender } from "./domains/contact/contact-messages.ts";
import { contact } from "./domains/contact/module.ts";
import { entered } from "./domains/contact/testing/contact-samples.ts";
import { newsletterHeld } from "./domains/newsletter/held-newsletter.ts";
import { newsletter } from "./domains/newsletter/module.ts";
import {
  newsletterConsents,
  newsletterEraser,
  newsletterSubscriber,
} from "./domains/newsletter/subscribers.ts";
import { subscribeBody } from "./domains/newsletter/testing/newsletter-service.ts";
import { openHorizon } from "./domains/privacy/erase/backups.ts";
import { openJournal } from "./domains/privacy/erase/journal.ts";
import { searchFiles } from "./domains/privacy/search/search-files.ts";
import { searchLedger } from "./domains/privacy/search/search-ledger.ts";
import { formSenders } from "./domains/privacy/testing/form-sender.ts";
import { dayMs, openPrivacy } from "./domains/privacy/testing/open-privacy.ts";
import { waitlist } from "./domains/waitlist/module.ts";
import { waitlistHeld } from "./domains/waitlist/places.ts";
import { followerOf } from "./kernel/follow.ts";
import { followerOfProcess, registerProcesses } from "./kernel/processes.ts";
import { restoreLedger, takeLedger } from "./testing/copied-ledger.ts";

/** Mailboxes without an account: what they sent or receive is erased by the public form. */

const others = [newsletter, contact, waitlist];
let directory: string;
let environment: Readonly<Record<string, string>>;
let privacy: Awaited<ReturnType<typeof openPrivacy>>;
let senders: ReturnType<typeof formSenders>;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "mailboxes-"));
  environment = {
    ERASURE_JOURNAL_FILE: join(directory, "journal.jsonl"),
    ERASURE_JOURNAL_KEY: Buffer.alloc(32, 7).toString("hex"),
  };
  const keepsIds = tablesWithIds(ledgerDataMaps);
  const search: Parameters<typeof openPrivacy>[0] = {
    search: async (traces) => {
      const [ledger] = await searchLedger(privacy.ledger.sql, keepsIds, [traces]);
      const [files] = await searchFiles(privacy.files, [traces]);
      if (ledger === undefined || files === undefined) throw new Error("Nothing was searched");
      return [
        { store: "ledger", ...ledger },
        { store: "files", ...files },
      ];
    },
  };
  privacy = await openPrivacy(
    {
      ...search,
      keepsIds,
      mailboxErasers: [newsletterEraser, contactEraser],
      mailboxHeld: [newsletterHeld, waitlistHeld, contactHeld],
      mailboxConsents: [newsletterConsents],
    },
    environment,
    others,
  );
  senders = formSenders(privacy);
});
afterAll(async () => {
  await privacy.close();
  await rm(directory, { recursive: true });
});

const newAddress = () => `Mailbox-${randomUUID()}@example.com`;
const journalKey = { ERASURE_JOURNAL_KEY: Buffer.alloc(32, 7) };
const fileOf = () => ({ ERASURE_JOURNAL_FILE: environment["ERASURE_JOURNAL_FILE"] });

async function post(url: string, payload: object): Promise<void> {
  const answer = await privacy.app.inject({ method: "POST", url, payload });
  expect(answer.statusCode).toBeLessThan(300);
}
const subscribes = (email: string) =>
  post("/api/newsletter/subscribe", subscribeBody(email, { tags: ["waitlist"] }));
const writes = async (email: string) => {
  await post("/api/contact/send", entered({ email, message: `Please answer to ${email}.` }));
};

/** What followers and processes of the domains do on their own. */
async function follow(): Promise<void> {
  const processes = others.flatMap((module) => module.processes);
  await registerProcesses(privacy.ledger.owner, processes);
  const families = others.flatMap(({ events }) => events);
  const followers = [
    ...processes.map((process) =>
      followerOfProcess(process, { ledger: privacy.ledger.ledger, families }),
    ),
    ...privacy.ledger.ledger.readModels
      .filter(({ mode }) => mode === "following")
      .map((model) => followerOf(privacy.ledger.sql, model)),
  ];
  for (const follower of followers) while ((await follower.step()) === "behind");
}

/** Works on the erasure while the domains follow, as they do all the time. */
async function erase(requestId: string): Promise<void> {
  const working = privacy.work(requestId);
  const following = setInterval(() => void follow().catch(() => undefined), 200);
  await working.finally(() => clearInterval(following));
}

const certificateOf = async (requestId: string) => {
  const answer = await privacy.app.inject({ url: `/api/privacy/certificates/${requestId}` });
  return z.object({ certificate: ErasureCertificate }).parse(answer.json()).certificate;
};
/** Rows of the database that have the address in any of its usual forms. */
async function rowsWith(email: string): Promise<readonly string[]> {
  const forms = [
    email,
    email.toLowerCase(),
    encodeURIComponent(email),
    Buffer.from(email).toString("base64url").slice(0, 40),
    Buffer.from(email.toLowerCase()).toString("hex"),
  ];
  const tables = await privacy.ledger.owner<{ name: string }[]>`
    select table_name as name from information_schema.tables
     where table_schema = 'ledger' and table_type = 'BASE TABLE'`;
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await privacy.ledger.owner`
      select from ledger.${privacy.ledger.owner(name)} t
       where exists (select from unnest(${forms}::text[]) form where strpos(t::text, form) > 0)`;
    if (rows.length > 0) found.push(name);
  }
  return found;
}
/** Keys of anything that is found by the address. */
async function keysOf(email: string): Promise<number> {
  const { idsOfAddress } = privacy.ledger.subjects;
  const kinds = [newsletterSubscriber, contactSender, "privacy.requester"] as const;
  const ids = await Promise.all(kinds.map((kind) => idsOfAddress(kind, email)));
  return ids.flat().length;
}
const sealedCount = async () => {
  const [row] = await privacy.ledger.owner<{ count: number }[]>`
    select count(*)::int from ledger.event where sealed is not null`;
  return row?.count ?? 0;
};
const stateOf = async (requestId: string) => {
  const [row] = await privacy.ledger.sql<{ status: string; outcome: string | null }[]>`
    select status, outcome from ledger.privacy_request where request_id = ${requestId}`;
  return row;
};

/** A deletion that was verified by its code. @returns its request */
async function scheduled(email: string): Promise<string> {
  const request = await senders.verified(email, { type: "delete" });
  expect(request).toMatchObject({ status: "scheduled" });
  await privacy.work(request.requestId);
  return request.requestId;
}

const cases: Readonly<Record<string, (email: string) => Promise<void>>> = {
  "only subscribed": subscribes,
  "only wrote to us": writes,
  "subscribed and wrote twice": async (email) => {
    await subscribes(email);
    await writes(email);
    await writes(email.toLowerCase());
  },
};

describe("a mailbox without an account that", () => {
  it.each(Object.entries(cases))(
    "%s is erased after thirty days, to a certificate that names the backups",
    async (_case, begin) => {
      const [email, other] = [newAddress(), newAddress()];
      await begin(email);
      await subscribes(other);
      await follow();
      const begun = privacy.time.ms;
      const sealedOfOthers = (await sealedCount()) - (await keysOf(email));
      const requestId = await scheduled(email);
      privacy.time.ms = begun + 30 * dayMs - 1;
      await erase(requestId);
      expect(await stateOf(requestId)).toMatchObject({ status: "scheduled" });
      expect(await keysOf(email)).toBeGreaterThan(1);
      privacy.time.ms = begun + 30 * dayMs;
      await erase(requestId);
      expect(await stateOf(requestId)).toMatchObject({ status: "erased" });
      expect(senders.mailsTo(email).at(-1)?.subject).toBe("Your data is being erased");
      expect([await rowsWith(email), await keysOf(email)]).toEqual([[], 0]);
      expect(await sealedCount()).toBe(sealedOfOthers);
      expect(await keysOf(other)).toBe(1);
      const certificate = await certificateOf(requestId);
      expect(certificate.stores.every(({ left }) => left === 0)).toBe(true);
      expect(certificate.backups.goneAt).toBeNull();
      const [entry] = (await journalled()).filter((one) => one.requestId === requestId);
      expect(entry).toMatchObject({ accountId: null, visitorIds: [] });
      expect(await readFile(environment["ERASURE_JOURNAL_FILE"] ?? "", "utf8")).not.toContain("@");
      await agedAt(begun + 60 * dayMs);
      privacy.time.ms = begun + 80 * dayMs;
      await repeated("backups of what was erased");
      expect(await stateOf(requestId)).toEqual({ status: "completed", outcome: "fulfilled" });
      expect((await certificateOf(requestId)).backups.goneAt).not.toBeNull();
      privacy.time.ms = begun;
    },
  );

  it("is on the do-not-mail list stays there: its hash is all that is left", async () => {
    const email = newAddress();
    await subscribes(email);
    const begun = privacy.time.ms;
    const requestId = await scheduled(email);
    const { mailboxes } = privacy.ledger;
    await mailboxes.block(mailboxes.hashOf(email), "never_again");
    privacy.time.ms = begun + 30 * dayMs;
    await erase(requestId);
    expect(await stateOf(requestId)).toMatchObject({ status: "erased" });
    expect(await mailboxes.admit(email, undefined)).toBe("do_not_mail");
    privacy.time.ms = begun;
  });
});

const journalled = async () => (await openJournal({ ...fileOf(), ...journalKey })?.read()) ?? [];
/** The backup program finds that nothing older opens. */
const agedAt = async (ms: number) =>
  await openHorizon({ ...fileOf(), ...journalKey })?.append({
    oldestRestorableAt: instantFromMs(ms - dayMs),
    checkedAt: instantFromMs(ms),
  });
async function repeated(what: string): Promise<void> {
  await privacy
    .repeats()
    .find((one) => one.what === what)
    ?.run();
}

describe("after a backup from before is restored", () => {
  it.each([
    ["its keys are destroyed before anything opens", true],
    ["and nothing was done yet", false],
  ])("a mailbox is erased again: %s", async (_case, destroysKeys) => {
    const [early, late, other] = [newAddress(), newAddress(), newAddress()];
    for (const email of [early, late, other]) {
      await subscribes(email);
      await writes(email);
    }
    await follow();
    const begun = privacy.time.ms;
    // The backup knows one of the requests, and that it is scheduled.
    const known = await scheduled(early);
    const copy = await takeLedger(privacy.ledger.owner);
    const unknown = await scheduled(late);
    privacy.time.ms = begun + 30 * dayMs;
    for (const id of [known, unknown]) {
      await erase(id);
      expect(await stateOf(id)).toMatchObject({ status: "erased" });
    }
    await restoreLedger(privacy.ledger.owner, copy);
    expect(await stateOf(unknown)).toBeUndefined();
    expect([await keysOf(early), await keysOf(late)]).toEqual([3, 2]);
    const entries = (await journalled()).filter(({ requestId }) =>
      [known, unknown].includes(requestId),
    );
    // As the restore does, whatever the journal names.
    if (destroysKeys)
      for (const id of entries.flatMap(({ subjectIds }) => subjectIds))
        await privacy.ledger.destroyKey(id);
    await repeated("erasures that a restored backup does not know");
    for (const id of [known, unknown]) {
      await erase(id);
      expect(await stateOf(id)).toMatchObject({ status: "erased" });
    }
    expect([await keysOf(early), await keysOf(late), await keysOf(other)]).toEqual([0, 0, 2]);
    const erased = await privacy.ledger.owner<{ type: string; count: number }[]>`
      select type, count(*)::int from ledger.event
       where stream = any (${entries
         .flatMap(({ subjectIds }) => subjectIds)
         .flatMap((id) => [`newsletter-${id}`, `contact-${id}`])})
         and type in ('SubscriberErased', 'ContactDetailsErased') group by type order by type`;
    expect(erased).toEqual([
      { type: "ContactDetailsErased", count: 2 },
      { type: "SubscriberErased", count: 2 },
    ]);
    privacy.time.ms = begun;
  });
});

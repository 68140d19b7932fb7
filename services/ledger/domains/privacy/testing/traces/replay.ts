import { randomUUID } from "node:crypto";
import { join } from "node:path";

import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { privacyFormPath } from "@pro-talent/schemas/privacy/form";
import type { LightMyRequestResponse } from "fastify";

import { runCommand } from "../../../../kernel/commands.ts";
import { sweepTimers, type TimerHandler } from "../../../../kernel/timers.ts";
import { testCause } from "../../../../testing/create-test-ledger.ts";
import type { PrivacyCommand } from "../../decider.ts";
import { agedHandler, openHorizon } from "../../erase/backups.ts";
import { writeEntry } from "../../erase/journal.ts";
import { reapplyJournal } from "../../erase/reapply.ts";
import { requestsEraser } from "../../erase/stores.ts";
import { cancellationOf } from "../../follow-up.ts";
import { codeOf, statusLink } from "../../form/proofs.ts";
import type { Recordable } from "../../guards.decider.ts";
import { privacyRequests } from "../../requests.ts";
import { dana, records } from "../facts.ts";
import { requestIn } from "../open-privacy.ts";
import type { Moment } from "../request-model.ts";
import type { Found, Stage } from "./stage.ts";
import { erasureOf, handlersOf, plans } from "./staged-work.ts";

const dayMs = 24 * 60 * 60_000;
export type Replay = Awaited<ReturnType<typeof openReplay>>;

/** One request on the real ledger, with everything that can be done about it. */
export async function openReplay(stage: Stage, origin: PrivacyCommand, now: Instant) {
  const { privacy, gate, accounts } = stage;
  const { worker } = privacy;
  await stage.setTime(now);
  Object.assign(gate, { fails: "", found: "mailbox", mailAway: false });
  const person = privacy.person();
  const mailbox = `${randomUUID()}@example.com`;
  accounts.set(mailbox, person.accountId);
  const id = await begin(stage, origin, { person, mailbox });
  const erasing = erasureOf(stage, join(privacy.directory, `${id}.jsonl`));
  const token = new URL(statusLink(worker, id)).hash.slice(1);
  const post = async (path: string, payload: object) =>
    accepted(
      await privacy.app.inject({ method: "POST", url: `${privacyFormPath}${path}`, payload }),
    );
  const handlers = handlersOf(stage, erasing, person.accountId);
  return {
    id,
    gate,
    person,
    token,
    holder: async (act: string) => {
      const path = act.startsWith("/") ? `/${id}${act}` : `/${act}`;
      const body = act === "waive-grace" ? { email: person.email } : {};
      accepted(await person.send("POST", path, body));
    },
    downloads: async () => accepted(await person.send("GET", `/${id}/package`)),
    decides: async (officerId: string, path: string, body: object) => {
      const officer = officerId === dana ? stage.officers.dana : stage.officers.omar;
      const { holds, correction } = await officer.read(id);
      const act = path.replace(":holdId", holds[0]?.holdId ?? "");
      const seen = "held" in body ? { held: correction?.held ?? {} } : body;
      accepted(await officer.decide(id, act, seen));
    },
    entersCode: async (path: string, { request }: Moment, found: Found) => {
      gate.found = found;
      await post(path, { token, code: codeOf(worker, id, request.codes.number) });
    },
    entersWrongCode: async ({ request }: Moment) => {
      const path = request.status === "ready" ? "/package" : "/verification";
      const code = codeOf(worker, id, request.codes.number + 100);
      const payload = { token, code };
      const url = `${privacyFormPath}${path}`;
      expectStatus(await privacy.app.inject({ method: "POST", url, payload }), 422);
    },
    asksAgain: async ({ request: { status, type, relation } }: Moment) => {
      if (status === "received" || status === "ready") await post("/code", { token });
      else await post("", formOf(type, relation ?? "mailbox", mailbox));
    },
    ends: async () => await post("/end", { token }),
    /** As a job of the queue does, whether it is due or not. */
    delivers: async (name: string) => {
      const now = instantFromMs(privacy.time.ms);
      await handlers[name]?.(id, { now, cause: testCause() });
    },
    fires: async (name: string) => {
      const handler = handlers[name];
      if (handler === undefined) throw new Error(`No handler of ${name}`);
      // Other requests of the stage are not looked at.
      let failure: unknown;
      const own: TimerHandler = async (of, why) => {
        if (of !== id) return "not-yet";
        await handler(of, why).catch((error: unknown) => {
          failure = error;
          throw error;
        });
        return undefined;
      };
      const { sql } = privacy.ledger;
      if ((await sweepTimers({ sql, handlers: { [name]: own }, log: stage.log })) !== 1)
        throw new Error(`The timer ${name} is not due, or failed`, { cause: failure });
    },
    records: async (fact: Recordable) => await privacy.record(id, fact),
    /** Where no other way leads there, the command that the reconciler gives. */
    reapplies: async ({ request: { status }, now: at }: Moment) => {
      const { journal } = erasing;
      const isKnown = (await stage.typesOf(id)).some((type) => type.startsWith("Journal"));
      if (status === "claimed" || isKnown || journal === undefined) {
        const { accountId } = person;
        const data = { entry: 1, accountId, steps: [...plans.erasure] };
        return await privacy.record(id, { type: "JournalReapplied", data });
      }
      const entry = { requestId: id, erasedAt: at, subjectIds: [id], accountId: person.accountId };
      await writeEntry(journal, privacy.ledger.sql, { ...entry, visitorIds: [] });
      await reapplyJournal(erasing)();
    },
    endedByErasure: async ({ request, now: at }: Moment) => {
      if (request.accountId === null || request.status === "completed")
        return await privacy.record(id, { type: "RequestEndedByErasure", data: {} });
      const subject = { accountId: person.accountId, email: person.email };
      const why = { now: at, cause: testCause() };
      await requestsEraser(privacy.files).erase(worker, subject, why);
    },
    backupsAge: async ({ request: { erasedAt }, now: at }: Moment) => {
      const horizon = openHorizon(erasing.journalEnv);
      const oldestRestorableAt = instantFromMs(Date.parse(erasedAt ?? at) + dayMs);
      await horizon?.append({ oldestRestorableAt, checkedAt: oldestRestorableAt });
      await agedHandler(worker, horizon)(id, { now: at, cause: testCause() });
    },
    /** What is left of it is of no interest to the next one. */
    close: async () => {
      await privacy.ledger.owner`
        update ledger.due_timer set fired_at = now()
         where stream = ${`privacy-${id}`} and fired_at is null`;
    },
  };
}

type Begun = {
  readonly person: ReturnType<Stage["privacy"]["person"]>;
  readonly mailbox: string;
};

const formOf = (type: string, relation: string, email: string) => ({
  email,
  type,
  relation,
  language: "en",
  ...(relation === "authorised" && { about: email }),
});

/** By the calls of a browser; a request that no call leads to by the command. @returns its id */
async function begin(
  { privacy, requestOf, recordsCancellations }: Stage,
  origin: PrivacyCommand,
  { person, mailbox }: Begun,
): Promise<string> {
  if (origin.type === "ReceiveForm") {
    const payload = formOf(origin.requestType, origin.relation, mailbox);
    const { app } = privacy;
    accepted(await app.inject({ method: "POST", url: privacyFormPath, payload }));
    return await requestOf(mailbox);
  }
  const id = randomUUID();
  if (origin.type !== "ReceiveRequest") throw new Error("It is not received");
  const { requestType, identity } = origin;
  if (identity === null) {
    const accountId = origin.accountId === null ? null : person.accountId;
    const command = { ...origin, accountId };
    const why = { now: instantFromMs(privacy.time.ms), cause: testCause() };
    await runCommand(privacy.ledger.ledger, privacyRequests, {
      ...why,
      id,
      command,
      body: command,
    });
    return id;
  }
  if (requestType === "cancel-deletion") {
    const { requestId } = requestIn(await person.askForDeletion());
    accepted(await person.send("POST", "/cancel-deletion", {}));
    await recordsCancellations();
    return cancellationOf(requestId);
  }
  const bodies = {
    access: {},
    correct: { fields: { phone: "+972 3 123 4567" } },
    delete: { email: person.email, reason: "I found a job" },
  };
  accepted(await person.send("POST", `/${requestType}`, bodies[requestType]));
  return (await person.requests())[0]?.requestId ?? "";
}

function expectStatus(answer: LightMyRequestResponse, status: number): void {
  if (answer.statusCode !== status)
    throw new Error(`${answer.statusCode} ${answer.body} instead of ${status}`);
}
const accepted = (answer: LightMyRequestResponse): void => {
  if (answer.statusCode >= 400) throw new Error(`refused: ${answer.statusCode} ${answer.body}`);
};

/** What a command about the request is refused with, or `accepted`. */
export async function refusalOf(
  { privacy }: Stage,
  { id }: Pick<Replay, "id">,
  fact: Recordable,
): Promise<string> {
  const command = records(fact);
  const why = { now: instantFromMs(privacy.time.ms), cause: testCause() };
  const issued = { ...why, id, command, body: command };
  const result = await runCommand(privacy.ledger.ledger, privacyRequests, issued);
  return result.kind === "refusal" ? result.code : "accepted";
}

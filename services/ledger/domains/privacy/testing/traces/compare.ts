import { isDeepStrictEqual } from "node:util";

import type { PrivacyEvent } from "@pro-talent/schemas/privacy/events";
import { privacyFormPath } from "@pro-talent/schemas/privacy/form";
import { FormRequest } from "@pro-talent/schemas/privacy/form-calls";
import { transitions } from "@pro-talent/schemas/privacy/transitions";
import type { LightMyRequestResponse } from "fastify";
import { z } from "zod";

import { loadState } from "../../../../kernel/streams.ts";
import type { Recordable } from "../../guards.decider.ts";
import { privacyRequests } from "../../requests.ts";
import type { KnownRequest, PrivacyState } from "../../state.decider.ts";
import { timersOf } from "../../timers.ts";
import { dana } from "../facts.ts";
import { timersOf as realTimersOf } from "../open-privacy.ts";
import { answerTo, attemptsOf, type Moment } from "../request-model.ts";
import { refusalOf, type Replay } from "./replay.ts";
import type { Stage } from "./stage.ts";

/** The clock of the database runs on while something is done. */
const toleranceMs = 60_000;

/** A state without what is drawn at random: ids of requests, accounts and holds. */
function shapeOf(state: PrivacyState): object {
  if (state.status === "none") return state;
  const { accountId, holds, found: _found, ...rest } = state;
  return { ...rest, isAccount: accountId !== null, holds: holds.length };
}

/** The first place where two values differ, by its path; instants may differ by a minute. */
function differenceIn(model: unknown, real: unknown, path: string): string | undefined {
  if (isDeepStrictEqual(model, real)) return undefined;
  if (typeof model === "string" && typeof real === "string") {
    const apart = Math.abs(Date.parse(model) - Date.parse(real));
    if (apart <= toleranceMs) return undefined;
  }
  if (isObject(model) && isObject(real))
    for (const key of new Set([...Object.keys(model), ...Object.keys(real)])) {
      const found = differenceIn(model[key], real[key], `${path}.${key}`);
      if (found !== undefined) return found;
    }
  if (isObject(model) && isObject(real) && Object.keys(model).length === Object.keys(real).length)
    return undefined;
  return `${path} is ${JSON.stringify(real)}, and ${JSON.stringify(model)} in the model`;
}
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** Its state and its timers. */
export async function stateDifference(
  { privacy }: Stage,
  { id }: Replay,
  { request }: Moment,
): Promise<string | undefined> {
  const { state } = await loadState(privacy.ledger.sql, privacyRequests, id);
  const timers = (list: readonly { readonly name: string; readonly at: string }[]) =>
    Object.fromEntries(list.map(({ name, at }) => [name, at]));
  const real = (await realTimersOf(privacy.ledger.owner, id)).map(({ name, at }) => ({
    name,
    at: new Date(at).toISOString(),
  }));
  const model = timersOf(request).map(({ name, dueAt }) => ({ name, at: dueAt }));
  return (
    differenceIn(shapeOf(request), shapeOf(state), "state") ??
    differenceIn(timers(model), timers(real), "timers")
  );
}

/** What people are shown as possible. */
export async function possibleDifference(
  { privacy, officers }: Stage,
  { id, person, token }: Replay,
  moment: Moment,
): Promise<string | undefined> {
  const { request } = moment;
  const shown = new Map<string, readonly string[]>();
  if (request.relation !== null) {
    const url = `${privacyFormPath}/status`;
    const answer = await privacy.app.inject({ method: "POST", url, payload: { token } });
    const { possible } = z.object({ request: FormRequest }).parse(answer.json()).request;
    shown.set("holder", possible);
  } else if (request.accountId !== null) {
    const own = (await person.requests()).find(({ requestId }) => requestId === id);
    shown.set("holder", own?.possible ?? []);
  }
  for (const officer of [officers.dana, officers.omar])
    shown.set(officer.accountId, (await officer.read(id)).possible);
  for (const [actor, possible] of shown) {
    const accepted = acceptedOf(moment, actor);
    const [is, should] = [possible, accepted].map((types) => [...new Set(types)].toSorted().join());
    if (is !== should) return `${actor} is shown ${is} instead of ${should}`;
  }
  return undefined;
}

function acceptedOf(moment: Moment, actor: string): readonly string[] {
  const party = actor === "holder" ? "holder" : "officer";
  const rows = transitions[moment.request.type].filter(({ by }) => by === party);
  return attemptsOf(moment)
    .filter(
      (fact) =>
        rows.some(({ event }) => event === fact.type) &&
        (actor === "holder" || ("officerId" in fact.data && fact.data.officerId === actor)) &&
        typeof answerTo(moment, fact) !== "string",
    )
    .map(({ type }) => type);
}

/**
 * Tries everything that the model refuses: by the command, and by the call of a holder or an officer where
 * there is one.
 */
export async function refusalDifference(
  stage: Stage,
  replay: Replay,
  moment: Moment,
): Promise<string | undefined> {
  const { state } = await loadState(stage.privacy.ledger.sql, privacyRequests, replay.id);
  if (state.status === "none") return "it is not there";
  const real = attemptsOf({ ...moment, request: { ...moment.request, holds: state.holds } });
  for (const [place, fact] of attemptsOf(moment).entries()) {
    const expected = answerTo(moment, fact);
    const tried = real[place];
    if (typeof expected !== "string" || tried === undefined) continue;
    const code = await refusalOf(stage, replay, tried);
    if (code !== expected) return `${fact.type} is ${code}, and ${expected} in the model`;
    const answer = await callOf(stage, replay, { fact: tried, state });
    const problem = answer && z.object({ code: z.string() }).parse(answer.json()).code;
    const permitted = problemsOf(fact, expected);
    if (problem !== undefined && !permitted.includes(problem))
      return `the call for ${fact.type} answers ${problem} instead of ${permitted.join(" or ")}`;
  }
  return undefined;
}

/** What a refusal is called over HTTP, written down apart from the service. */
function problemsOf(fact: Recordable, refusal: string): readonly string[] {
  if (fact.type === "PackageDownloaded") return ["package_ended", "not_possible_now"];
  if (fact.type === "DeletionCancelled" || fact.type === "GraceWaived")
    return [refusal === "not-held" ? "on_hold" : "erasing_already", "no_deletion"];
  switch (refusal) {
    case "lease-free":
      return ["assigned_elsewhere"];
    case "lease-held":
      return ["not_assigned"];
    case "erasing-already":
      return ["erasing_already"];
    default:
      return ["not_possible_now"];
  }
}

type Tried = { readonly fact: Recordable; readonly state: KnownRequest };

/** The call that leads to an event; undefined when none leads to it in this state. */
async function callOf(
  { officers, privacy }: Stage,
  { id, person, token }: Replay,
  { fact, state }: Tried,
): Promise<LightMyRequestResponse | undefined> {
  if ("officerId" in fact.data) {
    const call = officerCall(fact, state);
    const officer = fact.data.officerId === dana ? officers.dana : officers.omar;
    return call && (await officer.decide(id, call.path, call.body));
  }
  if (state.relation !== null) {
    const ends = state.status === "scheduled" ? "DeletionCancelled" : "RequestWithdrawn";
    if (fact.type !== ends) return undefined;
    const url = `${privacyFormPath}/end`;
    return await privacy.app.inject({ method: "POST", url, payload: { token } });
  }
  if (state.accountId === null) return undefined;
  switch (fact.type) {
    case "RequestWithdrawn":
      return await person.send("POST", `/${id}/withdraw`, {});
    case "PackageDownloaded":
      return await person.send("GET", `/${id}/package`);
    case "DeletionCancelled":
      return await person.send("POST", "/cancel-deletion", {});
    case "GraceWaived":
      return await person.send("POST", "/waive-grace", { email: person.email });
    default:
      return undefined;
  }
}

type Call = { readonly path: string; readonly body: object };

/** Calls that need nothing but the version that was seen. */
const plainCalls: Partial<Readonly<Record<Recordable["type"], string>>> = {
  Assigned: "claim",
  AssignmentReleased: "release",
  Retried: "retry",
};
const approvals: Partial<Readonly<Record<Recordable["type"], KnownRequest["type"]>>> = {
  AccessApproved: "access",
  DeletionApproved: "delete",
};

function officerCall({ type, data }: Recordable, state: KnownRequest): Call | undefined {
  const plain = plainCalls[type];
  if (plain !== undefined) return { path: plain, body: {} };
  if (approvals[type] === state.type) return { path: "approve", body: {} };
  const holdId = "holdId" in data ? data.holdId : "";
  switch (type) {
    case "IdentityChecked":
      return { path: "check", body: { check: data.check } };
    case "ExtensionDeclared":
      return { path: "extend", body: { law: data.law } };
    case "RequestDenied":
      return data.reason === "suspected-fraud"
        ? undefined
        : { path: "deny", body: { reason: data.reason } };
    case "HoldPlaced": {
      // The call draws a new id.
      const { law, reviewAt } = data;
      return state.holds.includes(holdId) ? undefined : { path: "hold", body: { law, reviewAt } };
    }
    case "HoldReviewed": {
      const { reason, reviewAt } = data;
      return { path: `holds/${holdId}/review`, body: { reason, reviewAt } };
    }
    case "HoldReleased":
      return { path: `holds/${holdId}/release`, body: {} };
    default:
      return undefined;
  }
}

/** The events of a stream since a version, without what is drawn at random. */
export function namesOf(events: readonly Pick<PrivacyEvent, "type" | "data">[]): readonly string[] {
  return events.map(({ type, data }) => {
    const said = ["step", "left", "notice", "result", "reason", "law", "method", "number", "check"];
    const values = Object.entries(data).flatMap(([name, value]) =>
      said.includes(name) ? [`${name} ${String(value)}`] : [],
    );
    return [type, ...values.toSorted()].join(" ");
  });
}

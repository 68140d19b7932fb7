import { SubscribeRequest } from "@pro-talent/schemas/newsletter/calls";
import {
  newsletterConsentTexts,
  newsletterPromises,
} from "@pro-talent/schemas/newsletter/consent-texts";
import { describe, expect, test } from "vitest";
import { createActor, fromPromise, SimulatedClock, waitFor } from "xstate";
import { getShortestPaths } from "xstate/graph";

import type { CallResult } from "../../api-client/request.ts";
import { formData, serializeEvent } from "../../e2e/machine-paths.ts";
import en from "../../i18n/en/newsletter.json" with { type: "json" };
import he from "../../i18n/he/newsletter.json" with { type: "json" };
import type { FormEvent } from "../form-machine.ts";
import {
  readEntry,
  resultOf,
  subscribeBody,
  type SubscribeEntry,
  type SubscribeResult,
} from "./subscribe-call.ts";
import { bannerMs, missingIn, newsletterMachine, waitlistMachine } from "./subscribe.machine.ts";

const fields = {
  email: " noa@example.com ",
  consentText: en.consent.text,
  language: "he",
  sourceContext: "signup_page",
  website: "",
};
const entry = readEntry(formData(fields));
const submit = (change: Partial<typeof fields> = {}): FormEvent => ({
  type: "submit",
  data: formData({ ...fields, ...change }),
});
const edited: FormEvent = { type: "edited", field: "email" };
const withoutConsent = submit({ consentText: "" });

type Answer = () => Promise<SubscribeResult>;
const never: Answer = () => new Promise(() => undefined);

/** A form, the entries that its platform received, and a simulated clock. */
function formWith(machine: typeof newsletterMachine | typeof waitlistMachine, answer: Answer) {
  const entries: SubscribeEntry[] = [];
  const subscribe = fromPromise<SubscribeResult, SubscribeEntry>(({ input }) => {
    entries.push(input);
    return answer();
  });
  const clock = new SimulatedClock();
  const actors = { subscribe };
  const connected =
    machine === newsletterMachine
      ? newsletterMachine.provide({ actors })
      : waitlistMachine.provide({ actors });
  return { actor: createActor(connected, { clock }).start(), entries, clock };
}

const forms = [
  ["newsletter", newsletterMachine, "empty", "subscribed"],
  ["waitlist", waitlistMachine, "idle", "success"],
] as const;

describe.each(forms)("the %s form", (_name, machine, first, last) => {
  const submitted = async (answer: Answer) => {
    const form = formWith(machine, answer);
    form.actor.send(submit());
    await waitFor(form.actor, (snapshot) => snapshot.value !== "submitting");
    return form;
  };

  test("submits once, however often it is pressed", () => {
    const { actor, entries } = formWith(machine, never);
    actor.send(submit());
    actor.send(submit({ email: "dan@example.com" }));
    expect(actor.getSnapshot().value).toBe("submitting");
    expect(entries).toEqual([entry]);
  });

  test("keeps no entry after success", async () => {
    const { actor } = await submitted(() => Promise.resolve({ kind: "subscribed" }));
    expect(actor.getSnapshot()).toMatchObject({
      value: last,
      context: { entry: { email: "" }, trouble: undefined },
    });
  });

  test.each<[string, Answer, object]>([
    ["a known address", () => Promise.resolve({ kind: "already" }), { code: "alreadySubscribed" }],
    [
      "a refusal with a text",
      () => Promise.resolve({ kind: "refused", text: "No such domain" }),
      { code: "server", text: "No such domain" },
    ],
    ["a refusal without a text", () => Promise.resolve({ kind: "refused" }), { code: "refused" }],
    ["no network", () => Promise.reject(new TypeError("offline")), { code: "network" }],
  ])("after %s says so and is at its beginning", async (_, answer, trouble) => {
    const { actor } = await submitted(answer);
    expect(actor.getSnapshot()).toMatchObject({ value: first, context: { trouble } });
  });

  test.each([
    [{ email: " " }, "emailRequired"],
    [{ consentText: "" }, "consentRequired"],
    [{ email: "", consentText: "" }, "emailRequired"],
  ])("with %j is held back with %s, and editing clears it", (change, code) => {
    const { actor, entries } = formWith(machine, never);
    actor.send(submit(change));
    expect(actor.getSnapshot()).toMatchObject({ value: first, context: { trouble: { code } } });
    actor.send(edited);
    expect(actor.getSnapshot().context.trouble).toBeUndefined();
    expect(entries).toEqual([]);
  });

  test("has the three states of the specification, and submits only what is complete", () => {
    const events = [
      submit(),
      withoutConsent,
      edited,
      ...[{ kind: "subscribed" }, { kind: "already" }, { kind: "refused" }].map((output) => ({
        type: "xstate.done.actor.subscribe",
        output,
      })),
      { type: "xstate.error.actor.subscribe", error: "offline" },
      { type: "xstate.after.bannerTime.waitlist.success" },
    ];
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- answers and timers are XState's own events, outside of the machine's type
    const options = { events: events as never[], serializeEvent };
    const paths =
      machine === newsletterMachine
        ? getShortestPaths(newsletterMachine, options)
        : getShortestPaths(waitlistMachine, options);
    const states = paths.map(({ state }) => state);
    expect(new Set(states.map(({ value }) => value))).toEqual(new Set([first, "submitting", last]));
    const incomplete = states.filter(
      ({ value, context }) => value === "submitting" && missingIn(context.entry) !== undefined,
    );
    expect(incomplete).toEqual([]);
  });
});

test("subscribed is the end of the newsletter form", async () => {
  const { actor } = formWith(newsletterMachine, () => Promise.resolve({ kind: "subscribed" }));
  actor.send(submit());
  expect((await waitFor(actor, ({ status }) => status === "done")).value).toBe("subscribed");
});

test("the banner of the waitlist disappears after 10 seconds", async () => {
  const { actor, clock } = formWith(waitlistMachine, () => Promise.resolve({ kind: "subscribed" }));
  actor.send(submit());
  await waitFor(actor, ({ value }) => value === "success");
  clock.increment(bannerMs - 1);
  expect(actor.getSnapshot().value).toBe("success");
  clock.increment(1);
  expect(actor.getSnapshot().value).toBe("idle");
});

describe("the subscribe call", () => {
  test.each(["footer_form", "signup_page"])("from %s keeps the contract", (sourceContext) => {
    const body = subscribeBody(readEntry(formData({ ...fields, sourceContext })));
    expect(SubscribeRequest.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      email: "noa@example.com",
      language: "he",
      sourceContext,
      consentText:
        "I agree to receive newsletter updates and accept the Privacy Policy and Terms of Service.",
    });
    expect(body).not.toHaveProperty("website");
  });

  test("passes on the honeypot field when a program filled it in", () => {
    const website = "https://spam.example";
    expect(subscribeBody({ ...entry, website }).website).toBe(website);
  });

  const refused = (
    code: Extract<CallResult<"POST /api/newsletter/subscribe">, { ok: false }>["code"],
    error: string | undefined,
  ): CallResult<"POST /api/newsletter/subscribe"> => ({ ok: false, status: 400, code, error });
  test.each<[CallResult<"POST /api/newsletter/subscribe">, SubscribeResult]>([
    [{ ok: true, status: 200, answer: { status: "confirmation_sent" } }, { kind: "subscribed" }],
    [{ ok: true, status: 202, answer: undefined }, { kind: "subscribed" }],
    [{ ok: true, status: 200, answer: { status: "already_subscribed" } }, { kind: "already" }],
    [refused("already_subscribed", undefined), { kind: "already" }],
    [refused(undefined, "Email already subscribed"), { kind: "already" }],
    [refused(undefined, "Already subscribed."), { kind: "already" }],
    [refused("invalid_body", "Not an address"), { kind: "refused", text: "Not an address" }],
    [refused("internal_error", undefined), { kind: "refused" }],
    [refused(undefined, "a".repeat(5000)), { kind: "refused", text: "a".repeat(300) }],
  ])("answered with %j means %j", (answer, result) => {
    expect(resultOf(answer)).toEqual(result);
  });
});

test("what the forms ask to agree to is the newest text on record, in both languages", () => {
  const [newest] = newsletterConsentTexts;
  expect(newest?.text).toEqual({ en: en.consent.text, he: he.consent.text });
  const versions = newsletterConsentTexts.map(({ version }) => version);
  expect(new Set(versions).size).toBe(versions.length);
  expect(versions).toEqual(versions.toSorted().toReversed());
});

test.each([
  ["en", en],
  ["he", he],
] as const)("forms, mails and pages make one promise, in %s", (language, texts) => {
  const { waitlist, open } = newsletterPromises;
  expect(texts.promise.startsWith(`${waitlist[language]} `)).toBe(true);
  expect(texts.promise_open.startsWith(`${open[language]} `)).toBe(true);
  // Names that become links.
  expect(texts.consent.text).toContain(texts.consent.privacy);
  expect(texts.consent.text).toContain(texts.consent.terms);
});

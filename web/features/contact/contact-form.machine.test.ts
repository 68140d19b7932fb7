import { ContactRequest } from "@pro-talent/schemas/contact/calls";
import { describe, expect, test } from "vitest";
import { createActor, fromPromise, waitFor } from "xstate";
import { getShortestPaths } from "xstate/graph";

import type { ApiClient } from "../../api-client/request.ts";
import { contactBody, sendContactMessage } from "./contact-call.ts";
import {
  contactMachine,
  type ContactResult,
  type ContactSubmission,
} from "./contact-form.machine.ts";
import {
  type ContactField,
  type ContactMessage,
  edited,
  emptyMessage,
  faultsOf,
  hasFaults,
} from "./contact-message.ts";
import {
  type ContactEvent,
  firstContactView,
  foreseeContact,
  type SubmissionMetadata,
} from "./contact-view.ts";

const whole: ContactMessage = {
  name: "Noa",
  email: "noa@example.com",
  subjectCategory: "bug",
  subject: "bug",
  message: "The page does not open.",
  website: "",
};
const metadata: SubmissionMetadata = {
  idempotencyKey: "0193c6a4-5f00-7000-8000-000000000001",
  language: "he",
  sessionId: undefined,
  writingMs: 42_000,
};
const submit: ContactEvent = { type: "submit", metadata };
const changed = (field: ContactField, value: string): ContactEvent => ({
  type: "changed",
  field,
  value,
});
const writing: ContactEvent[] = [
  changed("name", whole.name),
  changed("email", whole.email),
  changed("subjectCategory", "bug"),
  changed("message", whole.message),
];

/** A form and the answer of its platform. */
function formWith(answer: () => Promise<ContactResult>) {
  const submissions: ContactSubmission[] = [];
  const connected = contactMachine.provide({
    actors: {
      send: fromPromise<ContactResult, ContactSubmission>(({ input }) => {
        submissions.push(input);
        return answer();
      }),
    },
  });
  return { actor: createActor(connected).start(), submissions };
}

const never = (): Promise<ContactResult> => new Promise(() => undefined);

async function sent(answer: () => Promise<ContactResult>) {
  const form = formWith(answer);
  for (const event of [...writing, submit]) form.actor.send(event);
  await waitFor(form.actor, (snapshot) => snapshot.value !== "sending");
  return form;
}

describe("a contact message", () => {
  test.each<[Partial<ContactMessage>, object]>([
    [{ name: " " }, { name: "nameRequired" }],
    [{ email: "" }, { email: "emailRequired" }],
    [{ email: "noa@example" }, { email: "emailInvalid" }],
    [{ subject: "  " }, { subject: "subjectRequired" }],
    [{ message: " " }, { message: "messageRequired" }],
    [{ message: "  too short " }, { message: "messageTooShort" }],
    [{ message: "ten chars!" }, {}],
  ])("with %j has the faults %j", (change, faults) => {
    expect(faultsOf({ ...whole, ...change })).toEqual(faults);
  });

  test("takes its subject from the category, and from the writer under other", () => {
    const billing = edited(emptyMessage, "subjectCategory", "billing");
    expect(billing.subject).toBe("billing");
    const other = edited(billing, "subjectCategory", "other");
    expect(other.subject).toBe("");
    const named = edited(other, "subject", "Press");
    expect(named).toMatchObject({ subject: "Press", subjectCategory: "other" });
    expect(edited(named, "subjectCategory", "general").subject).toBe("general");
    expect(edited(named, "subjectCategory", "").subject).toBe("");
  });

  test("goes out as the contract wants it, with the session only if there is one", async () => {
    const submission = { message: { ...whole, email: " noa@example.com " }, metadata };
    expect(ContactRequest.parse(contactBody(submission))).toEqual({
      name: "Noa",
      email: "noa@example.com",
      subject: "bug",
      subjectCategory: "bug",
      message: "The page does not open.",
      language: "he",
      writingMs: 42_000,
    });
    const consented = { ...metadata, sessionId: "s-1", writingMs: undefined };
    const body = contactBody({ ...submission, metadata: consented });
    expect(body.sessionId).toBe("s-1");
    expect(body).not.toHaveProperty("writingMs");
    const filledHoneypot = { ...whole, website: "https://spam.example" };
    expect(contactBody({ ...submission, message: filledHoneypot }).website).toBe(
      filledHoneypot.website,
    );
    const headers: unknown[] = [];
    const api: ApiClient = {
      post: async (path, call) => {
        headers.push(call.headers);
        return { ok: path === "/api/contact/send", status: 200, body: {} };
      },
    };
    expect(await sendContactMessage(api, submission)).toEqual({ accepted: true });
    expect(headers).toEqual([{ "idempotency-key": metadata.idempotencyKey }]);
  });
});

describe("the contact form", () => {
  test("says everything that is missing at once, and says it again on the next try", () => {
    const { actor, submissions } = formWith(never);
    actor.send(submit);
    const { faults, refusals } = actor.getSnapshot().context;
    expect({ faults, refusals }).toEqual({
      faults: {
        name: "nameRequired",
        email: "emailRequired",
        subject: "subjectRequired",
        message: "messageRequired",
      },
      refusals: 1,
    });
    actor.send(submit);
    expect(actor.getSnapshot().context.refusals).toBe(2);
    expect(submissions).toEqual([]);
  });

  test("editing a field clears its error and no other", () => {
    const { actor } = formWith(never);
    actor.send(submit);
    actor.send(changed("name", "N"));
    expect(actor.getSnapshot().context.faults).toMatchObject({
      name: undefined,
      email: "emailRequired",
      subject: "subjectRequired",
    });
    actor.send(changed("subjectCategory", "other"));
    expect(actor.getSnapshot().context.faults.subject).toBeUndefined();
  });

  test("while sending, nothing can be edited or sent twice", () => {
    const { actor, submissions } = formWith(never);
    for (const event of [...writing, submit, submit, changed("name", "Dan")]) actor.send(event);
    expect(actor.getSnapshot().value).toBe("sending");
    expect(submissions).toEqual([{ message: whole, metadata }]);
    expect(actor.getSnapshot().context.message.name).toBe("Noa");
  });

  test("success clears the form; writing again ends the thanks", async () => {
    const { actor } = await sent(() => Promise.resolve({ accepted: true }));
    expect(actor.getSnapshot()).toMatchObject({
      value: "success",
      context: { message: emptyMessage },
    });
    actor.send(changed("name", "N"));
    expect(actor.getSnapshot()).toMatchObject({
      value: "idle",
      context: { message: { name: "N" } },
    });
  });

  test.each<[string, () => Promise<ContactResult>]>([
    ["a refusal", () => Promise.resolve({ accepted: false })],
    ["no network", () => Promise.reject(new TypeError("offline"))],
  ])("after %s it shows the error, keeps the text and can send again", async (_, answer) => {
    const { actor, submissions } = await sent(answer);
    expect(actor.getSnapshot()).toMatchObject({ value: "error", context: { message: whole } });
    actor.send(submit);
    expect(submissions).toHaveLength(2);
  });

  test("an unchanged message repeats its submission, another one has its own key", async () => {
    const { actor, submissions } = await sent(() => Promise.resolve({ accepted: false }));
    const later: SubmissionMetadata = { ...metadata, idempotencyKey: "another", writingMs: 90_000 };
    const tryAgain = async (): Promise<void> => {
      actor.send({ type: "submit", metadata: later });
      await waitFor(actor, (snapshot) => snapshot.value !== "sending");
    };
    await tryAgain();
    expect(submissions[1]).toEqual(submissions[0]);
    actor.send(changed("message", "The page still does not open."));
    await tryAgain();
    expect(submissions[2]?.metadata).toEqual(later);
  });

  test("the same text after a success is a new submission", async () => {
    const { actor, submissions } = await sent(() => Promise.resolve({ accepted: true }));
    for (const event of writing) actor.send(event);
    actor.send({ type: "submit", metadata: { ...metadata, idempotencyKey: "another" } });
    expect(submissions.map((submission) => submission.metadata.idempotencyKey)).toEqual([
      metadata.idempotencyKey,
      "another",
    ]);
  });
});

describe("every way through the contact form", () => {
  const events: ContactEvent[] = [...writing, changed("subjectCategory", "other"), submit];
  const answers = [
    { type: "xstate.done.actor.send", output: { accepted: true } },
    { type: "xstate.done.actor.send", output: { accepted: false } },
    { type: "xstate.error.actor.send", error: new TypeError("offline") },
  ];
  const paths = getShortestPaths(contactMachine, {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the platform's answers are XState's own events, outside of the machine's type
    events: [...events, ...answers] as never[],
    serializeState: ({ value, context }) =>
      JSON.stringify([value, context.message, context.faults]),
  });

  test("reaches the four states of the specification and no other", () => {
    const places = new Set(paths.map((path) => path.state.value));
    expect(places).toEqual(new Set(["idle", "sending", "success", "error"]));
  });

  test("sends nothing that has faults, and is empty after success", () => {
    const messagesIn = (place: string) =>
      paths.filter(({ state }) => state.value === place).map(({ state }) => state.context.message);
    expect(messagesIn("sending").filter((message) => hasFaults(faultsOf(message)))).toEqual([]);
    expect(messagesIn("success").filter((message) => message !== emptyMessage)).toEqual([]);
  });

  test("shows before the machine is there what the machine then says", () => {
    for (const { steps } of paths.filter((path) => path.state.value === "sending")) {
      const own = steps
        .map(({ event }) => events.find((candidate) => candidate === event))
        .filter((event) => event !== undefined);
      const { actor } = formWith(never);
      for (const event of own) actor.send(event);
      const { value, context } = actor.getSnapshot();
      const { message, faults, refusals } = context;
      const foreseen = own.reduce(foreseeContact, firstContactView);
      expect(foreseen).toMatchObject({ place: value, message, refusals });
      expect(hasFaults(foreseen.faults)).toBe(hasFaults(faults));
    }
  });
});

import { ContactRequest } from "@pro-talent/schemas/contact/calls";
import { describe, expect, test } from "vitest";
import { createActor, fromPromise, waitFor } from "xstate";
import { getShortestPaths } from "xstate/graph";

import { formData, serializeEvent } from "../../e2e/machine-paths.ts";
import type { FormEvent } from "../form-machine.ts";
import { contactCall, type ContactSubmission, readMessage } from "./contact-call.ts";
import { contactMachine } from "./contact.machine.ts";

const entered = {
  name: " Noa ",
  email: " noa@example.com ",
  subjectCategory: "bug",
  subject: "",
  message: "The page does not open.",
  website: "",
  language: "he",
  sessionId: "",
  writingMs: "42000",
};
const message = { ...readMessage(formData(entered)) };
const submit = (change: Partial<typeof entered> = {}): FormEvent => ({
  type: "submit",
  data: formData({ ...entered, ...change }),
});
const edited = (field: string): FormEvent => ({ type: "edited", field });
const nothing = submit({ name: "", email: "", subjectCategory: "", message: "" });

type Result = { accepted: boolean };

/** A form and the answer of its platform. */
function formWith(answer: () => Promise<Result>) {
  const submissions: (ContactSubmission | undefined)[] = [];
  const send = fromPromise<Result, ContactSubmission | undefined>(({ input }) => {
    submissions.push(input);
    return answer();
  });
  const actor = createActor(contactMachine.provide({ actors: { send } })).start();
  return { actor, submissions };
}

const never = (): Promise<Result> => new Promise(() => undefined);

async function sent(answer: () => Promise<Result>) {
  const form = formWith(answer);
  form.actor.send(submit());
  await waitFor(form.actor, (snapshot) => snapshot.value !== "sending");
  return form;
}

describe("a contact message", () => {
  test.each<[Partial<typeof entered>, object]>([
    [{ name: " " }, { name: "nameRequired" }],
    [{ email: "" }, { email: "emailRequired" }],
    [{ email: "noa@example" }, { email: "emailInvalid" }],
    [{ email: "a..b@example.org" }, { email: "emailInvalid" }],
    [{ email: "noa@example.org." }, { email: "emailInvalid" }],
    [{ subjectCategory: "" }, { category: "subjectRequired" }],
    [{ subjectCategory: "made-up" }, { category: "subjectRequired" }],
    [{ subjectCategory: "other", subject: "  " }, { subject: "subjectRequired" }],
    [{ message: " " }, { message: "messageRequired" }],
    [{ message: "  too short " }, { message: "messageTooShort" }],
  ])("with %j has the faults %j", (change, faults) => {
    expect(readMessage(formData({ ...entered, ...change }))).toEqual({ faults });
  });

  test("takes its subject from the category, and from the writer under other", () => {
    expect(message).toMatchObject({ name: "Noa", subject: "bug", email: "noa@example.com" });
    const left = { ...entered, subject: "Press" };
    expect(readMessage(formData(left))).toMatchObject({ subject: "bug" });
    const named = { ...left, subjectCategory: "other" };
    expect(readMessage(formData(named))).toMatchObject({ subject: "Press" });
    expect(readMessage(formData({ ...entered, message: "ten chars!" }))).not.toHaveProperty(
      "faults",
    );
  });

  test("goes out as the contract wants it, with the session only if there is one", async () => {
    const { submissions } = await sent(() => Promise.resolve({ accepted: true }));
    const [submission] = submissions;
    if (submission === undefined) throw new Error("nothing was sent");
    const { body, headers } = contactCall(submission);
    expect(ContactRequest.parse(body)).toEqual({
      name: "Noa",
      email: "noa@example.com",
      subject: "bug",
      subjectCategory: "bug",
      message: "The page does not open.",
      language: "he",
      writingMs: 42_000,
    });
    expect(headers).toEqual({ "idempotency-key": submission.idempotencyKey });
    const consented = contactCall({ ...submission, sessionId: "s-1", writingMs: "" }).body;
    expect(consented.sessionId).toBe("s-1");
    expect(consented).not.toHaveProperty("writingMs");
    const filled = { ...submission.message, website: "https://spam.example" };
    expect(contactCall({ ...submission, message: filled }).body.website).toBe(filled.website);
  });
});

describe("the contact form", () => {
  test("says everything that is missing at once, and says it again on the next try", () => {
    const { actor, submissions } = formWith(never);
    actor.send(nothing);
    expect(actor.getSnapshot().context).toMatchObject({
      faults: {
        name: "nameRequired",
        email: "emailRequired",
        category: "subjectRequired",
        message: "messageRequired",
      },
      refusals: 1,
    });
    actor.send(nothing);
    expect(actor.getSnapshot().context.refusals).toBe(2);
    expect(submissions).toEqual([]);
  });

  test("editing a field clears its error and no other", () => {
    const { actor } = formWith(never);
    actor.send(nothing);
    actor.send(edited("name"));
    expect(actor.getSnapshot().context.faults).toMatchObject({
      name: undefined,
      email: "emailRequired",
      category: "subjectRequired",
    });
    actor.send(edited("subjectCategory"));
    expect(actor.getSnapshot().context.faults.category).toBeUndefined();
    actor.send(submit({ subjectCategory: "other" }));
    actor.send(edited("subjectCategory"));
    expect(actor.getSnapshot().context.faults.subject).toBeUndefined();
  });

  test("while sending, nothing is sent twice", () => {
    const { actor, submissions } = formWith(never);
    for (const event of [submit(), submit({ name: "Dan" }), edited("name")]) actor.send(event);
    expect(actor.getSnapshot().value).toBe("sending");
    expect(submissions.map((submission) => submission?.message)).toEqual([message]);
  });

  test("success forgets the message; writing again ends the thanks", async () => {
    const { actor } = await sent(() => Promise.resolve({ accepted: true }));
    expect(actor.getSnapshot()).toMatchObject({
      value: "success",
      context: { submission: undefined },
    });
    actor.send(edited("name"));
    expect(actor.getSnapshot().value).toBe("idle");
  });

  test.each<[string, () => Promise<Result>, string]>([
    ["a refusal", () => Promise.resolve({ accepted: false }), "failed"],
    ["no network", () => Promise.reject(new TypeError("offline")), "network"],
  ])("after %s it names the error and can send again", async (_, answer, trouble) => {
    const { actor, submissions } = await sent(answer);
    expect(actor.getSnapshot()).toMatchObject({ value: "error", context: { trouble } });
    actor.send(submit());
    expect(submissions).toHaveLength(2);
  });

  test("an unchanged message repeats its submission, another one has its own key", async () => {
    const { actor, submissions } = await sent(() => Promise.resolve({ accepted: false }));
    const again = async (change: Partial<typeof entered>): Promise<void> => {
      actor.send(submit({ writingMs: "90000", ...change }));
      await waitFor(actor, (snapshot) => snapshot.value !== "sending");
    };
    await again({});
    expect(submissions[1]).toEqual(submissions[0]);
    await again({ message: "The page still does not open." });
    expect(submissions[2]?.writingMs).toBe("90000");
    expect(submissions[2]?.idempotencyKey).not.toBe(submissions[0]?.idempotencyKey);
  });

  test("the same text after a success is a new submission", async () => {
    const { actor, submissions } = await sent(() => Promise.resolve({ accepted: true }));
    actor.send(submit());
    const [first, second] = submissions.map((submission) => submission?.idempotencyKey);
    expect(second).not.toBe(first);
  });
});

describe("every way through the contact form", () => {
  const events = [submit(), nothing, submit({ message: "Short" }), edited("name")];
  const answers = [
    { type: "xstate.done.actor.send", output: { accepted: true } },
    { type: "xstate.done.actor.send", output: { accepted: false } },
    { type: "xstate.error.actor.send", error: "offline" },
  ];
  const paths = getShortestPaths(contactMachine, {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the platform's answers are XState's own events, outside of the machine's type
    events: [...events, ...answers] as never[],
    serializeEvent,
    serializeState: ({ value, context }) =>
      JSON.stringify([value, context.submission?.message, context.faults]),
  });

  test("reaches the four states of the specification and no other", () => {
    const states = new Set(paths.map((path) => path.state.value));
    expect(states).toEqual(new Set(["idle", "sending", "success", "error"]));
  });

  test("sends only what has no faults, and keeps nothing after success", () => {
    const submitted = (state: string) =>
      paths
        .filter((path) => path.state.value === state)
        .map((path) => path.state.context.submission?.message);
    expect(new Set(submitted("sending").map((sending) => JSON.stringify(sending)))).toEqual(
      new Set([JSON.stringify(message)]),
    );
    expect(submitted("success").filter((kept) => kept !== undefined)).toEqual([]);
  });
});

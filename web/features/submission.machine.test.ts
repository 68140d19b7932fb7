import { expect, test } from "vitest";
import { waitFor } from "xstate";

import { formData } from "../e2e/machine-paths.ts";
import {
  createSubmissionActor,
  type Refused,
  refusalIn,
  type Submission,
} from "./submission.machine.ts";

const complete = { type: "submit", data: formData({ email: "noa@example.com" }) } as const;
const empty = { type: "submit", data: formData({ email: "" }) } as const;

/** A form and the answers of its server, in order. */
function formWith(...answers: (() => Promise<Refused | undefined>)[]) {
  const sent: FormData[] = [];
  const submission: Submission = {
    faultsIn: (data) => ({ email: data.get("email") === "" ? "emailRequired" : undefined }),
    send: (data) => {
      sent.push(data);
      return answers[sent.length - 1]?.() ?? new Promise(() => undefined);
    },
  };
  return { actor: createSubmissionActor(submission).start(), sent };
}

async function answered(form: ReturnType<typeof formWith>) {
  form.actor.send(complete);
  await waitFor(form.actor, ({ value }) => value !== "sending");
  return form.actor.getSnapshot();
}

test("what is missing is said without a call, again at each press, until it is edited", () => {
  const { actor, sent } = formWith();
  actor.send(empty);
  actor.send(empty);
  expect(actor.getSnapshot().context).toMatchObject({
    faults: { email: "emailRequired" },
    refusals: 2,
  });
  actor.send({ type: "edited", field: "email" });
  expect(actor.getSnapshot().context.faults).toEqual({ email: undefined });
  expect(sent).toEqual([]);
});

test("two presses send once", () => {
  const { actor, sent } = formWith();
  actor.send(complete);
  actor.send(complete);
  expect(actor.getSnapshot().value).toBe("sending");
  expect(sent).toHaveLength(1);
});

test("an accepted form keeps no value in memory, and editing begins anew", async () => {
  const form = formWith(() => Promise.resolve(undefined));
  const { value, context } = await answered(form);
  expect(value).toBe("accepted");
  expect(context.data).toBeUndefined();
  form.actor.send({ type: "edited", field: "email" });
  expect(form.actor.getSnapshot().value).toBe("editing");
});

test("a refusal stands at its field, or above the form, and can be tried again", async () => {
  const form = formWith(
    () => Promise.resolve({ fault: "account-security:errors.emailUnchanged", field: "email" }),
    () => Promise.resolve({ fault: "delayed" }),
    () => Promise.reject(new TypeError("offline")),
    () => Promise.resolve(undefined),
  );
  expect((await answered(form)).context).toMatchObject({
    faults: { email: "account-security:errors.emailUnchanged" },
  });
  expect((await answered(form)).context).toMatchObject({ faults: {}, trouble: "delayed" });
  expect((await answered(form)).context).toMatchObject({ trouble: "network", data: undefined });
  expect((await answered(form)).value).toBe("accepted");
});

test("codes that no text is for are a failure of ours", () => {
  const refused = { ok: false, status: 500, code: "internal_error", error: undefined } as const;
  expect(refusalIn(refused)).toEqual({ fault: "failed", field: undefined });
  expect(refusalIn({ ok: true, status: 200, answer: undefined })).toEqual({ fault: "failed" });
});

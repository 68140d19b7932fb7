import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { copyReviewCalls } from "@pro-talent/schemas/privacy/copy-review-calls";
import type { Redaction } from "@pro-talent/schemas/privacy/redaction";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { faultsAtWidths, visitOfficer } from "../account-visitor.ts";
import { answerCalls } from "../answer-calls.ts";
import { type Language, type Stack, startPages } from "../fixtures.ts";
import { exampleRequest, officerId } from "../officer-answers.ts";
import { texts } from "../texts.ts";

/** The review of a copy: the calls are answered by the journey. */
let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

const message = "Please call נועה פרץ, my neighbour.\nShe is ill. Thank you, Dana";
const base = "/api/console/privacy/requests/:requestId/review" as const;

async function visit(language: Language) {
  const visited = await visitOfficer(stack, language);
  const until = instantFromMs(Date.now() + 1_800_000);
  const lease = { officerId, name: null, mine: true, until };
  let request = exampleRequest(1, 8, { inReview: true });
  let proposal: { mine: boolean; redactions: Redaction[] } | null = null;
  const decided: (readonly [act: string, body: unknown])[] = [];
  /** What is answered instead of what was collected. */
  const instead: { status?: number } = {};
  const collected = () =>
    copyReviewCalls[`GET ${base}`].answer.parse({
      collected: "a".repeat(64),
      collectedAt: "2026-05-04T09:00:00.000Z",
      stores: [
        { store: "profile", entries: 1, byOthers: false },
        { store: "messages", entries: 26, byOthers: true },
      ],
      revision: proposal === null ? 0 : 1,
      proposal: proposal && { officerId, returned: false, ...proposal },
      elsewhere: proposal?.mine
        ? [{ store: "profile", entry: 0, value: 0, span: { from: 0, to: 3 }, reason: "reporter" }]
        : [],
      releasable: proposal === null,
    });
  const { page } = visited;
  await answerCalls(
    page.context(),
    (path) => path.startsWith("/api/console/privacy/requests/"),
    async (route) => {
      const { pathname } = new URL(route.request().url());
      const act = pathname.split("/").slice(6).join("/");
      if (act === "") return await route.fulfill({ json: { request } });
      if (act === "review" && instead.status !== undefined)
        return await route.fulfill({ status: instead.status, json: { code: "collection_lost" } });
      if (act === "review") return await route.fulfill({ json: collected() });
      if (act === "review/entries") {
        const values = [
          { field: "full-name", text: "Dana Levi" },
          { field: "message", text: message },
          { field: "created-at", at: "2026-04-01T09:00:00.000Z" },
        ];
        const entries = [0, 1].map((entry) => ({ entry, values }));
        return await route.fulfill({ json: { entries, next: 25 } });
      }
      decided.push([act, route.request().postDataJSON()]);
      if (act === "claim") request = { ...request, lease };
      if (act === "review/redactions") {
        const { redactions } = copyReviewCalls[`POST ${base}/redactions`].body.parse(
          route.request().postDataJSON(),
        );
        proposal = { mine: true, redactions };
      }
      request = { ...request, version: request.version + 1 };
      return await route.fulfill({ json: { status: "recorded" } });
    },
  );
  return {
    ...visited,
    decided,
    instead,
    propose: (redactions: Redaction[]) => {
      proposal = { mine: false, redactions };
    },
    press: (name: string) =>
      page.locator("main").getByRole("button", { name, exact: true }).first().press("Enter"),
    open: () => page.goto(`/console/privacy/requests/${request.requestId}/review`),
  };
}

describe.each<Language>(["en"])("in %s", (language) => {
  const text = texts[language]["copy-review"];
  const field = texts[language]["account-privacy"].held.fields.message;

  test("words of a text are selected and proposed with the keyboard, and another proposal is confirmed", async () => {
    const { page, visitor, decided, press, open, propose } = await visit(language);
    await open();
    const area = page.getByLabel(field, { exact: true }).first();
    await area.waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    await press(text.acts.claim);
    await page.getByRole("button", { name: text.mark.selected }).nth(1).press("Enter");
    await page.getByText(text.mark.nothing).first().waitFor();
    const from = message.indexOf("נועה");
    await area.focus();
    await page.keyboard.press("Control+Home");
    for (let at = 0; at < from; at += 1) await page.keyboard.press("ArrowRight");
    for (let at = 0; at < 8; at += 1) await page.keyboard.press("Shift+ArrowRight");
    await page.locator("#copy-review-reason").selectOption("reporter");
    await page.getByRole("button", { name: text.mark.selected }).nth(1).press("Enter");
    await page.locator(".copy-review__marked").getByText("נועה פרץ").first().waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    await press(text.acts.propose_one.replace("{{count}}", "1"));
    await page.getByText(text.proposal.mine).waitFor();
    await page.getByRole("button", { name: text.elsewhereToo }).waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    const mark = { store: "messages", entry: 0, value: 1, reason: "reporter" } as const;
    const redactions = [{ ...mark, span: { from, to: from + 8 } }];
    expect(decided).toEqual([
      ["claim", { version: 2 }],
      ["review/redactions", { version: 3, collected: "a".repeat(64), redactions }],
    ]);
    propose(redactions);
    await page.reload();
    await page.getByText(text.proposal.other).waitFor();
    await press(text.acts.confirm_one.replace("{{count}}", "1"));
    await expect
      .poll(() => decided.at(-1))
      .toEqual(["review/confirm", { version: 4, revision: 1 }]);
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  });
});

describe.each<Language>(["he"])("in %s", (language) => {
  const text = texts[language]["copy-review"];

  test("what is lost is collected anew, and what is not to be reviewed any more says so", async () => {
    const { page, visitor, decided, instead, press, open } = await visit(language);
    instead.status = 410;
    await open();
    await page.getByText(text.lost).last().waitFor();
    await press(text.acts.claim);
    // While it is being claimed, nothing else can be pressed.
    await page
      .getByRole("button", { name: text.acts.claim, exact: true })
      .waitFor({ state: "detached" });
    await press(text.acts.collectAgain);
    await expect.poll(() => decided.at(-1)?.[0]).toBe("review/collect-again");
    expect(await faultsAtWidths(page)).toEqual([]);
    expect(visitor.noise.filter((line) => !line.includes("410"))).toEqual([]);
    await visitor.leave();
  });
});

import { randomUUID } from "node:crypto";

import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { LinkView } from "@pro-talent/schemas/links/calls";
import { cvProblems } from "@pro-talent/schemas/studio/calls";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";

import { type LinkService, openLinkService } from "./testing/link-service.ts";

/** A CV as the studio has it: the text of each version's file. */
const studio = {
  cvId: randomUUID(),
  accountId: "",
  versions: new Map<number, string>(),
  away: false,
};
const newest = () => Math.max(...studio.versions.keys());
let service: LinkService;
beforeAll(async () => {
  service = await openLinkService({
    cvFiles: {
      find: async ({ accountId, cvId }) => {
        if (cvId !== studio.cvId || accountId !== studio.accountId)
          throw new ProblemError(cvProblems.cv_not_found);
        return { version: newest(), fileName: "Dana.pdf" };
      },
      pdf: async (_cv, version) => {
        if (studio.away) throw new ProblemError("upstream_unavailable");
        const text = studio.versions.get(version ?? newest());
        if (text === undefined) throw new ProblemError(cvProblems.version_not_found);
        return Buffer.from(`%PDF-1.7\n${text}\n%%EOF\n`);
      },
    },
  });
});
afterAll(() => service.close());

/** An owner with a CV of two versions. */
async function owner(plan: "free" | "essential") {
  const browser = service.browser();
  const { accountId } = browser;
  Object.assign(studio, { accountId, away: false });
  studio.versions = new Map([
    [1, "first"],
    [2, "second"],
  ]);
  if (plan !== "free")
    await service.ledger.owner`
      insert into ledger.billing_entitlement (account_id, plan, pos) values (${accountId}, ${plan}, 0)`;
  const link = async (version: number | null): Promise<LinkView> => {
    const target = { kind: "cv", cvId: studio.cvId, version };
    const answer = await browser.send("POST", "/api/links", { label: "Acme", target });
    return z.object({ link: LinkView }).parse(answer.json()).link;
  };
  return { browser, link };
}

const opened = async ({ linkId }: LinkView): Promise<string> => {
  const answer = await service.internal({ method: "GET", url: `/internal/links/${linkId}/file` });
  return answer.body.split("\n")[1] ?? `${answer.statusCode}`;
};

it("a link to a version shows that version, whatever is edited later", async () => {
  const { link } = await owner("essential");
  const made = await link(1);
  expect(made).toMatchObject({
    target: "file",
    file: { name: "Dana.pdf", kind: "pdf" },
    cv: { cvId: studio.cvId, version: 1 },
  });
  studio.versions.set(3, "third");
  expect(await opened(made)).toBe("first");
});

it("a link to the current version shows each edit; what was stored, while the studio is away", async () => {
  const { link } = await owner("essential");
  const made = await link(null);
  expect(made.cv).toEqual({ cvId: studio.cvId, version: null });
  studio.versions.set(3, "third");
  expect(await opened(made)).toBe("third");
  studio.away = true;
  expect(await opened(made)).toBe("second");
});

it("after the plan has ended, a link to the current version shows the one from when it was made", async () => {
  const { browser, link } = await owner("essential");
  const made = await link(null);
  studio.versions.set(3, "third");
  await service.ledger.owner`
    update ledger.billing_entitlement set until = ${"2026-01-01T00:00:00.000Z"}
     where account_id = ${browser.accountId}`;
  expect(await opened(made)).toBe("second");
});

it("on a plan without it, the current version is the one of this moment", async () => {
  const { link } = await owner("free");
  const made = await link(null);
  expect(made.cv).toEqual({ cvId: studio.cvId, version: 2 });
  studio.versions.set(3, "third");
  expect(await opened(made)).toBe("second");
});

it("a CV of someone else and a version that is not kept are not found, and no file stays", async () => {
  const { browser } = await owner("essential");
  const before = service.stored.size;
  const codeOf = async (target: object) => {
    const answer = await browser.send("POST", "/api/links", { label: "Acme", target });
    return answer.json<{ code: string }>().code;
  };
  const other = randomUUID();
  expect(await codeOf({ kind: "cv", cvId: other, version: null })).toBe("cv_not_found");
  expect(await codeOf({ kind: "cv", cvId: studio.cvId, version: 9 })).toBe("version_not_found");
  expect(service.stored.size).toBe(before);
});

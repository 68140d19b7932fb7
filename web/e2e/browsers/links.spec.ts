import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

import { drawCv } from "../../../infra/quality/testing/draw-cv.ts";
import { joinAccount } from "./join-account.ts";
import { eventually, expectNoFaults, openSite, type Site, type Visitor } from "./site.ts";

/** Runs in a page of the account: its code, or why there is no link. */
async function createLink(content: string): Promise<string> {
  const answer = await fetch("/api/links", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${localStorage.getItem("token") ?? ""}`,
    },
    body: JSON.stringify({ label: "Acme", target: { kind: "file", name: "CV.pdf", content } }),
  });
  return answer.text();
}

/** Runs in the page of a PDF: how many pages have pixels that differ. */
function drawnPages(): number {
  return [...document.querySelectorAll<HTMLCanvasElement>(".sheet canvas")].filter((canvas) => {
    const { data = [] } =
      canvas.width === 0
        ? {}
        : (canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height) ?? {});
    return new Set(data).size > 2;
  }).length;
}

describe.each(["en", "he"] as const)("a share link in %s", (language) => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ language });
  });
  afterAll(() => site.close());

  const shared = async (owner: Visitor): Promise<string> => {
    const email = `links-${language}-${inject("engine")}@example.com`;
    await joinAccount(site, owner, { language, email, password: "seven grey herons at noon" });
    const cv = await drawCv({ language, name: "Noa Levi", pages: 2 });
    const answer = await owner.evaluate(createLink, cv.toString("base64"));
    return /"code":"([^"]+)"/u.exec(answer)?.[1] ?? answer;
  };

  test("opens its PDF, which is drawn page by page in the reader's language", async () => {
    const code = await shared(await site.visit({ decided: true }));
    const reader = await site.visit({ decided: true });
    await reader.goto(`/l/${code}`);
    await eventually(async () => expect(await reader.evaluate(drawnPages)).toBeGreaterThan(0));
    expect(await reader.evaluate(() => location.pathname)).toMatch(/^\/v\//u);
    expect(await reader.evaluate(() => document.documentElement.lang)).toBe(language);
    const text = await reader.evaluate(() => document.querySelector(".sheet__text")?.textContent);
    expect(text?.length).toBeGreaterThan(20);
    await expectNoFaults(reader);
  });
});

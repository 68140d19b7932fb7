import { get } from "node:http";

import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

import { drawCv } from "../../../infra/quality/testing/draw-cv.ts";
import { texts } from "../texts.ts";
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

/** What Chrome on Windows sends when a person follows a link of another site. */
const person = {
  "user-agent":
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
  accept: "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
  "accept-language": "en-US,en;q=0.9",
  "accept-encoding": "gzip, deflate, br, zstd",
  "upgrade-insecure-requests": "1",
  "sec-fetch-site": "cross-site",
  "sec-fetch-mode": "navigate",
  "sec-fetch-user": "?1",
  "sec-fetch-dest": "document",
  "sec-ch-ua": '"Chromium";v="141", "Google Chrome";v="141", "Not?A_Brand";v="8"',
  "sec-ch-ua-mobile": "?0",
  "sec-ch-ua-platform": '"Windows"',
};

/** Opens an address as a program with these headers does, without following where it leads. */
const openAs = (address: string, headers: Record<string, string>) =>
  new Promise<number | undefined>((resolve, reject) => {
    const asked = get(address, { headers }, (answer) => {
      answer.resume().on("end", () => resolve(answer.statusCode));
    });
    asked.on("error", reject);
  });

describe.each(["en", "he"] as const)("a share link in %s", (language) => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ language });
  });
  afterAll(() => site.close());

  const buyPremium = async (owner: Visitor): Promise<void> => {
    const leadsTo = (path: string) =>
      eventually(async () => expect(await owner.evaluate(() => location.pathname)).toContain(path));
    await owner.goto("/checkout?plan=premium&cycle=monthly");
    for (const document of ["auto-renewal", "terms", "privacy"])
      await owner.click(`#consent-${document}`);
    await owner.click(".checkout__press button");
    await leadsTo("/sandbox-payments/checkout/");
    await owner.click("button[name=card][value=success]");
    await leadsTo("/checkout/return");
    const { title } = texts[language].checkout.return.completed;
    await owner.shows("main h2", title);
  };

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

  test("is made by its owner, who sees it opened by a person and a scanner as it happens, and revokes it", async () => {
    const { links: t } = texts[language];
    const email = `owner-${language}-${inject("engine")}@example.com`;
    const owner = await site.visit({ decided: true });
    await joinAccount(site, owner, { language, email, password: "seven grey herons at noon" });
    await buyPremium(owner);

    await owner.goto("/links");
    await owner.click("main button", t.create.action);
    await owner.type("dialog [name=label]", "Acme");
    await owner.click("#target-external");
    await owner.type("dialog [name=url]", "https://example.com/cv");
    await owner.click("dialog button", t.create.submit);
    await owner.click("dialog button", t.create.finish);
    const code = await owner.evaluate(async () => {
      const headers = { authorization: `Bearer ${localStorage.getItem("token") ?? ""}` };
      return (await fetch("/api/links", { headers })).text();
    });
    const address = `${inject("product").origin}/l/${/"code":"([^"]+)"/u.exec(code)?.[1] ?? code}`;
    await owner.click("main a", "Acme");
    await eventually(async () =>
      expect((await owner.texts("main")).join("")).toContain(t.newest.live),
    );

    expect(await openAs(address, { "user-agent": "BarracudaCentral/1.0 (compatible)" })).toBe(302);
    expect(await openAs(address, person)).toBe(302);
    await eventually(async () => expect(await owner.texts(".links__open")).toHaveLength(1));
    await eventually(async () =>
      expect((await owner.texts("main")).join("")).toContain(t.excluded["mail-scanner"].why),
    );
    await owner.click("main button", t.revoke.action);
    await eventually(async () => expect(await openAs(address, person)).toBe(404));
    await expectNoFaults(owner);
  });
});

import { demoCode } from "@pro-talent/accounts/demo";
import { SignInAnswer } from "@pro-talent/schemas/accounts/sign-in";
import type { Browser, Page } from "playwright-core";
import { z } from "zod";

import type { Demo } from "../embedded/demo-world.ts";

/** As a phone of the middle class against this machine; the page alone, not the services. */
export const slowdown = 4;

/** A phone on "Fast 4G", as the developer tools of Chrome simulate it. */
const phone = {
  offline: false,
  downloadThroughput: 1.0125e6,
  uploadThroughput: 1.6875e5,
  latency: 165,
};

/** @param token of who is signed in; without one the page is opened as a visitor */
export async function openOnPhone(browser: Browser, origin: string, token?: string): Promise<Page> {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width: 360, height: 780 },
    isMobile: true,
  });
  if (token !== undefined) await context.addInitScript(`localStorage.setItem('token', '${token}')`);
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  await devTools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  await devTools.send("Network.emulateNetworkConditions", phone);
  return page;
}

/** @returns the token of a person of the demo */
export async function signIn(
  origin: string,
  demo: Demo,
  name: Demo["people"][number]["name"],
): Promise<string> {
  const person = demo.people.find((candidate) => candidate.name === name);
  if (person === undefined) throw new Error(`The demo has no ${name}`);
  const post = async (path: string, body: object): Promise<unknown> => {
    const headers = { "content-type": "application/json", origin };
    const sent = { method: "POST", headers, body: JSON.stringify(body) };
    const answer = await fetch(origin + path, sent);
    if (!answer.ok) throw new Error(`${path} is answered with ${answer.status}`);
    return answer.json();
  };
  const { email, totpSecret } = person;
  const entered = await post("/api/account/sign-in", { email, password: demo.password });
  if (totpSecret === null) return SignInAnswer.parse(entered).token;
  const { challenge } = z.object({ challenge: z.string() }).parse(entered);
  const { code } = demoCode(totpSecret, Date.now());
  const body = { challenge, method: "totp", code };
  return SignInAnswer.parse(await post("/api/account/sign-in/code", body)).token;
}

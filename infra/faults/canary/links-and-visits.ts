import { randomUUID } from "node:crypto";

import type { Clock } from "@pro-talent/platform/runtime/clock";
import { analyticsPaths, SessionStarted } from "@pro-talent/schemas/analytics/wire";
import { z } from "zod";

import { codeOf, type Person } from "./account-life.ts";
import { browser, type FrontDoor, type Sent } from "./front-door.ts";

const Link = z.object({ link: z.object({ linkId: z.uuid(), code: z.string() }) });
export type Shared = z.output<typeof Link>["link"];
const Token = z.object({ token: z.string() });

/** Shares files, addresses and CVs, and is notified of opens. */
export async function shareLinks(
  door: FrontDoor,
  { words, signed }: Person,
  cvIds: readonly string[],
): Promise<Shared[]> {
  const info = `/Title (${words.latin("title of a file")}) /Author (${words.upper("author of a file")})`;
  const text = `%PDF-1.7\n1 0 obj << ${info} >> endobj\n${words.latin("text of a file")}\n${"y".repeat(4000)}\ntrailer <<>>\n%%EOF\n`;
  const file = {
    kind: "file",
    name: `${words.hebrew("name of a file")}.pdf`,
    content: Buffer.from(text).toString("base64"),
  };
  const url = `https://example.org/${words.latin("address shared")}?q=${encodeURIComponent(words.hebrew("address shared"))}`;
  const bodies = [
    { label: words.mixed("label"), note: words.mixed("note"), target: file },
    {
      label: words.combining("label"),
      note: words.compressed("compressed in a note"),
      target: { kind: "external", url },
      code: words.latin("code"),
      password: words.latin("password of a link"),
    },
    { label: words.hebrew("label"), target: { kind: "profile" } },
    ...cvIds.map((cvId, index) => ({
      label: words.mixed("label of a CV's link"),
      target: { kind: "cv", cvId, version: index === 0 ? null : 1 },
    })),
  ];
  const links: Shared[] = [];
  for (const body of bodies)
    links.push((await door.call(Link, "POST /api/links", body, signed)).link);
  await door.ask("PUT /api/link-mails", { preference: "first-open" }, signed);
  const hook = `https://hooks.example.com/${words.latin("webhook")}`;
  await door.ask("POST /api/link-webhooks", { url: hook }, signed);
  return links;
}

/** Others open the links: consenting and not, programs, and one who reports it. */
export async function openLinks(
  door: FrontDoor,
  links: readonly Shared[],
  anonymousId: string,
): Promise<void> {
  const reader = { cookie: `reader=${anonymousId}` };
  const visitors = [
    { ...reader },
    { dnt: "1" },
    { "user-agent": "LinkedInBot/1.0 (compatible; Mozilla/5.0)" },
    { "x-forwarded-for": "10.9.8.7" },
  ];
  const [file] = links;
  for (const { code } of links)
    for (const headers of visitors) await door.ask(`GET /l/${code}`, undefined, { headers });
  if (file === undefined) return;
  const answer = await door.ask(`GET /l/${file.code}`, undefined, { headers: reader });
  const page = new URL(answer.headers.get("location") ?? "", door.origin).pathname;
  await door.ask(`GET ${page}`);
  await door.ask(`GET ${page}/file`);
  const seen = { seconds: 1, pages: 1, pagesTotal: 1, downloaded: true };
  await door.ask(`POST ${page}`, seen);
  await door.ask("POST /api/links/report", { code: file.code, reason: "personal-data" });
}

/** Visits the site with consent, from a browser whose anonymous id is returned. */
export async function visitSite(door: FrontDoor, { words }: Person): Promise<string> {
  const anonymousId = `${Date.now()}-${randomUUID()}`;
  const word = words.latin("visit");
  const utm = { source: word, campaign: words.hebrew("campaign") };
  const start = { anonymousId, referrer: `https://example.org/${word}`, landingPage: "/", utm };
  const { sessionId } = await door.call(
    SessionStarted,
    `POST ${analyticsPaths.sessionStart}`,
    start,
  );
  await door.ask(`POST ${analyticsPaths.sessionConsent}`, {
    sessionId,
    hasConsent: true,
    consentType: "detailed",
  });
  const title = words.mixed("title of a page");
  await door.ask(`POST ${analyticsPaths.trackPageView}`, { sessionId, page: "/about", title });
  const element = words.hebrew("element");
  await door.ask(`POST ${analyticsPaths.trackClick}`, { sessionId, page: "/about", element });
  const eventData = {
    latin: words.latin("data of an event"),
    hebrew: words.hebrew("data of an event"),
    encoded: encodeURIComponent(words.hebrew("encoded data of an event")),
    packed: words.compressed("compressed data of an event"),
  };
  await door.ask(`POST ${analyticsPaths.trackEvent}`, {
    sessionId,
    eventType: "shared",
    eventData,
  });
  await door.ask(`POST ${analyticsPaths.sessionEnd}`, { sessionId, exitPage: "/about" });
  return anonymousId;
}

/** Confirms with the authenticator. @returns the token that replaces the other */
export async function stepUp(door: FrontDoor, person: Person, clock: Clock): Promise<Sent> {
  const body = { code: codeOf(person, clock) };
  const { token } = await door.call(Token, "POST /api/account/step-up/code", body, person.signed);
  return { token };
}

const Asked = z.object({ request: z.object({ requestId: z.uuid() }) });

/** Asks for a correction. @returns the id of the request */
export async function askForCorrection(
  door: FrontDoor,
  { words, signed }: Person,
): Promise<string> {
  const fields = {
    fullName: words.mixed("corrected name"),
    phone: words.digits("corrected telephone"),
  };
  const call = "POST /api/privacy/requests/correct";
  return (await door.call(Asked, call, { fields }, signed)).request.requestId;
}

/** Asks for a copy of all data. @returns the id of the request */
export async function askForCopy(door: FrontDoor, { signed }: Person): Promise<string> {
  const call = "POST /api/privacy/requests/access";
  return (await door.call(Asked, call, {}, signed)).request.requestId;
}

/** Everything of a visitor without an account is erased from the cookie settings. @returns its id */
export async function eraseVisits(door: FrontDoor, anonymousId: string): Promise<string> {
  const Recorded = z.object({ erasureId: z.uuid() });
  const { erasureId } = await door.call(
    Recorded,
    "POST /api/analytics/visitor/erasure",
    { anonymousId },
    { headers: browser },
  );
  return erasureId;
}

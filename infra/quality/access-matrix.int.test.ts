import { randomUUID } from "node:crypto";

import { makeToken } from "@pro-talent/accounts/access-tokens";
import { insertAccount } from "@pro-talent/accounts/accounts";
import { Passkeys } from "@pro-talent/accounts/factors/passkeys";
import { readKeySettings } from "@pro-talent/accounts/key-settings";
import { type AccountKeys, openAccountKeys } from "@pro-talent/accounts/keys";
import { openSession } from "@pro-talent/accounts/sessions";
import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import { routeAccess } from "@pro-talent/schemas/access";
import {
  type Access,
  type Role,
  signedIn,
  staffRoles,
  stepUpMinutes,
  type TokenScope,
  tokenScopes,
} from "@pro-talent/schemas/primitives/access";
import { splitCallName } from "@pro-talent/schemas/primitives/calls";
import { Problem } from "@pro-talent/schemas/primitives/problem";
import { CvDocument } from "@pro-talent/schemas/studio/document";
import type { InjectOptions } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import { type OpenedService, openProduct } from "./testing/open-product.ts";

/** An account and how it is signed in. */
type Caller = {
  readonly name: string;
  readonly role: Role;
  readonly factor: boolean;
  /** The sign-in is so old that it is no recent authentication. */
  readonly isOld: boolean;
};
const kinds = [
  { kind: "", factor: true, isOld: false },
  { kind: " without a second factor", factor: false, isOld: false },
  { kind: " signed in long ago", factor: true, isOld: true },
];
const holder: Caller = { name: "holder", role: "holder", factor: true, isOld: false };
const analyst: Caller = { ...holder, name: "analyst", role: "analyst" };
const callers: readonly Caller[] = (["holder", ...staffRoles] as const).flatMap((role) =>
  kinds.map(({ kind, ...rest }) => ({ name: `${role}${kind}`, role, ...rest })),
);
/** Problems of who calls, not of what is called. */
const admission = [
  "unauthorized",
  "forbidden",
  "factor_required",
  "step_up_required",
  "scope_missing",
];
const serverKeys = [
  "of-a-server-of-the-operator-000000001",
  "the-one-before-it-0000000000000000002",
];
const limits = ["CALLS", "ENTRIES", "FILES", "FORMS", "PREVIEWS", "READS"].map(
  (name) => `${name}_PER_MINUTE`,
);

let product: Awaited<ReturnType<typeof openProduct>>;
let services: OpenedService[];
let sql: Sql;
let keys: AccountKeys;
const accountIds = new Map<string, string>();

beforeAll(async () => {
  product = await openProduct({
    ...Object.fromEntries(limits.map((name) => [name, "100000"])),
    COLLECTOR_SERVER_KEYS: serverKeys.join(),
  });
  // The mail catcher, at an address of its own, is no part of the product.
  services = [...product.services].filter(([name]) => name !== "mail").map(([, one]) => one);
  sql = openPool(product.ownerUrl, { applicationName: "test" });
  keys = await openAccountKeys(sql, readKeySettings(product.accountsKeys), Date.now());
  for (const { name, role } of callers) accountIds.set(name, await openAccount(role));
});
afterAll(async () => {
  await sql.end();
  await product.close();
});

async function openAccount(role: Role): Promise<string> {
  const accountId = randomUUID();
  const profile = { fullName: "Noa Levi", language: "en", timeZone: "UTC" } as const;
  const email = `${accountId}@example.com`;
  const account = { accountId, email, profile, passwordHash: "", nowMs: Date.now() };
  await sql.begin((tx) => insertAccount(tx, keys, account));
  const roles = role === "holder" ? [role] : ["holder", role];
  await sql`update accounts.account set roles = ${roles}::text[] where account_id = ${accountId}`;
  return accountId;
}

/** A new session: some calls end the one that they are made with. */
async function tokenOf({ name, factor, isOld }: Caller): Promise<string> {
  // The ledger's clock is that of the database, which may be a little behind.
  const nowMs = Date.now() - (isOld ? (stepUpMinutes + 1) * 60_000 : 0);
  const accountId = accountIds.get(name) ?? "";
  return (await openSession(sql, { accountId, factor, userAgent: undefined, nowMs })).token;
}

/** A new access token, made as its holder makes it. */
async function programOf(caller: Caller, scope: TokenScope): Promise<string> {
  const route = "POST /api/account/tokens";
  const app = services.find(({ routes }) => routes.has(route))?.app;
  const answer = await app?.inject({
    method: "POST",
    url: "/api/account/tokens",
    headers: { authorization: `Bearer ${await tokenOf(caller)}` },
    payload: { name: "Program", scopes: [scope] },
  });
  return z.object({ secret: z.string() }).parse(answer?.json()).secret;
}

/** What a call is made with; ids that are not given are random. */
type Given = { params?: Readonly<Record<string, string>>; body?: object };

/** The status that a call answers, and the code of its problem. */
async function answerTo(route: string, token: string | undefined, given: Given = {}) {
  const service = services.find(({ routes }) => routes.has(route));
  if (service === undefined) throw new Error(`No service answers ${route}`);
  const { method, path } = splitCallName(route);
  const url = path
    .replaceAll(/:(\w+)/g, (_all, name: string) => given.params?.[name] ?? randomUUID())
    .replace("*", "nothing");
  const options = {
    method,
    url,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(method !== "GET" && { payload: given.body ?? {} }),
  };
  const answer = await service.app.inject(options as InjectOptions);
  const type = String(answer.headers["content-type"]);
  const isProblem = type.includes("problem") && answer.body !== "";
  const code = isProblem ? Problem.parse(answer.json()).code : "";
  return { status: answer.statusCode, code };
}

/** A CV of the account with this token. */
async function cvOf(token: string): Promise<{ cvId: string }> {
  const answer = await product.services.get("studio")?.app.inject({
    method: "POST",
    url: "/api/cvs",
    headers: { authorization: `Bearer ${token}` },
    payload: { title: "Theirs", language: "en" },
  });
  return z.object({ cv: z.object({ cvId: z.string() }) }).parse(answer?.json()).cv;
}

/** Objects of an account, by the parameters that name them in paths, and a body that their calls take. */
async function objectsOf(accountId: string): Promise<Required<Given>> {
  const nowMs = Date.now();
  const session = { accountId, factor: false, userAgent: undefined, nowMs };
  const { sessionId, token } = await openSession(sql, session);
  const credential = { credentialId: randomUUID(), publicKey: Buffer.alloc(1), counter: 0 };
  const passkey = { accountId, ...credential, transports: [], backedUp: false, name: "Phone" };
  const passkeyId = await new Passkeys(keys).add(sql, { ...passkey, nowMs });
  // Checkouts are the provider's, documents follow from payments; links, webhooks, applications and privacy
  // requests ask for their owner's address: that another owner's is not found is tried beside their routes.
  const elsewhere = {
    checkoutId: "checkout-of-another",
    documentId: randomUUID(),
    linkId: randomUUID(),
    webhookId: randomUUID(),
    deliveryId: randomUUID(),
    requestId: randomUUID(),
    changeId: randomUUID(),
    applicationId: randomUUID(),
    noteId: randomUUID(),
    fileId: randomUUID(),
    reminderId: randomUUID(),
    file: randomUUID(),
    // Of the caller's own portfolio, which has no page.
    language: "en",
  };
  const madeToken = await makeToken(
    { sql, keys, clock: Date.now },
    { accountId, name: "Theirs", scopes: ["links:read"], days: 30 },
  );
  const tokenId = madeToken?.token.tokenId ?? "";
  const cv = { ...(await cvOf(token)), version: "1", format: "txt" };
  const params = { sessionId, tokenId, passkeyId: passkeyId ?? "", ...cv, ...elsewhere };
  const document = CvDocument.parse({ version: 1, language: "en", page: {}, profile: {} });
  const reminder = { at: "2030-01-01T09:00", zone: "Asia/Jerusalem", text: "Mine", byMail: false };
  return { params, body: { name: "Mine", basedOn: 1, document, content: "AAAA", ...reminder } };
}

/** Who is refused first by the role, then by the factor, then by the time. */
function refusalFor(access: Access, { role, factor, isOld }: Caller): string | undefined {
  if (access === "public") return undefined;
  if (typeof access === "string" || "scope" in access) return "unauthorized";
  const isStaff = role !== "holder";
  if (!access.roles.includes("holder") && !access.roles.includes(role)) return "forbidden";
  if (isStaff && !factor && access.withoutFactor === undefined) return "factor_required";
  return access.stepUp === true && isOld ? "step_up_required" : undefined;
}

const shown = ({ code }: { code: string }): string => (admission.includes(code) ? code : "allowed");
const calls = Object.entries(routeAccess);
const needAccount = calls.filter(([, access]) => typeof access !== "string");

describe("30: routes and the table of who may call them", () => {
  it("are the same: each route has an entry, and each entry a route", async () => {
    const registered = new Set(services.flatMap(({ routes }) => [...routes]));
    const unknown: string[] = [];
    for (const route of registered) {
      const asGet = route.replace(/^HEAD /, "GET ");
      if (Object.hasOwn(routeAccess, asGet)) continue;
      // What refuses a method refuses it to everyone.
      if ((await answerTo(route, undefined)).status !== 405) unknown.push(route);
    }
    expect(unknown).toEqual([]);
    expect(Object.keys(routeAccess).filter((route) => !registered.has(route))).toEqual([]);
  });
});

describe("30: a call", () => {
  it("that is public asks no caller who they are", async () => {
    const asked = calls.filter(([, access]) => access === "public");
    const refused: string[] = [];
    for (const [route] of asked) {
      if (shown(await answerTo(route, undefined)) !== "allowed") refused.push(route);
    }
    expect(refused).toEqual([]);
  });

  it("that needs an account answers 401 without a token, with an unknown one and with another kind", async () => {
    const answers = new Set<string>();
    for (const [route] of needAccount) {
      for (const token of [undefined, "", "unknown", product.secrets.internalToken]) {
        answers.add(shown(await answerTo(route, token)));
      }
    }
    expect([...answers]).toEqual(["unauthorized"]);
  });

  it("between services answers their token alone", async () => {
    const wrong: string[] = [];
    for (const [route] of calls.filter(([, access]) => access === "internal")) {
      const { internalToken, sandboxKey } = product.secrets;
      const token = route.includes(" /sandbox-payments/") ? sandboxKey : internalToken;
      const answer = shown(await answerTo(route, token));
      if (answer !== "allowed") wrong.push(`${route}: ${answer}`);
      if ((await answerTo(route, undefined)).code !== "unauthorized") wrong.push(route);
    }
    expect(wrong).toEqual([]);
  });

  it("of a server answers each of its keys alone", async () => {
    const wrong: string[] = [];
    for (const [route] of calls.filter(([, access]) => access === "keyed")) {
      for (const key of serverKeys) {
        if (shown(await answerTo(route, key)) !== "allowed") wrong.push(route);
      }
      for (const token of [undefined, "", serverKeys.join(), product.secrets.internalToken]) {
        if (shown(await answerTo(route, token)) !== "unauthorized") wrong.push(route);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("of a program answers an access token with its scope alone; no other call answers one", async () => {
    const wrong: string[] = [];
    for (const scope of tokenScopes) {
      const token = await programOf(scope === "analytics:query" ? analyst : holder, scope);
      for (const [route, access] of calls) {
        if (access === "public") continue;
        const isForPrograms = typeof access !== "string" && "scope" in access;
        const answer = shown(await answerTo(route, token));
        const stated = isForPrograms && access.scope === scope ? "allowed" : "scope_missing";
        if (answer !== (isForPrograms ? stated : "unauthorized")) wrong.push(`${route}: ${answer}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it.each(callers)("of $name is answered as the table states", async (caller) => {
    const wrong: string[] = [];
    let token = await tokenOf(caller);
    for (const [route, access] of calls) {
      if (access === "public") continue;
      const answer = shown(await answerTo(route, token));
      const stated = refusalFor(access, caller) ?? "allowed";
      if (answer === "allowed" && !route.startsWith("GET ")) token = await tokenOf(caller);
      if (answer !== stated) wrong.push(`${route}: ${answer}, not ${stated}`);
    }
    expect(wrong).toEqual([]);
  });

  it("about an object of another owner answers 404, as if there were none", async () => {
    const { params, body } = await objectsOf(await openAccount("holder"));
    // Insights answer about any link that is not the caller's as about one that was never opened:
    // services/insights/isolation.int.test.ts tries each of these calls. Receipts are looked for with the
    // address of their owner: fulfil/access.int.test.ts tries that.
    const own = needAccount.filter(
      ([name, access]) =>
        name.includes(":") &&
        !name.startsWith("GET /api/insights/") &&
        !name.startsWith("GET /api/privacy/consents/") &&
        // Each account has one portfolio: the page in a language is the caller's own.
        name !== "PUT /api/portfolio/pages/:language" &&
        refusalFor(access, holder) === undefined,
    );
    const wrong: string[] = [];
    const program = await programOf(holder, "links:read");
    const forPrograms = await answerTo("GET /api/v1/links/:linkId", program, { params });
    if (forPrograms.status !== 404) wrong.push(`as a program: ${forPrograms.status}`);
    for (const [route] of own) {
      const unnamed = [...route.matchAll(/:(\w+)/g)].filter(([, name = ""]) => !(name in params));
      if (unnamed.length > 0)
        throw new Error(`Another owner's ${String(unnamed)} is not made here`);
      const { status } = await answerTo(route, await tokenOf(holder), { params, body });
      if (status !== 404) wrong.push(`${route}: ${status}`);
    }
    expect(wrong).toEqual([]);
  });

  it("20: that sets a password sets the caller's own, and names no account", () => {
    const setting = calls.filter(([route]) => /password/.test(route) && !/step-up/.test(route));
    expect(setting).toEqual([
      ["POST /api/account/password/forgotten", "public"],
      ["POST /api/account/password/reset", "public"],
      ["POST /api/account/password", { ...signedIn, withoutFactor: true }],
    ]);
  });
});

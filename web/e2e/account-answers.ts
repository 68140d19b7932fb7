import { Account, type SignInSession } from "@pro-talent/schemas/accounts/calls";
import type { OwnLegalChange } from "@pro-talent/schemas/legal-changes/calls";
import type { OpenMails } from "@pro-talent/schemas/links/mail-calls";
import { OpenMailPreference } from "@pro-talent/schemas/links/mail-events";
import type { BrowserContext } from "playwright-core";
import type { z } from "zod";

import { type AnsweredCall, type AnsweredRequest, answerCalls } from "./answer-calls.ts";
import { answerFrom, billingModel } from "./billing-model.ts";
import { exampleSessions } from "./example-sessions.ts";
import { TokenAnswers } from "./token-answers.ts";
import { WebhookAnswers } from "./webhook-answers.ts";

/** One answer of the accounts service: by the call's own contract, or a refusal. */
export type Answer = { status: number; body: unknown };

type Session = z.infer<typeof SignInSession>;
type Passkey = {
  passkeyId: string;
  name: string;
  createdAt: string;
  lastUsedAt: string | null;
  synced: boolean;
};

const accountId = "0f8fad5b-d9cb-469f-a165-70867728950e";
const day = "2026-11-20T09:15:00.000Z";

export const exampleAccount = Account.parse({
  accountId,
  email: "noa.levi@example.com",
  profile: {
    fullName: "Noa Levi",
    phone: "",
    address: "",
    language: "en",
    timeZone: "Asia/Jerusalem",
    handle: null,
  },
  hasPhoto: false,
  roles: ["holder"],
  factor: false,
  totp: false,
  passkeys: 0,
  recoveryCodesLeft: 0,
  createdAt: "2026-05-20T09:15:00.000Z",
});

export const recoveryCodes = Array.from(
  { length: 10 },
  (_, index) => `k7qd-${index}f3m-x2wp-${index}zt9`,
);

/** A code that the authenticator of the example account shows. */
export const rightCode = "492039";
export const rightPassword = "one horse, two ravens";

const refusal = (status: number, code: string): Answer => ({ status, body: { code } });
const done: Answer = { status: 200, body: { status: "done" } };

type Given = { body: Record<string, unknown>; path: string };

const checkedHandle = (taken: boolean) => ({ free: !taken, suggestion: taken ? "taken-2" : null });

/**
 * The accounts service as journeys without it need it: it remembers what a person changes, and each
 * answer can be replaced. Journeys through the whole product use the real one.
 */
export class AccountAnswers {
  account: Account = structuredClone(exampleAccount);
  sessions: Session[] = structuredClone(exampleSessions);
  passkeys: Passkey[] = [];
  openMails: OpenMails = { preference: "first-open", digestsIncluded: true };
  legalChanges: OwnLegalChange[] = [];
  readonly tokens = new TokenAnswers();
  readonly webhooks = new WebhookAnswers();
  /** Calls that need it are refused until it was confirmed who asks. */
  stepUpDue = false;
  /** By call: what is answered instead, as often as it is there. */
  readonly instead = new Map<string, Answer | "lost">();
  /** Every call, by method and path, in order. */
  readonly calls: string[] = [];
  readonly bodies = new Map<string, Record<string, unknown>>();
  #tokens = 1;

  async takeOver(context: BrowserContext): Promise<void> {
    await answerCalls(
      context,
      (path) => path.startsWith("/api/account") || path === "/api/link-mails",
      (route) => this.#answer(route),
    );
    // Every page asks whether a deletion is scheduled.
    await answerCalls(context, "/api/privacy/requests", (route) =>
      route.fulfill({ json: { requests: [] } }),
    );
    // And whether terms or policy change.
    await answerCalls(context, "/api/privacy/legal-changes", (route) =>
      route.fulfill({ json: { changes: this.legalChanges } }),
    );
    await answerCalls(
      context,
      (path) => /^\/api\/privacy\/legal-changes\/[^/]+\/acknowledgement$/u.test(path),
      (route) => this.#acknowledge(route),
    );
    // The pages of billing are prefetched.
    const billing = answerFrom(billingModel());
    for (const path of ["/api/subscription", "/api/payments", "/api/invoices"]) {
      const { status, body: json } = billing({ method: "GET", path, body: undefined });
      await answerCalls(context, path, (route) => route.fulfill({ status, json }));
    }
    // The dashboard shows what was opened, CVs and applications.
    const none = { opens: 0, people: { count: 0, upTo: false }, fetched: 0, excluded: 0 };
    const totals = { ...none, lastAt: null };
    const insights = { totals, before: totals, series: [], links: [], lookedAt: null, asOf: day };
    const ofOthers = {
      "/api/links": { links: [], linksMax: 500 },
      "/api/insights/links": insights,
      "/api/cvs": { cvs: [], cvsMax: 50 },
      "/api/applications": { applications: [], stages: [], included: false, applicationsMax: 0 },
      "/api/applications/reminders": { reminders: [] },
    };
    for (const [path, json] of Object.entries(ofOthers))
      await answerCalls(context, path, (route) => route.fulfill({ json }));
    // After them: webhooks name links.
    await this.webhooks.takeOver(context);
  }

  async #acknowledge(route: AnsweredCall): Promise<void> {
    if (this.instead.has("acknowledgement")) {
      await route.fulfill({ status: 503, json: { code: "ledger_unavailable" } });
      return;
    }
    this.legalChanges = this.legalChanges.map((change) => ({ ...change, acknowledged: true }));
    await route.fulfill({ json: { status: "recorded" } });
  }

  #newToken(): string {
    this.#tokens += 1;
    return `bearer-${this.#tokens}`;
  }

  #signedIn(): Answer {
    return { status: 200, body: { status: "signed-in", token: this.#newToken() } };
  }

  async #answer(route: AnsweredCall): Promise<void> {
    const request = route.request();
    const { pathname } = new URL(request.url());
    const call = `${request.method()} ${pathname}`;
    const body = bodyOf(request);
    this.calls.push(call);
    this.bodies.set(call, body);
    const instead = this.instead.get(call);
    if (instead === "lost") {
      await route.abort();
      return;
    }
    const { status, body: answer } = instead ?? this.#reply(call, { body, path: pathname });
    await route.fulfill({ status, json: answer });
  }

  #reply(call: string, given: Given): Answer {
    const answered = this.#entry(call, given) ?? this.#openMails(call, given);
    return answered ?? this.#own(call, given) ?? this.#factors(call, given);
  }

  #openMails(call: string, { body }: Given): Answer | undefined {
    if (call === "PUT /api/link-mails")
      this.openMails.preference = OpenMailPreference.parse(body["preference"]);
    return call.endsWith("/api/link-mails") ? { status: 200, body: this.openMails } : undefined;
  }

  #entry(call: string, { body }: Given): Answer | undefined {
    switch (call) {
      case "POST /api/account/sign-in":
        if (body["password"] !== rightPassword) return refusal(422, "sign_in_refused");
        return this.account.totp
          ? {
              status: 200,
              body: { status: "factor-required", challenge: "c-1", methods: ["totp", "recovery"] },
            }
          : this.#signedIn();
      case "POST /api/account/sign-in/code": {
        const known = [rightCode, ...recoveryCodes].includes(String(body["code"]));
        return known ? this.#signedIn() : refusal(422, "code_wrong");
      }
      case "POST /api/account/join":
        return this.#signedIn();
      case "POST /api/account/invitation":
        return body["token"] === "t-1"
          ? { status: 200, body: { email: this.account.email, language: "en", expiresAt: day } }
          : refusal(410, "mail_token_ended");
      case "POST /api/account/registration":
      case "POST /api/account/password/forgotten":
        return { status: 202, body: { status: "mailed" } };
      case "POST /api/account/password/reset":
      case "POST /api/account/email/confirm":
      case "POST /api/account/recovery/refuse":
      case "POST /api/account/sign-out":
        return done;
      default:
        return undefined;
    }
  }

  #own(call: string, { body, path }: Given): Answer | undefined {
    switch (call) {
      case "GET /api/account":
        return { status: 200, body: this.account };
      case "PATCH /api/account/profile":
        if (body["handle"] === "taken") return refusal(409, "handle_taken");
        this.account = Account.parse({
          ...this.account,
          profile: { ...this.account.profile, ...body },
        });
        return { status: 200, body: this.account };
      case "POST /api/account/handle/check":
        return { status: 200, body: checkedHandle(body["handle"] === "taken") };
      case "PUT /api/account/photo":
        this.account.hasPhoto = true;
        return done;
      case "DELETE /api/account/photo":
        this.account.hasPhoto = false;
        return done;
      case "GET /api/account/sessions":
        return { status: 200, body: { sessions: this.sessions } };
      case "POST /api/account/sessions/end-others":
        this.sessions = this.sessions.filter(({ current }) => current);
        return done;
      case "POST /api/account/password":
        return body["current"] === rightPassword
          ? this.#signedIn()
          : refusal(422, "sign_in_refused");
      case "POST /api/account/email":
        return { status: 202, body: { status: "mailed" } };
      default:
        if (!call.startsWith("DELETE /api/account/sessions/")) return undefined;
        this.sessions = this.sessions.filter(({ sessionId }) => !path.endsWith(sessionId));
        return done;
    }
  }

  #factors(call: string, { body, path }: Given): Answer {
    if (call === "GET /api/account/factors") return this.#listed();
    if (call === "GET /api/account/tokens") return this.tokens.listed();
    if (call === "POST /api/account/step-up/password") {
      if (body["password"] !== rightPassword) return refusal(422, "sign_in_refused");
      this.stepUpDue = false;
      return this.#signedIn();
    }
    if (call === "POST /api/account/step-up/code") {
      if (body["code"] !== rightCode) return refusal(422, "code_wrong");
      this.stepUpDue = false;
      return this.#signedIn();
    }
    if (this.stepUpDue) return refusal(403, "step_up_required");
    if (path.startsWith("/api/account/tokens")) return this.tokens.changed(call, { body, path });
    switch (call) {
      case "POST /api/account/factors/totp":
        return { status: 200, body: totpSecret };
      case "POST /api/account/factors/totp/confirm":
        if (body["code"] !== rightCode) return refusal(422, "code_wrong");
        Object.assign(this.account, { totp: true, factor: true, recoveryCodesLeft: 10 });
        return { status: 200, body: { codes: recoveryCodes, token: this.#newToken() } };
      case "POST /api/account/factors/recovery-codes":
        return { status: 200, body: { codes: recoveryCodes } };
      case "DELETE /api/account/factors/totp":
        Object.assign(this.account, { totp: false, recoveryCodesLeft: 0 });
        return done;
      default:
        return this.#passkey(call, { body, path });
    }
  }

  #passkey(call: string, { body, path }: Given): Answer {
    const passkey = this.passkeys.find(({ passkeyId }) => path.endsWith(passkeyId));
    if (passkey === undefined) return refusal(404, "not_found");
    if (call.startsWith("PATCH")) passkey.name = String(body["name"]);
    else this.passkeys = this.passkeys.filter((kept) => kept !== passkey);
    this.account.passkeys = this.passkeys.length;
    return done;
  }

  #listed(): Answer {
    const { totp, recoveryCodesLeft, roles } = this.account;
    const required = roles.length > 1;
    return {
      status: 200,
      body: { totp, recoveryCodesLeft, passkeys: this.passkeys, required },
    };
  }

  /** Gives the account passkeys with these names. */
  havePasskeys(...names: readonly string[]): void {
    this.passkeys = names.map((name, index) => ({
      passkeyId: `7c9e6679-7425-40de-944b-e07fc1f9000${index}`,
      name,
      createdAt: "2026-08-02T10:00:00.000Z",
      lastUsedAt: index === 0 ? day : null,
      synced: index === 0,
    }));
    this.account.passkeys = names.length;
  }
}

export const totpSecret = {
  secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
  uri: "otpauth://totp/Pro%20Talent:noa.levi%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Pro%20Talent",
};

function bodyOf(request: AnsweredRequest): Record<string, unknown> {
  const parsed: unknown = JSON.parse(request.postData() ?? "{}");
  return typeof parsed === "object" && parsed !== null ? { ...parsed } : {};
}

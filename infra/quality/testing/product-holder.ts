import { randomUUID } from "node:crypto";

import { insertAccount } from "@pro-talent/accounts/accounts";
import { readKeySettings } from "@pro-talent/accounts/key-settings";
import { openAccountKeys } from "@pro-talent/accounts/keys";
import { openSession } from "@pro-talent/accounts/sessions";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import { until } from "@pro-talent/platform/testing/until";
import { SubscriptionAnswer } from "@pro-talent/schemas/billing/calls";
import { checkoutDocuments, checkoutTextsVersion } from "@pro-talent/schemas/billing/consent-texts";
import type { PlanChoice, Quote } from "@pro-talent/schemas/billing/quotes";
import type { TestCardName } from "@pro-talent/schemas/payments-sandbox/cards";
import type { LightMyRequestResponse } from "fastify";

import type { openProduct } from "./open-product.ts";

/** An account of an opened product, whose holder calls the services as a browser does. */
export class ProductHolder {
  readonly accountId = randomUUID();
  readonly #product: Awaited<ReturnType<typeof openProduct>>;
  readonly #owner: Sql;
  readonly #clock: Clock;
  #token = "";

  /** @param clock of the services */
  constructor(product: Awaited<ReturnType<typeof openProduct>>, owner: Sql, clock: Clock) {
    this.#product = product;
    this.#owner = owner;
    this.#clock = clock;
  }

  /** Opens the account, signed in. */
  async join(email: string): Promise<this> {
    const { accountId } = this;
    const nowMs = this.#clock();
    const settings = readKeySettings(this.#product.accountsKeys);
    const keys = await openAccountKeys(this.#owner, settings, nowMs);
    const profile = { fullName: "Dana Levi", language: "en", timeZone: "UTC" } as const;
    const account = { accountId, email, profile, passwordHash: "", nowMs };
    await this.#owner.begin((tx) => insertAccount(tx, keys, account));
    await this.signIn();
    return this;
  }

  async signIn(): Promise<void> {
    const nowMs = this.#clock();
    const session = { accountId: this.accountId, factor: false, userAgent: undefined, nowMs };
    ({ token: this.#token } = await openSession(this.#owner, session));
  }

  #app(service: string) {
    const app = this.#product.services.get(service)?.app;
    if (app === undefined) throw new Error(`${service} is not open`);
    return app;
  }

  /** What a browser sends with its calls. */
  readonly headers = () => ({
    authorization: `Bearer ${this.#token}`,
    "idempotency-key": randomUUID(),
  });

  async get(url: string, service = "ledger"): Promise<LightMyRequestResponse> {
    return await this.#app(service).inject({ method: "GET", url, headers: this.headers() });
  }

  async post(url: string, payload: object, service = "ledger"): Promise<LightMyRequestResponse> {
    const headers = this.headers();
    return await this.#app(service).inject({ method: "POST", url, headers, payload });
  }

  async subscription(): Promise<SubscriptionAnswer> {
    return SubscriptionAnswer.parse((await this.get("/api/subscription")).json());
  }

  /** Waits until the subscription has a status: what leads to it is reported by a webhook. */
  async becomes(status: SubscriptionAnswer["status"]): Promise<void> {
    const found = async () => (await this.subscription()).status === status;
    await until(`the subscription is ${status}`, found);
  }

  /** Orders a plan and pays it on the page of the sandbox. */
  async buy(choice: PlanChoice, card: TestCardName = "success"): Promise<void> {
    const { hash } = (await this.post("/api/checkout/quote", choice)).json<{ hash: string }>();
    const given = { version: checkoutTextsVersion, language: "en" };
    const consents = checkoutDocuments.map((document) => ({ document, ...given }));
    const order = { ...choice, hash, consents, language: "en" };
    await this.#fillIn(await this.post("/api/checkout", order), card);
    await this.becomes("active");
  }

  /** Stores another card on the page of the sandbox. */
  async storeCard(card: TestCardName): Promise<void> {
    await this.#fillIn(await this.post("/api/subscription/card", { language: "en" }), card);
  }

  async #fillIn(opened: { json: <Body>() => Body }, card: TestCardName): Promise<void> {
    const { url } = opened.json<{ url: string }>();
    await this.#app("payments-sandbox").inject({
      method: "POST",
      url: new URL(url).pathname,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: `card=${card}`,
    });
  }

  /** Presses the button of an act, as its quote is now. @returns the answer of the act */
  async act(url: string, name: Quote["act"], plan?: PlanChoice["plan"]): Promise<unknown> {
    const { actions } = await this.subscription();
    const button = actions.find(
      ({ quote, choice }) => quote.act === name && (plan === undefined || choice?.plan === plan),
    );
    if (button === undefined) throw new Error(`There is no button for ${name}`);
    const answer = await this.post(url, { ...button.choice, hash: button.hash });
    if (answer.statusCode >= 300) throw new Error(`${name} answered ${answer.body}`);
    return answer.json();
  }
}

import type { FastifyInstance } from "fastify";
import { z } from "zod";

import { base32Digits } from "../base32.ts";
import { totpCode, totpStep } from "../totp.ts";
import type { Deviation, SoftwareAuthenticator } from "./software-authenticator.ts";

type Method = "GET" | "POST" | "PATCH" | "DELETE";
type Answer = { readonly status: number; readonly body: unknown };

const Token = z.object({ token: z.string() });
const FactorRequired = z.object({ challenge: z.string(), methods: z.array(z.string()) });
const Ceremony = z.object({ ceremony: z.string(), options: z.unknown() });
const Authenticator = z.object({ secret: z.string(), uri: z.string() });
const Codes = z.object({ codes: z.array(z.string()), token: z.string() });

/** The code that an authenticator with this secret shows. */
export function shownCode(secret: string, nowMs: number): string {
  const bits = Array.from(secret, (digit) =>
    base32Digits.indexOf(digit).toString(2).padStart(5, "0"),
  );
  const bytes = bits.join("").match(/.{8}/g) ?? [];
  const key = Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2));
  return totpCode(key, totpStep(nowMs));
}

/** Where the passkey is that was added. */
export function passkeyPath({ body }: Answer): string {
  return `/factors/passkeys/${z.object({ passkeyId: z.string() }).parse(body).passkeyId}`;
}

/** One browser of an account holder: signs in, and calls with the token that it then has. */
export class TestHolder {
  readonly accountId: string;
  readonly email: string;
  token = "";
  readonly #server: FastifyInstance;

  constructor(server: FastifyInstance, accountId: string, email: string) {
    this.#server = server;
    this.accountId = accountId;
    this.email = email;
  }

  /** Another browser of the same account. */
  elsewhere(): TestHolder {
    return new TestHolder(this.#server, this.accountId, this.email);
  }

  async call(method: Method, path: string, payload?: object): Promise<Answer> {
    const answer = await this.#server.inject({
      method,
      url: `/api/account${path}`,
      headers: this.token === "" ? {} : { authorization: `Bearer ${this.token}` },
      ...(payload && { payload }),
    });
    return { status: answer.statusCode, body: answer.json<unknown>() };
  }

  /** Calls with another token from now on, if the answer has one. */
  async renewing(method: Method, path: string, payload?: object): Promise<Answer> {
    const answer = await this.call(method, path, payload);
    this.token = Token.safeParse(answer.body).data?.token ?? this.token;
    return answer;
  }

  givePassword(password: string): Promise<Answer> {
    return this.renewing("POST", "/sign-in", { email: this.email, password });
  }

  /** The challenge of a sign-in whose password was right. */
  async beginSignIn(password: string): Promise<z.infer<typeof FactorRequired>> {
    return FactorRequired.parse((await this.givePassword(password)).body);
  }

  /** @param nowMs by the clock of the device that has the authenticator */
  async setUpTotp(nowMs: number) {
    const { secret } = Authenticator.parse((await this.call("POST", "/factors/totp")).body);
    const code = shownCode(secret, nowMs);
    const answer = await this.renewing("POST", "/factors/totp/confirm", { code });
    return { secret, codes: Codes.parse(answer.body).codes };
  }

  /** What a passkey answers to the options of a call. */
  async askPasskey(
    path: string,
    passkey: SoftwareAuthenticator,
    { sent = {}, ...deviation }: Deviation & { sent?: object } = {},
  ) {
    const { ceremony, options } = Ceremony.parse((await this.call("POST", path, sent)).body);
    const isNew = path.startsWith("/factors");
    const response = isNew ? passkey.create(options, deviation) : passkey.get(options, deviation);
    return { ceremony, response };
  }

  async addPasskey(passkey: SoftwareAuthenticator, name = "Phone"): Promise<Answer> {
    const response = await this.askPasskey("/factors/passkeys/options", passkey);
    return this.renewing("POST", "/factors/passkeys", { ...response, name });
  }

  async signInWithPasskey(passkey: SoftwareAuthenticator, deviation: Deviation = {}) {
    const response = await this.askPasskey("/sign-in/passkey/options", passkey, deviation);
    return this.renewing("POST", "/sign-in/passkey", response);
  }
}

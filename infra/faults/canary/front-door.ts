import { until } from "@pro-talent/platform/testing/until";
import { z } from "zod";

const Mails = z.array(
  z.object({
    subject: z.string(),
    text: z.string(),
    to: z.array(z.object({ address: z.string() })),
  }),
);

/** What a browser sends with every call. */
export const browser = {
  "user-agent":
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
  accept: "*/*",
  "accept-language": "he,en;q=0.8",
};

export type Sent = {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Another status than one of success. */
  readonly status?: number;
};

/** The one public origin of a running product, as browsers and programs use it. */
export class FrontDoor {
  readonly origin: string;
  readonly #mailUrl: URL;

  constructor(origin: string, mailUrl: string) {
    this.origin = origin;
    this.#mailUrl = new URL(mailUrl);
  }

  /** The answer as it came. @throws when its status is another one than expected */
  async ask(
    call: string,
    body?: unknown,
    { token, headers, status }: Sent = {},
  ): Promise<Response> {
    const [method = "GET", path = "/"] = call.split(" ");
    const answer = await fetch(new URL(path, this.origin), {
      method,
      redirect: "manual",
      headers: {
        ...browser,
        origin: this.origin,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const expected = status === undefined ? answer.status < 400 : answer.status === status;
    if (!expected)
      throw new Error(`${call} is answered with ${answer.status}: ${await answer.text()}`);
    return answer;
  }

  /** The answer by its contract. @throws as {@link ask} */
  async call<Contract extends z.ZodType>(
    contract: Contract,
    call: string,
    body?: unknown,
    sent?: Sent,
  ): Promise<z.output<Contract>> {
    return contract.parse(await (await this.ask(call, body, sent)).json());
  }

  /** The texts of all mails to an address. */
  async #mailsTo(address: string): Promise<readonly string[]> {
    const { origin, searchParams } = this.#mailUrl;
    const headers = { authorization: `Bearer ${searchParams.get("token") ?? ""}` };
    const answer = await fetch(`${origin}/api/email`, { headers });
    return Mails.parse(await answer.json())
      .filter(({ to }) => to.some((one) => one.address.toLowerCase() === address.toLowerCase()))
      .map(({ text }) => text);
  }

  /** The codes of the public form that were mailed to an address, each with the right to its request. */
  async mailedCodes(address: string): Promise<readonly { code: string; token: string }[]> {
    return (await this.#mailsTo(address)).flatMap((text) => {
      const [, token] = /status#([\w-]+)/u.exec(text) ?? [];
      const [code] = /\b\d{8}\b/u.exec(text) ?? [];
      return token === undefined || code === undefined ? [] : [{ code, token }];
    });
  }

  /** A mail to an address with this text has come. */
  async untilMailed(address: string, part: string): Promise<void> {
    const isMailed = async () => (await this.#mailsTo(address)).some((text) => text.includes(part));
    await until(`a mail with ${part}`, isMailed, 240_000);
  }

  /** The token of the newest mail to an address that leads to this page. */
  async mailedToken(address: string, page: string): Promise<string> {
    return await until(
      `a mail to ${page}`,
      async () => {
        const links = (await this.#mailsTo(address))
          .flatMap((text) => text.match(/https?:\/\/[^\s<>]+/gu) ?? [])
          .map((link) => new URL(link))
          .filter(({ pathname }) => pathname === page);
        const link = links.at(-1);
        const parameters =
          link && new URLSearchParams(link.hash === "" ? link.search : link.hash.slice(1));
        return parameters?.get("token") ?? undefined;
      },
      240_000,
    );
  }
}

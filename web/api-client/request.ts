import type { HttpApi } from "@pro-talent/schemas/http-api";
import type { CallRequest, DomainProblemCode } from "@pro-talent/schemas/primitives/calls";
import type { PlatformProblemCode } from "@pro-talent/schemas/primitives/problem";
import type { z } from "zod";

import { leaveForSignIn, readToken } from "./token.ts";

/** A call of the platform by method and path: `POST /api/contact/send`. */
export type CallName = keyof HttpApi;

type IsOptional<Part> = Record<never, never> extends Part ? true : false;
/** Parts in which nothing is required may be left out. */
type Parts<Request> = {
  readonly [
    Key in keyof Request as IsOptional<Request[Key]> extends true ? never : Key
  ]: Request[Key];
} & {
  readonly [
    Key in keyof Request as IsOptional<Request[Key]> extends true ? Key : never
  ]?: Request[Key];
};

/** What a call takes: the parts of its contract, and options of the transport. */
export type CallInput<Name extends CallName> = Name extends CallName
  ? Parts<CallRequest<HttpApi[Name]>> & {
      readonly headers?: Readonly<Record<string, string>>;
      /** Lets the call outlive the page (bodies up to 64 KiB). */
      readonly keepalive?: boolean;
    }
  : never;

export type CallAnswer<Name extends CallName> = z.output<HttpApi[Name]["answer"]>;

/** The `status` of a call's further answers (`also`), which have no problem code. */
type FurtherStatus<Call> = Call extends { also: infer Also }
  ? {
      [Status in keyof Also]: Also[Status] extends z.ZodType<{ status: infer S }> ? S : never;
    }[keyof Also]
  : never;

/** Why a call was refused: a code of its own, one that every call may have, or a further answer. */
export type RefusalCode<Name extends CallName> =
  | DomainProblemCode<HttpApi[Name]>
  | FurtherStatus<HttpApi[Name]>
  | PlatformProblemCode;

export type Refusal<Name extends CallName> = {
  readonly ok: false;
  readonly status: number;
  /** Undefined when the refusal is not the platform's own. */
  readonly code: RefusalCode<Name> | undefined;
  /** A text for the visitor. */
  readonly error: string | undefined;
  /** When it may be tried again, in milliseconds from now, if the answer says so. */
  readonly retryAfterMs?: number | undefined;
};

export type CallResult<Name extends CallName> =
  | {
      readonly ok: true;
      readonly status: number;
      /** Undefined when the answer is not JSON. */
      readonly answer: CallAnswer<Name> | undefined;
    }
  | Refusal<Name>;

export type ApiClient = {
  /**
   * Sends a call with cookies and the stored bearer token.
   * @throws TypeError when there is no answer (offline, refused, aborted)
   */
  call: <Name extends CallName>(name: Name, input: CallInput<Name>) => Promise<CallResult<Name>>;
};

export type ApiClientOptions = {
  /** Origin to call; empty for the page's own. */
  origin: string;
  readToken: () => string | null;
  /** Called on every 401 (specification §8). */
  onUnauthorized: () => void;
  /** What sends calls, unless the browser's own function does. */
  fetch?: typeof fetch;
};

/** The input of any call, without the types of its contract. */
type AnyInput = {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly keepalive?: boolean;
};

/** Path and query of a call. Parameters (`:id`) and values are escaped; what is no text or number is left out. */
function addressOf(path: string, { params = {}, query = {} }: AnyInput): string {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  const given = Object.entries(query).flatMap(([name, value]) =>
    typeof value === "string" || typeof value === "number" ? [[name, String(value)]] : [],
  );
  return given.length === 0 ? filled : `${filled}?${new URLSearchParams(given).toString()}`;
}

async function readJson(response: Response): Promise<unknown> {
  const isJson = response.headers.get("content-type")?.includes("json");
  return isJson === true ? response.json().catch(() => undefined) : undefined;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** A field of a refusal that is a text with content. */
function textOf(body: unknown, field: string): string | undefined {
  const value = isRecord(body) ? body[field] : undefined;
  return (typeof value === "string" && value.trim()) || undefined;
}

async function resultOf<Name extends CallName>(response: Response): Promise<CallResult<Name>> {
  const { ok, status } = response;
  const body = await readJson(response);
  const code = textOf(body, "code") ?? textOf(body, "status");
  const result = ok
    ? { ok, status, answer: body }
    : {
        ok,
        status,
        code,
        error: textOf(body, "error"),
        retryAfterMs: 1000 * Number(response.headers.get("retry-after")) || undefined,
      };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server parses each answer with the contract that these types come from; no schema reaches the browser
  return result as CallResult<Name>;
}

/** The client of all calls (specification §7). */
export function createApiClient({ origin, ...options }: ApiClientOptions): ApiClient {
  const send = async (name: string, input: AnyInput): Promise<Response> => {
    const [method = "", path = ""] = name.split(" ");
    const token = options.readToken();
    const response = await (options.fetch ?? fetch)(origin + addressOf(path, input), {
      method,
      credentials: "include",
      keepalive: input.keepalive ?? false,
      headers: {
        ...(input.body !== undefined && { "content-type": "application/json" }),
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...input.headers,
      },
      ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
    });
    if (response.status === 401) options.onUnauthorized();
    return response;
  };
  return { call: async (name, input) => resultOf(await send(name, input)) };
}

/** The client of the page's own origin. */
export function siteApi(): ApiClient {
  return createApiClient({ origin: "", readToken, onUnauthorized: leaveForSignIn });
}

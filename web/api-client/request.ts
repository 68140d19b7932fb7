/** What a call answered. `body` is the parsed JSON, or undefined when the answer is not JSON. */
export type Answer = { ok: boolean; status: number; body: unknown };

export type Call = {
  body: unknown;
  headers?: Readonly<Record<string, string>>;
  /** Lets the browser finish the call after the page is gone (bodies up to 64 KiB). */
  keepalive?: boolean;
};

export type ApiClient = {
  /**
   * Sends JSON with cookies, and with the stored bearer token if there is one.
   * @throws TypeError when nothing answered (offline, refused, aborted)
   */
  post: (path: string, call: Call) => Promise<Answer>;
};

export type ApiClientOptions = {
  /** Origin to call; empty for the page's own. */
  origin: string;
  readToken: () => string | null;
  /** Called on every 401: the token is worthless and the visitor has to sign in (specification §8). */
  onUnauthorized: () => void;
};

async function readJson(response: Response): Promise<unknown> {
  const type = response.headers.get("content-type") ?? "";
  if (!type.includes("json")) return undefined;
  return response.json().catch(() => undefined);
}

/** The one way to the platform's calls (specification §7). */
export function createApiClient(options: ApiClientOptions): ApiClient {
  return {
    async post(path, call) {
      const token = options.readToken();
      const response = await fetch(`${options.origin}${path}`, {
        method: "POST",
        credentials: "include",
        keepalive: call.keepalive ?? false,
        headers: {
          "content-type": "application/json",
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...call.headers,
        },
        body: JSON.stringify(call.body),
      });
      if (response.status === 401) options.onUnauthorized();
      return { ok: response.ok, status: response.status, body: await readJson(response) };
    },
  };
}

/** `body` is the parsed JSON, or undefined when the answer is not JSON. */
export type Answer = { ok: boolean; status: number; body: unknown };

export type Call = {
  body: unknown;
  headers?: Readonly<Record<string, string>>;
  /** Lets the call outlive the page (bodies up to 64 KiB). */
  keepalive?: boolean;
};

export type ApiClient = {
  /**
   * Sends JSON with cookies and the stored bearer token.
   * @throws TypeError when there is no answer (offline, refused, aborted)
   */
  post: (path: string, call: Call) => Promise<Answer>;
};

export type ApiReader = {
  /** @throws TypeError when there is no answer (offline, refused, aborted) */
  get: (path: string) => Promise<Answer>;
};

export type ApiClientOptions = {
  /** Origin to call; empty for the page's own. */
  origin: string;
  readToken: () => string | null;
  /** Called on every 401 (specification §8). */
  onUnauthorized: () => void;
};

async function readJson(response: Response): Promise<unknown> {
  const type = response.headers.get("content-type") ?? "";
  if (!type.includes("json")) return undefined;
  return response.json().catch(() => undefined);
}

/** The client of all calls (specification §7). */
export function createApiClient(options: ApiClientOptions): ApiClient & ApiReader {
  const ask = async (path: string, request: RequestInit): Promise<Answer> => {
    const response = await fetch(`${options.origin}${path}`, request);
    if (response.status === 401) options.onUnauthorized();
    return { ok: response.ok, status: response.status, body: await readJson(response) };
  };
  const bearer = (): Record<string, string> => {
    const token = options.readToken();
    return token === null ? {} : { authorization: `Bearer ${token}` };
  };
  return {
    get: (path) => ask(path, { credentials: "include", headers: bearer() }),
    post: (path, { body, headers, keepalive = false }) =>
      ask(path, {
        method: "POST",
        credentials: "include",
        keepalive,
        headers: { "content-type": "application/json", ...bearer(), ...headers },
        body: JSON.stringify(body),
      }),
  };
}

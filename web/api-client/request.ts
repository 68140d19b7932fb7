import type { HttpApi } from "@pro-talent/schemas/http-api";
import type { CallRequest } from "@pro-talent/schemas/primitives/calls";

/** `body` is the parsed JSON, or undefined when the answer is not JSON. */
export type Answer = { ok: boolean; status: number; body: unknown };

/** The paths of the platform's POST calls. */
export type PostPath = keyof HttpApi extends infer Name
  ? Name extends `POST ${infer Path}`
    ? Path
    : never
  : never;
/** What the call at `Path` takes; the types alone cross over, no schema reaches the browser. */
export type PostBody<Path extends PostPath> = Path extends PostPath
  ? CallRequest<HttpApi[`POST ${Path}`]> extends { body: infer Body }
    ? Body
    : never
  : never;

export type Call<Path extends PostPath> = {
  body: PostBody<Path>;
  headers?: Readonly<Record<string, string>>;
  /** Lets the call outlive the page (bodies up to 64 KiB). */
  keepalive?: boolean;
};

export type ApiClient = {
  /**
   * Sends JSON with cookies and the stored bearer token.
   * @throws TypeError when there is no answer (offline, refused, aborted)
   */
  post: <Path extends PostPath>(path: Path, call: Call<Path>) => Promise<Answer>;
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

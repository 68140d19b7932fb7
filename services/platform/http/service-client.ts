import {
  type CallDefinition,
  type CallRequest,
  type Calls,
  splitCallName,
} from "@pro-talent/schemas/primitives/calls";
import { Problem } from "@pro-talent/schemas/primitives/problem";
import type { z } from "zod";

import { inPartSpan, traceHeaders } from "../tracing/spans.ts";

/** Another service refused a call, with the code of a problem where it gave one. */
export class ServiceRefusal extends Error {
  override readonly name = "ServiceRefusal";
  readonly status: number;
  readonly code: string | undefined;

  constructor(call: string, status: number, code: string | undefined) {
    super(`${call} is answered with ${status} ${code ?? ""}`);
    this.status = status;
    this.code = code;
  }
}

/** Where another service answers, and the token that its internal calls need. */
export type ServiceAddress = { readonly url: string; readonly internalToken: string };

export type ServiceClient<Defined extends Calls> = <Name extends keyof Defined & string>(
  name: Name,
  request: CallRequest<Defined[Name]> & object,
) => Promise<z.output<Defined[Name]["answer"]>>;

/** The parts of a request whose type depends on its call. */
function partsOf(request: object): { params: Readonly<Record<string, unknown>>; body: unknown } {
  const body = "body" in request ? request.body : undefined;
  const params = "params" in request ? request.params : undefined;
  return { params: { ...(typeof params === "object" && params) }, body };
}

/**
 * Calls of another service, by their definitions, with the internal token; answers are parsed.
 * Nothing is repeated: the caller knows whether it may be.
 * @returns a function that throws ServiceRefusal, or the error of `fetch` when there is no answer
 */
export function callService<Defined extends Calls>(
  { url, internalToken }: ServiceAddress,
  calls: Defined,
  timeoutMs = 5_000,
): ServiceClient<Defined> {
  return async (name, request) => {
    const { method, path } = splitCallName(name);
    const { params, body } = partsOf(request);
    const filled = path.replaceAll(/:(\w+)/g, (_, part: string) =>
      encodeURIComponent(String(params[part])),
    );
    const send = (): Promise<Response> =>
      fetch(new URL(filled, url), {
        method,
        headers: {
          authorization: `Bearer ${internalToken}`,
          ...traceHeaders(),
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
        redirect: "error",
      });
    const response = await inPartSpan(
      name,
      { kind: "client", fields: { "server.call": name } },
      send,
    );
    const answer: unknown = await response.json().catch(() => undefined);
    if (!response.ok) {
      const problem = Problem.safeParse(answer);
      throw new ServiceRefusal(name, response.status, problem.data?.code);
    }
    const definition: CallDefinition | undefined = calls[name];
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed by the definition that the type comes from
    return definition?.answer.parse(answer) as z.output<Defined[typeof name]["answer"]>;
  };
}

/** A file that another service answers an internal call with. @throws when it refuses, or does not answer */
export async function readServiceFile(service: ServiceAddress, path: string): Promise<Buffer> {
  const response = await getFile(service, path, AbortSignal.timeout(10_000));
  return Buffer.from(await response.arrayBuffer());
}

/** The same in the parts in which it arrives, for a file of any size. */
export async function* streamServiceFile(
  service: ServiceAddress,
  path: string,
): AsyncGenerator<Uint8Array> {
  // A pause between two parts ends it: the client's own limit.
  const { body } = await getFile(service, path, null);
  if (body !== null) yield* body;
}

async function getFile(
  { url, internalToken }: ServiceAddress,
  path: string,
  signal: AbortSignal | null,
): Promise<Response> {
  const response = await fetch(new URL(path, url), {
    headers: { authorization: `Bearer ${internalToken}`, ...traceHeaders() },
    signal,
    redirect: "error",
  });
  if (response.ok) return response;
  await response.body?.cancel();
  throw new ServiceRefusal(`GET ${path}`, response.status, undefined);
}

import { readFileSync } from "node:fs";

import { readTarget } from "../embedded/gateway/target.ts";

/** Where a request is answered: by a service that takes bodies up to a size, or with a status at once. */
export type Answer =
  | { readonly service: string; readonly port?: number; readonly bytesMax: number }
  | { readonly status: number };
/** Paths as the Caddyfile writes them, `/links*`, or none for what is left; the first that matches answers. */
type Handle = { readonly paths: readonly string[]; readonly answer: Answer };

export const caddyfile = readFileSync(new URL("Caddyfile", import.meta.url), "utf8");

function msOf(name: string): number {
  const [, value = "", unit] = new RegExp(`\\b${name} (\\d+)(m?s)\\b`, "u").exec(caddyfile) ?? [];
  if (value === "") throw new Error(`The Caddyfile has no ${name}`);
  return Number(value) * (unit === "s" ? 1000 : 1);
}
const [, methods = ""] = /lb_retry_match \{\s+method ([A-Z ]+)/u.exec(caddyfile) ?? [];
const [, header = ""] = /lb_retry_match \{\s+header (\S+) \*/u.exec(caddyfile) ?? [];
/** How several instances of a service are used, with times in milliseconds. */
export const policy = {
  everyMs: msOf("health_interval"),
  timeoutMs: msOf("health_timeout"),
  failMs: msOf("fail_duration"),
  tryMs: msOf("lb_try_duration"),
  pauseMs: msOf("lb_try_interval"),
  keepAliveMs: msOf("keepalive"),
  /** What may be repeated after it broke off: these methods, and requests with this header. */
  methods: methods.split(" "),
  header: header.toLowerCase(),
};

const units: Readonly<Record<string, number>> = { KB: 1000, MB: 1_000_000 };

function answerIn(body: string): Answer {
  const [, service = "", port = "", size = "", unit = ""] =
    /import service ([\w-]+):(\d+) (\d+)([KM]B)/u.exec(body) ?? [];
  if (service !== "") {
    return { service, port: Number(port), bytesMax: Number(size) * (units[unit] ?? 1) };
  }
  const [, status] = /respond (\d+)/u.exec(body) ?? [];
  if (status === undefined) throw new Error(`The Caddyfile has a handle of another kind: ${body}`);
  return { status: Number(status) };
}

function handlesIn(text: string): readonly Handle[] {
  const named = new Map(
    [...text.matchAll(/^\s*(@\w+) path (.+)$/gmu)].map(([, name, paths = ""]) => [name, paths]),
  );
  return [...text.matchAll(/handle(?: (\S+))? \{([\s\S]*?)\n\t\t\}/gu)].map(
    ([, matcher, body = ""]) => ({
      paths: (named.get(matcher) ?? matcher)?.split(" ") ?? [],
      answer: answerIn(body),
    }),
  );
}

const [siteText = "", contentText = ""] = caddyfile.split("{$CONTENT_ADDRESS}");
/** What is answered at the public origin, and at the host of shared pages, in the order of the Caddyfile. */
export const siteHandles = handlesIn(siteText);
export const contentHandles = handlesIn(contentText);

/** As Caddy matches: in any case, exact unless a `*` ends the pattern. */
function matches(pattern: string, path: string): boolean {
  const [start = "", ...rest] = pattern.toLowerCase().split("*");
  return rest.length === 0 ? path === start : path.startsWith(start);
}

/** Who answers a request target; undefined where it is malformed. */
export function answerFor(handles: readonly Handle[], url: string): Answer | undefined {
  const target = readTarget(url);
  if (target === "malformed") return undefined;
  // What ends with a slash keeps it: Caddy's cleaning of paths does.
  const path = `${target.path}${/\/(?:$|[?#])/u.test(url) && target.path !== "/" ? "/" : ""}`;
  return handles.find(
    ({ paths }) =>
      paths.length === 0 || paths.some((pattern) => matches(pattern, path.toLowerCase())),
  )?.answer;
}

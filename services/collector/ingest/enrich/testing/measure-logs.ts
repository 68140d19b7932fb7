import { createReadStream } from "node:fs";
import { argv, stdout } from "node:process";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";

import { pagePath } from "../../page-path.ts";
import { arrivalOf } from "../arrival.ts";
import { botVerdict } from "../bot-verdict.ts";
import { userAgentFacts } from "../user-agent.ts";

/** A line of a log in the combined format of Apache and nginx. */
const combined =
  /^(?<address>\S+) \S+ .*?\[(?<time>[^\]]+)\] "(?<method>[A-Z]+) (?<target>\S+)(?: HTTP\/(?<version>[\d.]+))?" (?<status>\d{3}) \S+ "(?<referrer>(?:[^"\\]|\\.)*)" "(?<agent>(?:[^"\\]|\\.)*)"/;
const time =
  /^(?<day>\d\d)\/(?<month>\w{3})\/(?<year>\d{4}):(?<clock>[\d:]{8}) (?<zone>[+-]\d{4})$/;

type Line = Record<
  "address" | "time" | "method" | "target" | "version" | "status" | "referrer" | "agent",
  string
>;

/** What browsers load beside pages. */
const assets =
  /\.(?:js|mjs|css|map|png|jpe?g|gif|ico|svg|webp|avif|woff2?|ttf|eot|mp[34]|webm|pdf|zip|gz|xml|txt|json|rss|atom)$/i;
const pauseMs = 30 * 60_000;

/** Counts by name, the most frequent first. */
class Tally {
  readonly #counts = new Map<string, number>();

  add(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  print(title: string, most = 25): void {
    const counts = [...this.#counts].toSorted(([, a], [, b]) => b - a);
    const total = counts.reduce((sum, [, count]) => sum + count, 0);
    stdout.write(`\n${title}: ${total}, of these distinct ${counts.length}\n`);
    for (const [name, count] of counts.slice(0, most))
      stdout.write(`${String(count).padStart(8)}  ${name.slice(0, 150)}\n`);
  }
}

function parse(text: string): Line | undefined {
  const groups = combined.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const field = (name: keyof Line): string => groups[name] ?? "";
  return {
    address: field("address"),
    time: field("time"),
    method: field("method"),
    target: field("target"),
    version: field("version"),
    status: field("status"),
    referrer: field("referrer"),
    agent: field("agent"),
  };
}

function instantOf(text: string): number {
  const { day, month, year, clock, zone } = time.exec(text)?.groups ?? {};
  return Date.parse(`${day} ${month} ${year} ${clock} ${zone}`);
}

/** The verdict of what a log keeps of a request: its method, version and agent. */
function reasonsOf({ method, version, agent }: Line): { isBot: boolean; reasons: string[] } {
  const userAgent = agent === "-" ? "" : agent;
  const kept = { accept: "*/*", "accept-language": "he", "accept-encoding": "gzip" };
  const headers = userAgent === "" ? kept : { ...kept, "user-agent": userAgent };
  const { isBot, reasons } = botVerdict({
    method,
    httpVersion: version,
    headers,
    agent: userAgentFacts(userAgent),
  });
  return { isBot: isBot === 1, reasons };
}

/** What a log shows when it is read as the collector reads visits. */
class Report {
  readonly #host: string;
  readonly #lines = new Tally();
  readonly #verdicts = new Tally();
  readonly #sessions = new Tally();
  readonly #devices = new Tally();
  readonly #redacted = new Tally();
  readonly #domains = new Tally();
  readonly #channels = new Tally();
  readonly #machines = new Tally();
  readonly #unnamed = new Tally();
  readonly #robots = new Tally();
  readonly #lastSeen = new Map<string, number>();

  /** @param host the name of the site, whose own pages are no referrers */
  constructor(host: string) {
    this.#host = host;
  }

  add(text: string): void {
    const line = parse(text);
    if (line === undefined) return this.#lines.add("not in the combined format");
    const { isBot, reasons } = reasonsOf(line);
    const path = line.target.replace(/[?#].*$/s, "");
    if (path === "/robots.txt" && !isBot) this.#robots.add(line.agent);
    const isPage = line.method === "GET" && /^[23]/.test(line.status) && !assets.test(path);
    if (!isPage) return this.#lines.add("no page");
    this.#lines.add("page");
    this.#verdicts.add(reasons.length === 0 ? "a person" : reasons.join(" "));
    const stored = pagePath(line.target);
    if (stored.includes("[") || stored.includes(":")) this.#redacted.add(`${path} -> ${stored}`);
    if (isBot) this.#machines.add(`${reasons.join(" ")}: ${line.agent}`);
    else this.#visit(line);
  }

  #visit(line: Line): void {
    const visitor = `${line.address} ${line.agent}`;
    const at = instantOf(line.time);
    const isNew = at - (this.#lastSeen.get(visitor) ?? Number.NEGATIVE_INFINITY) > pauseMs;
    this.#lastSeen.set(visitor, at);
    if (!isNew) return;
    const { browser, os, deviceClass } = userAgentFacts(line.agent);
    this.#sessions.add(`${browser} on ${os}`);
    this.#devices.add(deviceClass);
    if (browser === "" || os === "") this.#unnamed.add(line.agent);
    const referrer = line.referrer === "-" ? null : line.referrer;
    const body = { anonymousId: null, referrer, landingPage: line.target, utm: utmOf(line.target) };
    const { channel, referrerDomain } = arrivalOf(body, this.#host);
    this.#channels.add(channel);
    if (referrer !== null) this.#domains.add(`${channel}: ${referrerDomain || referrer}`);
  }

  print(): void {
    this.#lines.print("lines");
    this.#verdicts.print("verdicts of page requests");
    this.#sessions.print("sessions of people, by browser");
    this.#devices.print("sessions of people, by device");
    this.#channels.print("sessions of people, by channel");
    this.#domains.print("referrers of sessions", 40);
    this.#redacted.print("pages whose path is stored without a part", 60);
    this.#machines.print("machines", 40);
    stdout.write("\nTo be looked at\n");
    this.#unnamed.print("people's agents without browser or system");
    this.#robots.print("people's agents that asked for robots.txt");
  }
}

function utmOf(target: string): Record<string, string> {
  const query = new URLSearchParams(target.split("?")[1] ?? "");
  const tags = ["source", "medium", "campaign", "term", "content"].map(
    (tag) => [tag, query.get(`utm_${tag}`) ?? ""] as const,
  );
  return Object.fromEntries(tags.filter(([, value]) => value !== ""));
}

if (import.meta.main) {
  const [file = "", host = "localhost"] = argv.slice(2);
  const bytes = createReadStream(file);
  const report = new Report(host);
  const input = file.endsWith(".gz") ? bytes.pipe(createGunzip()) : bytes;
  for await (const text of createInterface({ input })) report.add(text);
  report.print();
}

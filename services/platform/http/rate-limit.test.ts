import { expect, it } from "vitest";

import { createLogger } from "../runtime/logger.ts";
import { until } from "../testing/until.ts";
import { buildServer } from "./build-server.ts";
import { limitRate, type RateLimit } from "./rate-limit.ts";

/** A server with a limited scope of two routes; requests come from the given address. */
function serverWith(limit: RateLimit) {
  const log = createLogger({ service: "test", level: "silent" });
  const app = buildServer({ publicOrigin: undefined, log, trustedProxies: ["127.0.0.1"] });
  void app.register(async (scope) => {
    await limitRate(scope, limit);
    scope.get("/limited", async () => "answer");
    scope.post("/limited", async () => "answer");
  });
  app.get("/free", async () => "answer");
  const ask = (address: string, method: "GET" | "POST" = "POST", url = "/limited") =>
    app.inject({ method, url, headers: { "x-forwarded-for": address } });
  const statuses = async (...addresses: string[]): Promise<number[]> => {
    const answers: number[] = [];
    for (const address of addresses) answers.push((await ask(address)).statusCode);
    return answers;
  };
  return { ask, statuses };
}

it("an address may read and write so often, and the next address as often", async () => {
  const { ask, statuses } = serverWith({ reads: 1, writes: 2 });
  const one = "203.0.113.9";
  expect(await statuses(one, one, one, "203.0.113.10")).toEqual([200, 200, 429, 200]);
  expect((await ask(one, "GET")).statusCode).toBe(200);
  expect((await ask(one, "GET")).statusCode).toBe(429);
  expect((await ask(one, "GET", "/free")).statusCode).toBe(200);
});

it("a refusal states when to try again, and answers say nothing of the limit", async () => {
  const { ask } = serverWith({ writes: 1 });
  const answer = await ask("203.0.113.9");
  expect(Object.keys(answer.headers).filter((name) => name.includes("ratelimit"))).toEqual([]);
  const refused = await ask("203.0.113.9");
  expect(refused.json()).toMatchObject({ code: "rate_limited", status: 429 });
  expect(refused.headers["retry-after"]).toBe("60");
  expect(Object.keys(refused.headers).filter((name) => name.includes("ratelimit"))).toEqual([]);
});

it("who asks in a loop is slowed down by the refusals", async () => {
  const { ask } = serverWith({ reads: 1 });
  await ask("203.0.113.9", "GET");
  const from = performance.now();
  for (let asked = 0; asked < 2; asked += 1)
    expect((await ask("203.0.113.9", "GET")).statusCode).toBe(429);
  // A timer may fire up to a millisecond early.
  expect(performance.now() - from).toBeGreaterThan(998);
});

it("the next window begins anew", async () => {
  const { statuses } = serverWith({ writes: 1, windowMs: 50 });
  const one = "203.0.113.9";
  await until("it is refused", async () => (await statuses(one, one)).includes(429));
  await until("it is answered again", async () => (await statuses(one))[0] === 200);
});

it("addresses of one IPv6 network count as one, and so do the two forms of an IPv4 address", async () => {
  const { statuses } = serverWith({ writes: 1 });
  expect(await statuses("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::9")).toEqual([200, 429]);
  expect(await statuses("2001:db8:1:3::9")).toEqual([200]);
  expect(await statuses("2001:db8::1", "2001:db8:0:0:1::")).toEqual([200, 429]);
  expect(await statuses("203.0.113.9", "::ffff:203.0.113.9")).toEqual([200, 429]);
});

it("an address counts as one whatever port a proxy writes behind it, and whatever it claims before", async () => {
  const { statuses } = serverWith({ writes: 1 });
  expect(await statuses("203.0.113.9:1", "203.0.113.9:2")).toEqual([200, 429]);
  expect(await statuses("[2001:db8::1]:1", "2001:db8::2")).toEqual([200, 429]);
  expect(await statuses("1.1.1.1, 198.51.100.7", "1.1.1.2, 198.51.100.7")).toEqual([200, 429]);
  expect(await statuses("unknown", "hidden")).toEqual([200, 429]);
});

it("reads are not limited where only writes are", async () => {
  const { ask, statuses } = serverWith({ writes: 1 });
  const one = "203.0.113.9";
  for (let count = 0; count < 5; count += 1) await ask(one, "GET");
  expect(await statuses(one, one)).toEqual([200, 429]);
  expect((await ask(one, "GET")).statusCode).toBe(200);
});

it("there is none at 0", async () => {
  const { statuses } = serverWith({ reads: 0, writes: 0 });
  const asked = await statuses(...Array.from({ length: 200 }, () => "203.0.113.9"));
  expect(asked.every((status) => status === 200)).toBe(true);
});

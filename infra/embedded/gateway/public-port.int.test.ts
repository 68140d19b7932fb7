import { once } from "node:events";
import { createServer } from "node:http";

import { Problem } from "@pro-talent/schemas/primitives/problem";
import { afterEach, describe, expect, test } from "vitest";

import { choosePort } from "../ports.ts";
import { rawRequest } from "../testing/raw-request.ts";
import { PublicPort } from "./public-port.ts";

const opened: PublicPort[] = [];

afterEach(async () => {
  for (const port of opened.splice(0)) await port.close();
});

async function open(wanted = 0): Promise<PublicPort> {
  const port = await PublicPort.open(wanted);
  opened.push(port);
  return port;
}

describe("the public port, while no process has it", () => {
  test("answers every request with a problem, after all of its body", async () => {
    const { port } = await open();
    for (const [method, body] of [
      ["GET", ""],
      ["POST", "x".repeat(5_000_000)],
    ] as const) {
      const answer = await rawRequest({ port, path: "/api/analytics/x", method, body });
      expect(answer.status).toBe(503);
      expect(answer.headers["content-type"]).toBe("application/problem+json");
      expect(answer.headers["retry-after"]).toBe("1");
      expect(answer.headers.connection).toBe("close");
      expect(Problem.parse(JSON.parse(answer.body)).code).toBe("upstream_unavailable");
    }
  });

  test("is the one that was asked for, and answers over IPv6 too where the machine has it", async () => {
    const wanted = await choosePort();
    const { origin } = await open(wanted);
    expect(origin).toBe(`http://localhost:${wanted}`);
    expect((await fetch(origin)).status).toBe(503);
  });

  test("that is taken is an error", async () => {
    const { port } = await open();
    await expect(PublicPort.open(port)).rejects.toMatchObject({ code: "EADDRINUSE" });
  });

  test("is left for good when it is closed", async () => {
    const port = await open();
    await port.close();
    await port.takeBack();
    const next = createServer().listen({ port: port.port, host: "127.0.0.1", exclusive: true });
    await once(next, "listening");
    expect(next.listening).toBe(true);
    next.close();
  });
});

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";

import { until } from "@pro-talent/platform/testing/until";
import { Problem } from "@pro-talent/schemas/primitives/problem";
import { afterEach, describe, expect, test } from "vitest";

import { choosePort } from "../ports.ts";
import { rawRequest } from "../testing/raw-request.ts";
import { PublicPort } from "./public-port.ts";

const script = fileURLToPath(new URL("../testing/take-port.ts", import.meta.url));
const opened: PublicPort[] = [];
const forked: ChildProcess[] = [];

afterEach(async () => {
  for (const child of forked.splice(0)) await kill(child);
  for (const port of opened.splice(0)) await port.close();
});

async function open(wanted = 0): Promise<PublicPort> {
  const port = await PublicPort.open(wanted);
  opened.push(port);
  return port;
}

/** A process that answers each request with its body, once it has the port. */
async function echo(): Promise<ChildProcess> {
  const child = fork(script);
  forked.push(child);
  await once(child, "message");
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

describe("before the first process has the port", () => {
  test("requests wait, and are answered in full by that process", async () => {
    const { port } = await open();
    const bodies = ["", "a", "x".repeat(5_000_000)];
    let answered = 0;
    const answers = bodies.map(async (body) => {
      const answer = await rawRequest({ port, path: "/", method: "POST", body });
      answered += 1;
      return answer;
    });
    // Kept connections wait as well, and what is sent on them later arrives.
    const quiet = connect(port, "127.0.0.1");
    await once(quiet, "connect");
    const child = await echo();
    expect(answered).toBe(0);
    await opened[0]?.handOver(child);
    for (const [index, { status, body }] of (await Promise.all(answers)).entries()) {
      expect({ status, same: body === bodies[index] }).toEqual({ status: 200, same: true });
    }
    quiet.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(String(await once(quiet, "data"))).toContain("200 OK");
    quiet.destroy();
  });

  test("a client that does not wait is no harm to the others", async () => {
    const port = await open();
    const impatient = connect(port.port, "127.0.0.1");
    await once(impatient, "connect");
    impatient.destroy();
    const patient = rawRequest({ port: port.port, path: "/", method: "POST", body: "a" });
    await port.handOver(await echo());
    expect((await patient).body).toBe("a");
  });

  test("a client that waits is let go when the start is given up", async () => {
    const port = await open();
    const waiting = rawRequest({ port: port.port, path: "/" });
    waiting.catch(() => undefined);
    const other = connect(port.port, "127.0.0.1");
    await once(other, "connect");
    await port.close();
    await expect(waiting).rejects.toMatchObject({ code: "ECONNRESET" });
    other.destroy();
  });
});

describe("after the process that had the port has ended", () => {
  test("every request is answered with a problem, after all of its body, until the next one has it", async () => {
    const port = await open();
    const child = await echo();
    await port.handOver(child);
    await kill(child);
    await port.takeBack();
    for (const [method, body] of [
      ["GET", ""],
      ["POST", "x".repeat(5_000_000)],
    ] as const) {
      const path = "/api/analytics/x";
      const answer = await rawRequest({ port: port.port, path, method, body });
      expect(answer.status).toBe(503);
      expect(answer.headers["content-type"]).toBe("application/problem+json");
      expect(answer.headers["retry-after"]).toBe("1");
      expect(answer.headers.connection).toBe("close");
      expect(Problem.parse(JSON.parse(answer.body)).code).toBe("upstream_unavailable");
    }
    await port.handOver(await echo());
    expect((await rawRequest({ port: port.port, path: "/" })).status).toBe(200);
  });
});

describe("the public port", () => {
  test("is the one that was asked for, over IPv6 too where the machine has it", async () => {
    const wanted = await choosePort();
    const port = await open(wanted);
    expect(port.origin).toBe(`http://localhost:${wanted}`);
    await port.handOver(await echo());
    expect((await fetch(port.origin)).status).toBe(200);
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
    await until("another server listens", () => next.listening);
    next.close();
  });
});

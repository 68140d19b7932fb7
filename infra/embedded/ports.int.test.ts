import { once } from "node:events";
import { createServer } from "node:net";

import { afterEach, beforeEach, expect, test } from "vitest";

import { choosePort, choosePorts, giveBackPorts, isPortFree } from "./ports.ts";
import { temporaryDirectory } from "./testing/temporary-directory.ts";

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;

beforeEach(async () => {
  directory = await temporaryDirectory();
});

afterEach(() => directory.remove());

test("ports are distinct, free, and outside the range of outgoing connections", async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, () => choosePort()));
  expect(new Set(ports).size).toBe(50);
  expect(Math.max(...ports)).toBeLessThan(32_768);
  for (const port of ports) expect(await isPortFree(port)).toBe(true);
});

test("each name keeps its port, except where something else took it meanwhile", async () => {
  const before = await choosePorts(directory.path, ["a", "b"]);
  giveBackPorts(Object.values(before));
  const intruder = createServer().listen(before["b"], "127.0.0.1");
  await once(intruder, "listening");
  const after = await choosePorts(directory.path, ["a", "b", "c"]);
  intruder.close();
  expect(after["a"]).toBe(before["a"]);
  expect(after["b"]).not.toBe(before["b"]);
  expect(Object.keys(after)).toEqual(["a", "b", "c"]);
});

test("a port that was chosen is not chosen again until it is released", async () => {
  const port = await choosePort();
  expect(await choosePort(port)).not.toBe(port);
  giveBackPorts([port]);
  expect(await choosePort(port)).toBe(port);
});

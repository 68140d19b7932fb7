import { expect, test } from "vitest";

import { failureOf } from "./mail-failure.ts";

const answered = (command: string, response: string) => ({
  code: "EENVELOPE",
  command,
  response,
  responseCode: Number(response.slice(0, 3)),
});

test.each([
  ["RCPT TO", "550 5.1.1 <noa@example.com> no such user"],
  ["DATA", "554 5.7.1 noa@example.com does not want this"],
])("at %s, %s is permanent", (command, response) => {
  expect(failureOf(answered(command, response)).permanent).toBe(true);
});

test.each([
  ["RCPT TO", "451 4.7.1 noa@example.com greylisted"],
  ["RCPT TO", "530 5.7.0 noa@example.com: sign in first"],
  ["RCPT TO", "503 5.5.1 noa@example.com in wrong order"],
  ["MAIL FROM", "550 5.7.1 sender noa@example.com not allowed"],
  ["AUTH PLAIN", "535 5.7.8 noa@example.com"],
])("at %s, %s is temporary", (command, response) => {
  expect(failureOf(answered(command, response)).permanent).toBe(false);
});

test("the reason has numbers, and no address", () => {
  const { reason } = failureOf(answered("RCPT TO", "550 5.1.1 <noa@example.com> no such user"));
  expect(reason).toBe("EENVELOPE 550 5.1.1 at RCPT TO");
});

test("an unreachable server is temporary", () => {
  const away = { code: "ESOCKET", originalCode: "ECONNREFUSED", command: "CONN" };
  expect(failureOf(away)).toEqual({ permanent: false, reason: "ESOCKET ECONNREFUSED" });
  expect(failureOf("anything")).toEqual({ permanent: false, reason: "unknown" });
});

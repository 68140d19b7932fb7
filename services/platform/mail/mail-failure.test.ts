import fc from "fast-check";
import { expect, test } from "vitest";

import { failureOf, readAnswer } from "./mail-failure.ts";

const answered = (command: string, response: string) => ({
  code: "EENVELOPE",
  command,
  response,
  responseCode: Number(response.slice(0, 3)),
});

test.each([
  ["RCPT TO", "550 5.1.1 <noa@example.com> no such user", "address"],
  ["RCPT TO", "550 As one likes", "ours"],
  ["RCPT TO", "530 5.7.0 noa@example.com: sign in first", "ours"],
  ["RCPT TO", "503 5.5.1 noa@example.com in wrong order", "ours"],
  ["RCPT TO", "451 4.7.1 noa@example.com greylisted", "delay"],
  ["DATA", "554 5.7.1 noa@example.com does not want this", "ours"],
  ["MAIL FROM", "550 5.1.1 sender noa@example.com not allowed", "ours"],
  ["AUTH PLAIN", "535 5.7.8 noa@example.com", "ours"],
  ["AUTH PLAIN", "454 4.7.0 later", "delay"],
])("at %s, %s means %s", (command, response, verdict) => {
  expect(failureOf(answered(command, response)).verdict).toBe(verdict);
});

test("the words of an address do not count", () => {
  const { verdict } = failureOf(answered("RCPT TO", "550 5.1.1 <spam.quota@example.com> unknown"));
  expect(verdict).toBe("address");
});

test("a machine's address is no status code", () => {
  const text = "550 [5.1.1.7] is not welcome";
  expect(readAnswer("recipient", text)).toMatchObject({ code: "550" });
});

test("the reason has numbers, and no address", () => {
  const { reason } = failureOf(answered("RCPT TO", "550 5.1.1 <noa@example.com> no such user"));
  expect(reason).toBe("EENVELOPE 550 5.1.1 at RCPT TO");
});

test("without an answer, only what the library refuses is not a delay", () => {
  const away = { code: "ESOCKET", originalCode: "ECONNREFUSED", command: "CONN" };
  expect(failureOf(away)).toEqual({ verdict: "delay", reason: "ESOCKET ECONNREFUSED" });
  expect(failureOf("anything")).toEqual({ verdict: "delay", reason: "unknown" });
  expect(failureOf({ code: "EENVELOPE", command: "API" }).verdict).toBe("address");
  expect(failureOf({ code: "EMESSAGE", command: "MAIL FROM" }).verdict).toBe("ours");
});

test("any answer has a verdict, and only a refusal for good blames the address", () => {
  const stages = fc.constantFrom("RCPT TO", "DATA", "MAIL FROM", "EHLO", "CONN", "AUTH PLAIN");
  const code = fc.integer({ min: 400, max: 599 });
  const words = fc.constantFrom("user unknown", "relay denied", "over quota", "5.7.1", "5.1.1", "");
  const text = fc.array(fc.oneof(words, fc.string()), { maxLength: 4 });
  fc.assert(
    fc.property(stages, code, text, (command, basic, parts) => {
      const response = `${basic} ${parts.join(" ")}`;
      const { verdict, reason } = failureOf(answered(command, response));
      const blamed = verdict === "address";
      expect(blamed && (basic < 500 || !/^(?:RCPT TO|DATA)$/.test(command))).toBe(false);
      expect(blamed && /relay denied|over quota/.test(response)).toBe(false);
      expect(reason).toMatch(/^[A-Z0-9 .]+(?: at [A-Z ]+)?$/);
    }),
    { numRuns: 2000 },
  );
});

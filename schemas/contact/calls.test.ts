import { describe, expect, test } from "vitest";

import { ContactRequest } from "./calls.ts";
import { isSubjectCategory, subjectCategories } from "./categories.ts";
import { contactLimits } from "./limits.ts";

const message = {
  name: "נועה לוי",
  email: "noa@example.com",
  subject: "bug",
  subjectCategory: "bug",
  message: "The page does not open.",
};

describe("a contact message", () => {
  test("may come without a session, and is trimmed", () => {
    expect(ContactRequest.parse({ ...message, name: " Noa " }).name).toBe("Noa");
    expect(ContactRequest.parse({ ...message, sessionId: null }).sessionId).toBeNull();
  });

  test("takes every category of the form and no other", () => {
    for (const subjectCategory of subjectCategories) {
      expect(ContactRequest.safeParse({ ...message, subjectCategory }).success).toBe(true);
    }
    expect(isSubjectCategory("sales")).toBe(false);
  });

  test("has at least ten characters after trimming", () => {
    const written = (text: string) =>
      ContactRequest.safeParse({ ...message, message: text }).success;
    expect(written("  123456789  ")).toBe(false);
    expect(written("1234567890")).toBe(true);
    expect(written("a".repeat(contactLimits.messageCharsMax + 1))).toBe(false);
  });

  test.each([
    ["no name", { name: " " }],
    ["no address", { email: "noa" }],
    ["an address that no mail can be sent to", { email: "a..b@example.org" }],
    ["no subject", { subject: "" }],
    ["an unknown category", { subjectCategory: "sales" }],
  ])("with %s is refused", (_, change) => {
    expect(ContactRequest.safeParse({ ...message, ...change }).success).toBe(false);
  });
});

import { locales } from "@pro-talent/schemas/primitives/locale";
import { describe, expect, it } from "vitest";

import { factorChanges } from "../requested-mails.ts";
import {
  type LinkMailKind,
  linkMail,
  type Notice,
  noticeMail,
  recoveryMail,
} from "./account-mails.ts";

const origin = "https://talent.example";
const kinds: readonly LinkMailKind[] = [
  "registration",
  "accountExists",
  "invitation",
  "launch",
  "reset",
  "newAddress",
];

describe.each(locales)("mails about accounts in %s", (language) => {
  const to = { mailId: "0198c1a0-0000-7000-8000-000000000001", email: "noa@example.com", language };
  const holder = { email: to.email, language, accountId: to.mailId };
  const atMs = Date.UTC(2026, 10, 22, 20, 47);
  const device = { browser: "Firefox", system: null, timeZone: "Asia/Jerusalem", atMs };
  const notices: readonly Notice[] = [
    { kind: "password-changed", ...holder },
    { kind: "address-changed", ...holder },
    { kind: "recovery-done", ...holder },
    { kind: "recovery-refused", ...holder },
    { kind: "new-device", ...holder, ...device },
    ...factorChanges.map((change) => ({ kind: "factor", ...holder, change }) as const),
  ];

  it("have a text of their own each, and nothing that is not filled in", () => {
    const url = `${origin}/join#token=abc`;
    const links = kinds.map((kind) => linkMail(to, kind, { url, discountPercent: 20 }));
    const recovery = { kind: "recovery", ...holder, timeZone: "Asia/Jerusalem", atMs } as const;
    links.push(recoveryMail(to, recovery, url));
    const mails = [...links, ...notices.map((notice) => noticeMail(to, notice, origin))];
    expect(new Set(mails.map(({ text }) => text)).size).toBe(mails.length);
    for (const { text, html } of mails) expect(text + html).not.toMatch(/undefined|null|NaN|\{\{/);
    for (const { text } of links) expect(text).toContain(url);
  });

  it("name the hour of a sign-in in the holder's zone, not the minute", () => {
    const mail = noticeMail(to, { kind: "new-device", ...holder, ...device }, origin);
    expect(mail.text).toMatch(language === "en" ? /10:00\sPM/ : /22:00/);
    expect(mail.text).not.toContain("47");
  });
});

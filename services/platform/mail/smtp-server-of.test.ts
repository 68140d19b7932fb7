import { expect, test } from "vitest";

import { smtpServerOf } from "./smtp-server-of.ts";

test("a mail server is known by its address alone", () => {
  expect(smtpServerOf("smtp://127.0.0.1:1025")).toMatchObject({
    host: "127.0.0.1",
    port: 1025,
    secure: false,
    ignoreTLS: true,
  });
  expect(smtpServerOf("smtps://mail.example.com")).toMatchObject({ port: 465, secure: true });
  expect(smtpServerOf("smtp://mail.example.com")).toMatchObject({ port: 587, requireTLS: false });
  expect(smtpServerOf("smtp://[::1]:25")).toMatchObject({ host: "::1", ignoreTLS: true });
});

test("user and password may hold any sign", () => {
  const { auth } = smtpServerOf("smtps://noa%40example.com:p%3Aa%2Fs%40s@mail.example.com");
  expect(auth).toEqual({ user: "noa@example.com", pass: "p:a/s@s" });
});

test("a password never travels unencrypted to another machine", () => {
  expect(smtpServerOf("smtp://noa:secret@mail.example.com")).toMatchObject({ requireTLS: true });
  expect(smtpServerOf("smtp://noa:secret@127.0.0.1")).toMatchObject({ requireTLS: false });
});

test.each(["", "mail.example.com", "http://noa:secret@mail.example.com", "smtp://a:%E0%A4%A@b"])(
  '"%s" is refused without being repeated',
  (url) => {
    expect(() => smtpServerOf(url)).toThrow(/^(?!.*secret)(?!.*example)/);
  },
);

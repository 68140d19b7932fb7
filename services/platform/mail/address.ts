import { isMailbox } from "@pro-talent/schemas/primitives/email-shape";

import { shortened, visibleLine } from "./text-safety.ts";

const nameCharsMax = 100;

/**
 * The address, trimmed, if it is exactly one mailbox: no list, no display name, no quotes, no line
 * break. Undefined otherwise.
 */
export function oneMailbox(address: string): string | undefined {
  const trimmed = address.trim();
  return isMailbox(trimmed) ? trimmed : undefined;
}

/** A straight quotation mark between Hebrew letters is meant as gershayim. */
const gershayim = /(?<=\p{Script=Hebrew})"(?=\p{Script=Hebrew})/gu;

/** A name as it can be put before an address; undefined when nothing is left of it. */
export function displayName(name: string): string | undefined {
  const shown = visibleLine(name.replace(gershayim, "\u05F4").replaceAll(/["<>\\]/g, ""));
  return shown === "" ? undefined : shortened(shown, nameCharsMax);
}

const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/;

/**
 * The mail server at an address. A password is never sent unencrypted, except to this machine.
 * @throws {TypeError} without the address in its message: it may hold a password
 */
export function smtpServerOf(smtpUrl: string) {
  const url = URL.canParse(smtpUrl) ? new URL(smtpUrl) : undefined;
  if (url === undefined || !/^smtps?:$/.test(url.protocol) || url.hostname === "") {
    throw new TypeError("The mail server's address begins with smtp:// or smtps://.");
  }
  const secure = url.protocol === "smtps:";
  const host = url.hostname.replaceAll(/^\[|\]$/g, "");
  const here = loopback.test(host);
  const user = decoded(url.username);
  return {
    host,
    port: url.port === "" ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTLS: !secure && !here && user !== "",
    ignoreTLS: !secure && here,
    ...(user === "" ? {} : { auth: { user, pass: decoded(url.password) } }),
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new TypeError("User and password of the mail server are percent-encoded.");
  }
}

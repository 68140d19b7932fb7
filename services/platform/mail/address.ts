import { shortened, visibleLine } from "./visible-text.ts";

/** RFC 5321 §4.5.3.1: the longest address and the longest part before the `@`. */
const addressCharsMax = 254;
const localCharsMax = 64;
const nameCharsMax = 100;

/** Letters and digits of any script (RFC 6531) and the signs that need no quotes (RFC 5322 §3.2.3). */
const local =
  /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const domain =
  /^(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)*[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u;

/**
 * The address if it is one mailbox that a mail can be sent to as it stands: no list, no display
 * name, no quotes, no line break. Undefined otherwise.
 */
export function oneMailbox(address: string): string | undefined {
  const trimmed = address.trim();
  const [before = "", after = "", ...more] = trimmed.split("@");
  if (more.length > 0 || trimmed.length > addressCharsMax || before.length > localCharsMax) {
    return undefined;
  }
  return local.test(before) && domain.test(after) ? trimmed : undefined;
}

/** A straight quotation mark between Hebrew letters stands for gershayim. */
const gershayim = /(?<=\p{Script=Hebrew})"(?=\p{Script=Hebrew})/gu;

/** A name as it may stand before an address; undefined when nothing is left of it. */
export function displayName(name: string): string | undefined {
  const shown = visibleLine(name.replace(gershayim, "\u05F4").replaceAll(/["<>\\]/g, ""));
  return shown === "" ? undefined : shortened(shown, nameCharsMax);
}

import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";

import { z } from "zod";

/** What mails are signed with (RFC 6376), so that receivers know which domain answers for them. */
export type DkimKey = {
  readonly domain: string;
  /** The public key is the TXT record `<selector>._domainkey.<domain>`. */
  readonly selector: string;
  /** RSA, in PEM. */
  readonly privateKey: string;
};

/** An empty variable is none. */
const optional = (contract: z.ZodString) =>
  z.union([z.literal("").transform(() => undefined), contract]).optional();

/** Variables; mails are not signed without a selector and a key. */
export const dkimEnv = {
  MAIL_DKIM_SELECTOR: optional(z.string().regex(/^[a-z0-9.-]{1,63}$/i, "must be a selector")),
  /** File with the private key. */
  MAIL_DKIM_KEY_FILE: optional(z.string()),
  /** The sender's domain when absent. */
  MAIL_DKIM_DOMAIN: optional(z.string().regex(/^[a-z0-9.-]{1,253}$/i, "must be a domain")),
};

type DkimSettings = z.infer<z.ZodObject<typeof dkimEnv>>;

/** RFC 8301 §3.2 recommends them; keys of less than 1024 bits are refused by receivers. */
const keyBitsMin = 2048;

/**
 * The key of the settings; undefined when mails are not to be signed.
 * @throws Error naming the variable, when one of the two is missing or the file has no such key
 */
export function readDkimKey(env: DkimSettings, senderAddress: string): DkimKey | undefined {
  const { MAIL_DKIM_SELECTOR: selector, MAIL_DKIM_KEY_FILE: file } = env;
  if (selector === undefined && file === undefined) return undefined;
  if (selector === undefined || file === undefined) {
    throw new Error("MAIL_DKIM_SELECTOR and MAIL_DKIM_KEY_FILE belong together.");
  }
  const domain = env.MAIL_DKIM_DOMAIN ?? senderAddress.slice(senderAddress.lastIndexOf("@") + 1);
  return { domain, selector, privateKey: readPrivateKey(file) };
}

/** Nothing of the file is part of an error. */
function readPrivateKey(file: string): string {
  let pem: string;
  try {
    pem = readFileSync(file, "utf8");
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(pem);
    const bits = asymmetricKeyDetails?.modulusLength ?? 0;
    if (asymmetricKeyType === "rsa" && bits >= keyBitsMin) return pem;
  } catch {
    throw new Error("MAIL_DKIM_KEY_FILE is no file with a private key in PEM.");
  }
  throw new Error(`MAIL_DKIM_KEY_FILE must be an RSA key of at least ${keyBitsMin} bits.`);
}

/** What a signature covers: also that mail programs may unsubscribe with one click (RFC 8058 §4). */
export const signedHeaders = [
  "From",
  "Reply-To",
  "Subject",
  "Date",
  "Message-ID",
  "To",
  "MIME-Version",
  "Content-Type",
  "Content-Language",
  "List-Id",
  "List-Unsubscribe",
  "List-Unsubscribe-Post",
  "CFBL-Feedback-ID",
  "Auto-Submitted",
].join(":");

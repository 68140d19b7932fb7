import { argon2, type Argon2Parameters, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

import { z } from "zod";

/**
 * Argon2id with 19 MiB, two passes and one lane (OWASP Password Storage Cheat Sheet). Hashes are kept in
 * the PHC string format, so that other parameters can follow these.
 */
const current = { memory: 19 * 1024, passes: 2, parallelism: 1 } as const;
const tagLength = 32;
const saltBytes = 16;

type Cost = { readonly memory: number; readonly passes: number; readonly parallelism: number };

export type Passwords = {
  readonly hash: (password: string) => Promise<string>;
  /**
   * Whether a password belongs to a hash. Without a hash it takes the same time and is false: an
   * unknown address must not be answered sooner.
   */
  readonly verify: (password: string, phc: string | undefined) => Promise<boolean>;
  /** Made with other parameters than today's: hash the password again while it is known. */
  readonly isOutdated: (phc: string) => boolean;
};

const derive = promisify(argon2);
const base64 = (bytes: Buffer): string => bytes.toString("base64").replaceAll("=", "");
const form =
  /^\$argon2id\$v=19\$m=(?<memory>\d+),t=(?<passes>\d+),p=(?<parallelism>\d+)\$(?<salt>[A-Za-z0-9+/]+)\$(?<tag>[A-Za-z0-9+/]+)$/;
const count = z.coerce.number().int().positive();
const Phc = z.object({
  memory: count,
  passes: count,
  parallelism: count,
  salt: z.string(),
  tag: z.string(),
});

/** @param pepper a key that is not in the database; without it no hash can be verified */
export function openPasswords(pepper: Buffer): Passwords {
  const tagOf = (password: string, salt: Buffer, cost: Cost, length: number): Promise<Buffer> => {
    const parameters: Argon2Parameters = {
      // The same characters may be typed as other code points (NIST SP 800-63B §3.1.1.2).
      message: Buffer.from(password.normalize("NFKC")),
      nonce: salt,
      secret: pepper,
      tagLength: length,
      ...cost,
    };
    return derive("argon2id", parameters);
  };
  const hash = async (password: string): Promise<string> => {
    const salt = randomBytes(saltBytes);
    const { memory, passes, parallelism } = current;
    const tag = await tagOf(password, salt, current, tagLength);
    return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`;
  };
  const verify = async (password: string, phc: string | undefined): Promise<boolean> => {
    const stored = phc === undefined ? undefined : readPhc(phc);
    const { salt, tag, cost } = stored ?? {
      salt: Buffer.alloc(saltBytes),
      tag: Buffer.alloc(tagLength),
      cost: current,
    };
    const given = await tagOf(password, salt, cost, tag.length);
    return timingSafeEqual(given, tag) && stored !== undefined;
  };
  return { hash, verify, isOutdated };
}

function isOutdated(phc: string): boolean {
  const { cost, tag } = readPhc(phc);
  return tag.length !== tagLength || JSON.stringify(cost) !== JSON.stringify(current);
}

/** @throws ZodError for what is no such hash */
function readPhc(phc: string): { salt: Buffer; tag: Buffer; cost: Cost } {
  const { salt, tag, memory, passes, parallelism } = Phc.parse({ ...form.exec(phc)?.groups });
  return {
    salt: Buffer.from(salt, "base64"),
    tag: Buffer.from(tag, "base64"),
    cost: { memory, passes, parallelism },
  };
}

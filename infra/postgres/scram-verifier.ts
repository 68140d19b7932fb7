import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";

/** PostgreSQL's own number of rounds (`scram_iterations`). */
const ITERATIONS = 4096;

/**
 * The form in which PostgreSQL keeps a password (RFC 5803, RFC 7677): the password itself is never
 * sent to the server, and so never in its log or its statistics.
 * @param password printable ASCII; other characters would need SASLprep (RFC 4013)
 */
export function scramVerifier(password: string, salt: Buffer = randomBytes(16)): string {
  if (!/^[!-~]+$/.test(password)) throw new Error("A password must be printable ASCII");
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, "sha256");
  const key = (name: string): Buffer => createHmac("sha256", salted).update(name).digest();
  const stored = createHash("sha256").update(key("Client Key")).digest("base64");
  const server = key("Server Key").toString("base64");
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString("base64")}$${stored}:${server}`;
}

/** Whether a verifier, as PostgreSQL keeps it, was made from this password. */
export function matchesVerifier(password: string, verifier: string): boolean {
  const [, salt] = /^SCRAM-SHA-256\$4096:([A-Za-z0-9+/=]+)\$/.exec(verifier) ?? [];
  return salt !== undefined && scramVerifier(password, Buffer.from(salt, "base64")) === verifier;
}

import { z } from "zod";

import { defineCalls } from "../primitives/calls.ts";
import { Instant } from "../primitives/instant.ts";

const hex = (bytes: number): z.ZodString =>
  z.string().regex(new RegExp(`^[0-9a-f]{${2 * bytes}}$`));

/** The end of the ledger's hash chain at one moment, signed outside the database (Ed25519). */
export const SignedHead = z.strictObject({
  /** Number of the ledger's life: one more after each restored backup. */
  epoch: z.int().positive(),
  /** Number of the last event. */
  position: z.int().positive(),
  /** SHA-256 of the last event and, through it, of all before it. */
  hash: hex(32),
  at: Instant,
  /**
   * Merkle tree (RFC 6962) over the hashes of the events from `from` to `position`: it shows that an event
   * is among them without the others. Heads of earlier releases have none.
   */
  tree: z.strictObject({ from: z.int().positive(), root: hex(32) }).optional(),
  /** The public key. */
  keyId: hex(32),
  /** Of the canonical JSON (RFC 8785) of the fields above, after the line `pro-talent ledger head`. */
  signature: hex(64),
});
export type SignedHead = z.infer<typeof SignedHead>;

export const LedgerHeads = z.object({
  algorithm: z.literal("Ed25519"),
  /** Public keys of the heads listed. */
  keys: z.array(hex(32)),
  /** The newest first. */
  heads: z.array(SignedHead),
});
export type LedgerHeads = z.infer<typeof LedgerHeads>;

export const headsPath = "/api/ledger/heads";

export const headCalls = defineCalls({
  [`GET ${headsPath}` as const]: {
    summary:
      "Signed ends of the ledger's hash chain, the newest first: proof that nothing is rewritten",
    access: "public",
    answer: LedgerHeads,
  },
});

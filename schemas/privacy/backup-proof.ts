import { z } from "zod";

import { Instant } from "../primitives/instant.ts";

/** Signed lines of a log, each as it stands in its file, and the public key that verifies them. */
const SignedLines = z.strictObject({
  /** Ed25519, in hexadecimal. */
  keyId: z.hex().length(64),
  /** What a signature covers before the entry: `pro-talent <purpose>` and a line feed. */
  purpose: z.string(),
  lines: z.array(z.string()),
});

/**
 * Every set of backups and every range of archived write-ahead log that was made while the data of an
 * erased subject existed, and what became of the key that alone opens it. Holds no personal data.
 */
export const BackupProof = z.strictObject({
  requestId: z.uuid(),
  checkedAt: Instant,
  /** The entry of the erasure journal. */
  journal: z.strictObject({ entry: z.int().positive(), sha256: z.hex().length(64) }),
  /** When the ledger says that nothing was left; when the erasure began where the ledger cannot be read. */
  erasedAt: Instant,
  isErased: z.boolean(),
  copies: z.array(
    z.strictObject({
      copy: z.string(),
      kind: z.enum(["set", "write-ahead log"]),
      /** Nothing in it is older. */
      madeAt: Instant,
      epoch: z.string(),
      /** `destroyed` and logged; `missing`: the key is gone, and no line says when; `openable` until it expires. */
      key: z.enum(["destroyed", "missing", "openable"]),
      destroyedAt: Instant.nullable(),
    }),
  ),
  /** What opens is younger. */
  oldestRestorableAt: Instant,
  /** From then on no backup of a key store holds a key that was destroyed; null while something opens. */
  agedAt: Instant.nullable(),
  log: SignedLines,
  horizon: SignedLines,
});
export type BackupProof = z.infer<typeof BackupProof>;

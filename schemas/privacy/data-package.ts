import { z } from "zod";

import { defineCalls } from "../primitives/calls.ts";
import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { Withheld } from "./redaction.ts";

/** An Ed25519 public key, in hexadecimal. */
const KeyId = z.string().regex(/^[0-9a-f]{64}$/);

/** Bound to each signature, so that one document never passes for another. */
export const manifestPurpose = "data package";

/** Every other file of a package of personal data: `{"entry":…,"signature":…}` is `manifest.json`. */
export const PackageManifest = z.object({
  requestId: Uuid,
  madeAt: Instant,
  keyId: KeyId,
  files: z.array(
    z.object({ path: z.string(), bytes: z.int().nonnegative(), sha256: z.hash("sha256") }),
  ),
  /** What was left out because it is about other people. Absent: nothing. */
  withheld: z.array(Withheld).exactOptional(),
});
export type PackageManifest = z.infer<typeof PackageManifest>;

export const privacyKeyCalls = defineCalls({
  "GET /api/privacy/keys": {
    summary: "The public keys of signed packages and receipts, the one in use first",
    access: "public",
    answer: z.object({ algorithm: z.literal("Ed25519"), keys: z.array(KeyId) }),
  },
});

import { v5 as uuidV5 } from "uuid";

/** Namespace of receipt ids: drawn at random once, fixed for ever. */
const receiptNamespace = "8d1f0a5e-c6b2-4f0d-9a3e-e6c27bb5f4a1";

/**
 * The receipt of a decision follows from its command id, so that a repeated command names the same
 * receipt. It is as hard to guess as the command id, which its caller draws at random and keeps.
 */
export function receiptIdOf(commandId: string): string {
  return uuidV5(commandId.toLowerCase(), receiptNamespace);
}

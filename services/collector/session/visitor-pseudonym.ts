import { createHmac } from "node:crypto";

import { VisitorId } from "@pro-talent/schemas/primitives/ids";
import { stringify as uuidText } from "uuid";

/** Makes the one form of an anonymous id that is ever stored. */
export type Pseudonymise = (anonymousId: string) => VisitorId;

/**
 * Keyed pseudonym: the first 128 bits of HMAC-SHA-256, with the bits of UUID version 8 (RFC 9562
 * §5.8). Without the key it cannot be computed from an anonymous id, nor the other way round.
 */
export function createPseudonyms(key: Buffer): Pseudonymise {
  return (anonymousId) => {
    const bytes = createHmac("sha256", key).update(anonymousId).digest().subarray(0, 16);
    bytes.writeUInt8(0x80 | (bytes.readUInt8(6) & 0x0f), 6);
    bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
    return VisitorId.parse(uuidText(bytes));
  };
}

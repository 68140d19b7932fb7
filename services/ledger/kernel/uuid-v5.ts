import { createHash } from "node:crypto";

import { formatUuid } from "@pro-talent/platform/runtime/uuid-v7";

/**
 * The id that always follows from a name within a namespace (a UUID): RFC 9562 §5.5. Whoever knows
 * the name knows the id, so it is as secret as its name.
 */
export function uuidV5(namespace: string, name: string): string {
  const bytes = createHash("sha1")
    .update(Buffer.from(namespace.replaceAll("-", ""), "hex"))
    .update(name, "utf8")
    .digest()
    .subarray(0, 16);
  bytes.writeUInt8(0x50 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  return formatUuid(bytes);
}

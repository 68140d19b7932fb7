import { randomBytes } from "node:crypto";

/**
 * UUID version 7 (RFC 9562 §5.7): 48 bits of time in milliseconds, then 74 random bits.
 * Sorted by time, so that ids of one moment lie together on disk.
 */
export function uuidV7(nowMs: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  return formatUuid(bytes);
}

/** The canonical text form of 16 bytes. */
export function formatUuid(bytes: Buffer): string {
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

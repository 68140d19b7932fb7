import { z } from "zod";

/** UUID of any version; used for ids that the server makes. */
export const Uuid = z.uuid();

/** UUID version 7 (RFC 9562 §5.7): the first 48 bits are the creation time in milliseconds. */
export const UuidV7 = z.uuidv7();

/**
 * The browser's anonymous id: a timestamp plus a random string, made once and kept by the client.
 * The alphabet is closed so that no free text can hide in it.
 */
export const AnonymousId = z.string().regex(/^[A-Za-z0-9_.-]{8,128}$/);
export type AnonymousId = z.infer<typeof AnonymousId>;

/** Keyed pseudonym of an anonymous id; the only form in which a visitor is stored. */
export const VisitorId = z.uuid().brand<"VisitorId">();
export type VisitorId = z.infer<typeof VisitorId>;

/** Milliseconds since 1970 that a version 7 UUID carries (RFC 9562 §5.7). */
export function uuidV7Ms(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

import { analyticsLimits } from "@pro-talent/schemas/analytics/limits";
import { LRUCache } from "lru-cache";

import { VisitSession } from "../visit-session.ts";
import { type TokenKey, tokenKeyIdBytes } from "./identity.ts";

export type SessionTokens = {
  /** The session id that a client gets: `<uuid>.<sealed visit session>`. */
  seal(session: VisitSession): string;
  /** The visit session of an id; undefined when the id was not made here or is too old. */
  open(sessionId: string, nowMs: number): VisitSession | undefined;
};

/**
 * A visit session is opened for this long after its start: a day, and the day within which its last
 * events may still be reported late.
 */
export const sessionAgeMsMax = 2 * analyticsLimits.lateMsMax;

/** Another instance whose clock runs ahead makes starts that are in the future, by this much at most. */
const instanceAheadMsMax = 5 * 60 * 1000;
const nonceBytes = 12;
const tagBytes = 16;
const uuidChars = 36;
const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\.[\w-]+$/;
/** Never part of a field: control characters are removed from every text before it is sealed. */
const separator = "\u001F";
/** Opened tokens are kept in memory only, up to this many characters of token text. */
const rememberedChars = 16 * 1024 * 1024;

/**
 * Session ids that contain their visit session, so that nothing about a visitor has to be stored
 * before consent and any instance can serve any of them. AES-256-GCM (NIST SP 800-38D) with a random
 * nonce; the visible uuid and the key id are authenticated with the sealed text.
 */
export function createSessionTokens(keys: readonly TokenKey[]): SessionTokens {
  const remembered = new LRUCache<string, VisitSession>({
    maxSize: rememberedChars,
    sizeCalculation: (_session, sessionId) => 2 * sessionId.length,
  });
  const [current] = keys;
  if (current === undefined) throw new Error("Session tokens need a key.");
  return {
    seal: (session) => `${session.sessionId}.${seal(current, session)}`,
    open: (sessionId, nowMs) => {
      const known = remembered.get(sessionId);
      const session = known ?? openWith(keys, sessionId);
      if (session === undefined) return undefined;
      const ageMs = nowMs - session.startedAtMs;
      if (ageMs > sessionAgeMsMax || ageMs < -instanceAheadMsMax) return undefined;
      if (known === undefined) remembered.set(sessionId, session);
      return session;
    },
  };
}

/** The sealed fields, in their order; ids of earlier versions lack the last ones. */
const fields = [
  "visitorId",
  "startedAtMs",
  "entryPage",
  "referrerDomain",
  "channel",
  "utmSource",
  "utmMedium",
  "utmCampaign",
  "utmTerm",
  "utmContent",
  "clockOffsetMs",
] as const;

function seal(key: TokenKey, session: VisitSession): string {
  const text = fields.map((field) => session[field]).join(separator);
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key.key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(boundData(session.sessionId, key));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([key.id, nonce, sealed, cipher.getAuthTag()]).toString("base64url");
}

function boundData(uuid: string, key: TokenKey): Buffer {
  return Buffer.concat([Buffer.from(uuid, "latin1"), key.id]);
}

function openWith(keys: readonly TokenKey[], sessionId: string): VisitSession | undefined {
  if (!shape.test(sessionId)) return undefined;
  const uuid = sessionId.slice(0, uuidChars);
  const bytes = Buffer.from(sessionId.slice(uuidChars + 1), "base64url");
  if (bytes.length < tokenKeyIdBytes + nonceBytes + tagBytes) return undefined;
  const id = bytes.subarray(0, tokenKeyIdBytes);
  const key = keys.find((candidate) => candidate.id.equals(id));
  const text = key === undefined ? undefined : decrypt(key, uuid, bytes);
  return text === undefined ? undefined : sessionOf(uuid, text);
}

function decrypt(key: TokenKey, uuid: string, bytes: Buffer): string | undefined {
  const nonce = bytes.subarray(tokenKeyIdBytes, tokenKeyIdBytes + nonceBytes);
  const decipher = createDecipheriv("aes-256-gcm", key.key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(boundData(uuid, key));
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  const sealed = bytes.subarray(tokenKeyIdBytes + nonceBytes, -tagBytes);
  try {
    return Buffer.concat([decipher.update(sealed), decipher.final()]).toString("utf8");
  } catch {
    // The tag does not match: forged or changed. That is a result, not a failure.
    return undefined;
  }
}

function sessionOf(uuid: string, text: string): VisitSession | undefined {
  const values = text.split(separator);
  const sealed = Object.fromEntries(fields.map((field, index) => [field, values[index]]));
  const startedAtMs = Number(sealed["startedAtMs"]);
  const offset = sealed["clockOffsetMs"];
  const clockOffsetMs = offset === undefined || offset === "" ? undefined : Number(offset);
  const result = VisitSession.safeParse({ ...sealed, sessionId: uuid, startedAtMs, clockOffsetMs });
  return result.success ? result.data : undefined;
}

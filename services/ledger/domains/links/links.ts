import { createHmac } from "node:crypto";

import { SealBroken } from "@pro-talent/platform/crypto/seal";
import type { Queryable } from "@pro-talent/platform/postgres/pool";
import { LinkDetails, LinkEvent } from "@pro-talent/schemas/links/events";

import type { StreamDefinition } from "../../kernel/commands.ts";
import { defineEvents } from "../../kernel/events.ts";
import type { LedgerContext, Reading } from "../../kernel/module.ts";
import { readSealed } from "../../kernel/streams.ts";
import type { SubjectKind } from "../../kernel/subjects.ts";
import type { Timer } from "../../kernel/timers.ts";
import { type LinkCommand, linkDecider, type LinkRefusalCode, type LinkState } from "./decider.ts";

/** The events of one link. */
export const linkEvents = defineEvents("link", LinkEvent);

/** Each link has a data subject of its own, found by its owner's address, so that it can be erased alone. */
export const linkOwner: SubjectKind = "links.owner";

/** Destroys the key of the details, and the file. */
export const destroyLinkTimer = "links.destroy";

export const shareLinks: StreamDefinition<LinkState, LinkCommand, LinkEvent, LinkRefusalCode> = {
  events: linkEvents,
  decider: linkDecider,
  durableWith: "each append",
  reply: ({ status }) => ({ status }),
  timers: (state): readonly Timer[] =>
    state.status === "erased" ? [{ name: destroyLinkTimer, dueAt: state.at }] : [],
  erasure: { events: ["LinkErased"], timers: [] },
};

/** Letters and digits that are not mistaken for each other (Crockford's Base32, in lower case). */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
/** Twelve of 32: 60 bits, which no one finds by trying. */
const codeLength = 12;

/**
 * A code that no one guesses, the same for a repetition of one request.
 * @param request names the request, and the link within it
 */
export function codeFrom({ deriveKey }: Pick<LedgerContext, "deriveKey">, request: string): string {
  const bytes = createHmac("sha256", deriveKey("generated link codes")).update(request).digest();
  return Array.from(bytes.subarray(0, codeLength), (byte) => alphabet.charAt(byte % 32)).join("");
}

/**
 * The id of the link with a code: a UUID of version 8 (RFC 9562 §5.8) from a keyed hash. Two links cannot
 * have one code, since they would be one stream; and without the key no id leads to a code, or back.
 */
export function linkIdOf(key: Buffer, code: string): string {
  const bytes = createHmac("sha256", key).update(code.toLowerCase()).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return [0, 8, 12, 16, 20].map((at, index) => hex.slice(at, [8, 12, 16, 20, 32][index])).join("-");
}

const codeKeyLabel = "link codes";

/** The ids that a code may have: under today's secret first, then under former ones. */
export function linkIdsOf({ deriveKeys }: Pick<LedgerContext, "deriveKeys">, code: string) {
  const [first, ...former] = deriveKeys(codeKeyLabel);
  return [linkIdOf(first, code), ...former.map((key) => linkIdOf(key, code))] as const;
}

/** The words of a link; undefined once its key is destroyed. */
export async function openDetails(
  { subjects }: Pick<Reading, "subjects">,
  sql: Queryable,
  linkId: string,
): Promise<LinkDetails | undefined> {
  const sealed = await readSealed(sql, linkEvents.streamOf(linkId), "LinkDescribed");
  const subject = sealed === undefined ? undefined : await subjects.find(sealed.keyId);
  if (sealed === undefined || subject === undefined) return undefined;
  try {
    return subject.open(sealed.bytes, LinkDetails);
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
}

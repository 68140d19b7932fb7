import { createHmac, randomBytes } from "node:crypto";

import { LRUCache } from "lru-cache";

/**
 * Lets a repeated report without consent count once, as far as memory goes: its event id is never
 * stored, only a hash under a key that dies with the process. A repeat shares the fate of the first
 * report: when that one could not be counted, the repeat fails too and may be sent again.
 */
export function createRepeatedReports(
  remembered: number,
): (eventId: string, count: () => Promise<void>) => { counted: Promise<void>; repeated: boolean } {
  const key = randomBytes(32);
  const known = new LRUCache<string, Promise<void>>({ max: remembered });
  return (eventId, count) => {
    const hash = createHmac("sha256", key).update(eventId.toLowerCase()).digest("base64");
    const before = known.get(hash);
    if (before !== undefined) return { counted: before, repeated: true };
    const counted = count();
    known.set(hash, counted);
    counted.catch(() => known.delete(hash));
    return { counted, repeated: false };
  };
}

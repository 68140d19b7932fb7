import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Logger } from "@pro-talent/platform/runtime/logger";
import { repeat } from "@pro-talent/platform/runtime/repeat";
import { v4 as uuidV4, validate } from "uuid";

import type { Erasures } from "./erase/erasures.ts";
import type { Shipper } from "./ship/shipper.ts";
import type { Spool } from "./spool/spool.ts";

const everyMs = 1_000;
/** What is not shipped by then is waited for in the next pass. */
const shippedMsMax = 10_000;

/** What is under way in this process, so that it can be waited for. */
export class UnderWay {
  readonly #running = new Set<Promise<void>>();

  /** @returns what it was given */
  track<Result>(work: Promise<Result>): Promise<Result> {
    const end = (): void => void this.#running.delete(ended);
    const ended: Promise<void> = work.then(end, end);
    this.#running.add(ended);
    return work;
  }

  /** Resolves once everything that has begun by now has ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }
}

export type AcknowledgingParts = {
  readonly erasures: Erasures;
  readonly instanceId: string;
  /** Accounts about whose links nothing more is stored; added to here. */
  readonly suppressed: Set<string>;
  /** Calls that may have asked for consent, or for a link, and not yet stored what it allowed. */
  readonly underWay: Pick<UnderWay, "ended">;
  readonly spool: Pick<Spool, "rotate" | "bytes">;
  readonly shipper: Pick<Shipper, "drain">;
  /** Files that are kept for an operator; none when absent. */
  readonly quarantined?: () => Promise<number>;
  readonly log: Logger;
};

/**
 * Acknowledges each erasure once nothing from before it can leave this spool: calls under way have ended,
 * the segment they wrote to is closed, and it is shipped with all before. A visitor has withdrawn consent
 * before the erasure is recorded, and accounts are suppressed here, so that nothing follows. No clock is
 * compared; an instance that ended with records in its spool is waited for until its next process ships them.
 */
export async function acknowledgeErasures(parts: AcknowledgingParts): Promise<() => Promise<void>> {
  const { erasures, instanceId, suppressed, underWay, spool, shipper, log } = parts;
  const quarantined = parts.quarantined ?? (async () => 0);
  await erasures.register(instanceId);
  for (const accountId of await erasures.suppressedAccounts()) suppressed.add(accountId);
  const acknowledging = repeat({
    everyMs,
    pass: async () => {
      const asked = await erasures.unacknowledged(instanceId);
      if (asked.length === 0) return "wait";
      for (const { accountId } of asked) if (accountId !== null) suppressed.add(accountId);
      await underWay.ended();
      await spool.rotate();
      if (await shipper.drain(shippedMsMax))
        await erasures.acknowledge(
          instanceId,
          asked.map(({ erasureId }) => erasureId),
          await quarantined(),
        );
      return "wait";
    },
    onFailing: (error) => log.warn({ err: error }, "erasures could not be acknowledged"),
  });
  return async () => {
    await acknowledging.stop();
    if (spool.bytes() === 0 && (await quarantined()) === 0) await erasures.forget(instanceId);
  };
}

/** The id of the spool in a directory, made with its first process. */
export async function instanceOf(directory: string): Promise<string> {
  const path = join(directory, "instance");
  const known = await readFile(path, "utf8").catch(() => "");
  if (validate(known)) return known;
  const made = uuidV4();
  await writeFile(path, made, { mode: 0o600 });
  return made;
}

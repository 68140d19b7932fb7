import { parseEnv } from "@pro-talent/platform/config/define-env";
import { OperatorError } from "@pro-talent/platform/runtime/operator-error";
import { z } from "zod";

/**
 * How long keys and copies live, in whole days. Data of a subject that is erased on the first day of an
 * epoch can be opened from a copy until the epoch has ended, the overlap is over, and the last backup of
 * the key store that holds the epoch's key is deleted: the sum of the three.
 */
export type KeyPeriods = {
  /** How long new subjects are wrapped under one epoch. */
  readonly epochDays: number;
  /** How long its key lives after that: the retention of backups of the database. */
  readonly overlapDays: number;
  /** Retention of backups of the key store. */
  readonly keyBackupDays: number;
};

/**
 * No copy opens later than this after an erasure, hence 90 days after the request: erasure itself may
 * be scheduled 30 days after it.
 */
export const openableDaysMax = 60;

/** A new key waits so long before it is used, so that a daily backup of the key store has it. */
export const settleDays = 1;

const days = z.coerce.number().int().min(1);

/** The variables of the periods; `owner` as in `LEDGER`. */
export const keyPeriodsEnv = (owner: string) => ({
  /** Days after which a new epoch key is taken. */
  [`${owner}_EPOCH_DAYS`]: days.default(14),
  /** Days for which the former one is kept: the retention of backups of the database. */
  [`${owner}_OVERLAP_DAYS`]: days.default(31),
  /** Days for which backups of the key store are kept. */
  [`${owner}_KEY_BACKUP_DAYS`]: days.default(14),
});

/**
 * The periods of an environment.
 * @throws OperatorError when a copy could be opened for longer than {@link openableDaysMax} days
 */
export function readKeyPeriods(
  source: Readonly<Record<string, string | undefined>>,
  owner: string,
): KeyPeriods {
  const names = Object.keys(keyPeriodsEnv(owner));
  const env = parseEnv(keyPeriodsEnv(owner), source);
  const [epochDays = 0, overlapDays = 0, keyBackupDays = 0] = names.map((name) => env[name]);
  const sum = epochDays + overlapDays + keyBackupDays;
  if (sum > openableDaysMax) {
    throw new OperatorError(
      `${names.join(" + ")} is ${sum}. At most ${openableDaysMax} keeps the promise that no backup holds an erased person 90 days after the request.`,
    );
  }
  return { epochDays, overlapDays, keyBackupDays };
}

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

/** The variables of the periods. */
export const keyPeriodsEnv = {
  /** Days after which the ledger takes a new epoch key. */
  LEDGER_EPOCH_DAYS: days.default(14),
  /** Days for which the former one is kept: the retention of backups of the database. */
  LEDGER_OVERLAP_DAYS: days.default(31),
  /** Days for which backups of the key store are kept. */
  LEDGER_KEY_BACKUP_DAYS: days.default(14),
};

/**
 * The periods of an environment.
 * @throws OperatorError when a copy could be opened for longer than {@link openableDaysMax} days
 */
export function readKeyPeriods(source: Readonly<Record<string, string | undefined>>): KeyPeriods {
  const env = parseEnv(keyPeriodsEnv, source);
  const periods = {
    epochDays: env.LEDGER_EPOCH_DAYS,
    overlapDays: env.LEDGER_OVERLAP_DAYS,
    keyBackupDays: env.LEDGER_KEY_BACKUP_DAYS,
  };
  const sum = periods.epochDays + periods.overlapDays + periods.keyBackupDays;
  if (sum > openableDaysMax) {
    throw new OperatorError(
      `LEDGER_EPOCH_DAYS + LEDGER_OVERLAP_DAYS + LEDGER_KEY_BACKUP_DAYS is ${sum}. At most ${openableDaysMax} keeps the promise that no backup holds an erased person 90 days after the request.`,
    );
  }
  return periods;
}

import { key256, parseEnv } from "@pro-talent/platform/config/define-env";
import { OperatorError } from "@pro-talent/platform/runtime/operator-error";
import { z } from "zod";

import type { HeadSettings } from "./publish-heads.ts";
import { headKey } from "./signed-head.ts";

type Source = Readonly<Record<string, string | undefined>>;

const shape = {
  /** Secret of the key that signs the ledger's heads (Ed25519). Never in the database. */
  LEDGER_HEAD_SIGNING_KEY: key256.optional(),
  /** The file that signed heads are added to, outside the database and its backups. */
  LEDGER_HEADS_FILE: z.string().min(1).optional(),
  /** Who receives the newest head each day. */
  LEDGER_HEADS_MAIL: z.email().optional(),
};

/**
 * Where the ledger's heads are published, from the environment; undefined when they are not.
 * @throws OperatorError when there is a file and no key
 */
export function readHeadSettings(source: Source): HeadSettings | undefined {
  const env = readHeadEnv(source);
  const {
    LEDGER_HEAD_SIGNING_KEY: secret,
    LEDGER_HEADS_FILE: file,
    LEDGER_HEADS_MAIL: officer,
  } = env;
  if (file === undefined) return undefined;
  if (secret === undefined) {
    throw new OperatorError("LEDGER_HEADS_FILE is set, LEDGER_HEAD_SIGNING_KEY is not.");
  }
  return { file, key: headKey(secret), ...(officer !== undefined && { officer }) };
}

/** The variables; empty ones count as not set. */
export function readHeadEnv(source: Source) {
  const given = Object.entries(source).filter(([, value]) => value !== "");
  return parseEnv(shape, Object.fromEntries(given));
}

import { hash } from "node:crypto";

import type { Transaction } from "@pro-talent/platform/postgres/pool";

import { CommandLog } from "./commands.ts";
import { copyRows, type CopiedRow } from "./copied-rows.ts";
import { at, type ChainEnd, eventColumnCount, eventColumns, EventHasher } from "./event-hash.ts";
import type { Findings } from "./findings.ts";
import type { StreamVersions } from "./stream-versions.ts";

/**
 * Checks the chain while its events pass, in the order of their positions. A predecessor counts with
 * its stored or its computed hash, so that one changed row does not accuse the next.
 */
class ChainCheck {
  readonly #findings: Findings;
  readonly #versions: StreamVersions;
  readonly #hasher = new EventHasher();
  readonly commands = new CommandLog();
  events = 0;
  #position: number;
  #epoch: number;
  #hash: Buffer;
  #computed: Buffer;

  constructor(from: ChainEnd, findings: Findings, versions: StreamVersions) {
    this.#findings = findings;
    this.#versions = versions;
    this.#position = from.position;
    this.#epoch = from.epoch;
    this.#hash = Buffer.from(from.hash, "hex");
    this.#computed = this.#hash;
  }

  onEvent(row: CopiedRow): void {
    const position = row.number(at.position);
    const computed = this.#hasher.hashOf(row);
    const unchanged = row.equals(at.hash, computed);
    const fault = this.#faultOf(row, this.#follows(position), unchanged);
    if (fault !== undefined) this.#findings.add(fault, position);
    const stream = row.text(at.stream);
    if (!this.#versions.next(stream, row.number(at.version))) {
      this.#findings.add("stream", position, stream);
    }
    this.commands.event(row, position);
    this.events += 1;
    this.#position = position;
    this.#epoch = row.number(at.epoch);
    this.#hash = unchanged ? computed : Buffer.from(row.bytes(at.hash));
    this.#computed = computed;
  }

  get end(): ChainEnd {
    return {
      position: this.#position,
      epoch: this.#epoch,
      hash: this.#hash.toString("hex"),
    };
  }

  /** Whether the position is the next one. */
  #follows(position: number): boolean {
    if (position === this.#position + 1) return true;
    if (position === this.#position) this.#findings.add("duplicate", position);
    else this.#findings.add("missing", this.#position + 1);
    return false;
  }

  #faultOf(row: CopiedRow, follows: boolean, unchanged: boolean) {
    const linked = row.equals(at.prev, this.#hash) || row.equals(at.prev, this.#computed);
    if (follows && !linked) return "prev";
    if (!row.isNull(at.sealed)) {
      const sealedHash = hash("sha256", row.bytes(at.sealed), "buffer");
      if (!row.equals(at.sealedHash, sealedHash)) return "sealed";
    }
    return unchanged ? undefined : "hash";
  }
}

/** What the events after a position are. */
export type CheckedChain = {
  readonly events: number;
  readonly end: ChainEnd;
  readonly commands: CommandLog;
};

/**
 * Checks the events after a position.
 * @param versions of the streams up to there; receives those of the events
 */
export async function checkChain(
  tx: Transaction,
  from: ChainEnd,
  findings: Findings,
  versions: StreamVersions,
): Promise<CheckedChain> {
  const check = new ChainCheck(from, findings, versions);
  const select = `select ${eventColumns} from only ledger.event e
    where e.pos > ${from.position} order by e.pos`;
  await copyRows(tx, select, eventColumnCount, (row) => check.onEvent(row));
  return { events: check.events, end: check.end, commands: check.commands };
}

/** Checks that the head names the last event, and that there is exactly one head. */
export async function checkHead(tx: Transaction, end: ChainEnd, findings: Findings): Promise<void> {
  const heads: ChainEnd[] = [];
  await copyRows(tx, "select epoch, pos, hash from only ledger.head", 3, (row) => {
    const headHash = row.bytes(2).toString("hex");
    heads.push({ epoch: row.number(0), position: row.number(1), hash: headHash });
  });
  const [head] = heads;
  const named =
    heads.length === 1 &&
    head?.position === end.position &&
    head.epoch === end.epoch &&
    head.hash === end.hash;
  if (!named) findings.add("head", head?.position ?? end.position);
}

/** Checks that the chain has the hash of each signed head at its position. */
export async function checkSignedHeads(
  tx: Transaction,
  heads: readonly ChainEnd[],
  end: ChainEnd,
  findings: Findings,
): Promise<void> {
  const signed = heads.filter(({ position }) => position > 0);
  if (signed.length === 0) return;
  const stored = new Map<number, string>();
  const positions = signed.map(({ position }) => position).join(", ");
  const select = `select e.pos, e.epoch, e.hash from only ledger.event e where e.pos in (${positions})`;
  await copyRows(tx, select, 3, (row) =>
    stored.set(row.number(0), `${row.number(1)} ${row.bytes(2).toString("hex")}`),
  );
  for (const { position, epoch, hash: signedHash } of signed) {
    if (stored.get(position) === `${epoch} ${signedHash}`) continue;
    const what = position > end.position ? "the ledger ends before it" : undefined;
    findings.add("rewritten", position, what);
  }
}

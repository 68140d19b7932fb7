import { BlockList, isIP, isIPv4, SocketAddress } from "node:net";

/** What `private` stands for, as Caddy's `private_ranges` does. */
const privateNetworks: readonly string[] = [
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "127.0.0.0/8",
  "fd00::/8",
  "::1",
];
/** No spelling of an address is longer: 45 characters, brackets, a zone and a port. */
const addressCharsMax = 80;
const mapped = "::ffff:";

/** Whether an entry names addresses: one address, a network (CIDR), or `private`. */
export function namesAddresses(entry: string): boolean {
  return entry === "private" || readNetwork(entry) !== undefined;
}

type Network = { address: string; bits: number; family: "ipv4" | "ipv6" };

/** A network of no bits would be everyone, who could then claim any address. */
function readNetwork(entry: string): Network | undefined {
  const [, address = "", length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
  const kind = isIP(address);
  const longest = kind === 4 ? 32 : 128;
  const bits = length === undefined ? longest : Number(length);
  if (kind === 0 || address.includes("%") || bits === 0 || bits > longest) return undefined;
  return { address, bits, family: kind === 4 ? "ipv4" : "ipv6" };
}

/**
 * One spelling for each address: an IPv4 address mapped into IPv6 as IPv4, IPv6 as RFC 5952 writes it;
 * without port, brackets and zone. Undefined for what is no address.
 */
export function readAddress(text: string): string | undefined {
  if (text.length > addressCharsMax) return undefined;
  const entry = text.trim();
  if (isIPv4(entry)) return entry;
  const [, bracketed, withPort] =
    /^(?:\[([^\]]*)\](?::\d{1,5})?|(\d+(?:\.\d+){3}):\d{1,5})$/.exec(entry) ?? [];
  if (withPort !== undefined) return isIPv4(withPort) ? withPort : undefined;
  const [plain = ""] = (bracketed ?? entry).split("%", 1);
  if (isIP(plain) !== 6) return undefined;
  const { address } = new SocketAddress({ address: plain, family: "ipv6" });
  const inner = address.slice(mapped.length);
  return address.startsWith(mapped) && isIPv4(inner) ? inner : address;
}

/** The address of a client, from that of the peer and `X-Forwarded-For` as Node joins its lines. */
export type ClientAddress = (
  peer: string | undefined,
  forwardedFor: string | string[] | undefined,
) => string;

/**
 * Finds out who asks. Each proxy appends to `X-Forwarded-For` the address it saw, so that the list is read from
 * its end for as long as the addresses are those of trusted proxies: the first other one is the
 * client's, and what is before it may be invented. An entry that is no address ends the list as well; the
 * proxy that wrote it then counts as the client. An untrusted peer is the client, whatever it sends, and
 * no other header is read.
 * @param trusted entries for which {@link namesAddresses} holds
 * @throws Error for any other entry
 */
export function createClientAddress(trusted: readonly string[]): ClientAddress {
  const proxies = blockListOf(trusted);
  const isProxy = (address: string): boolean =>
    proxies.check(address, isIPv4(address) ? "ipv4" : "ipv6");
  return (peer = "", forwardedFor = "") => {
    let client = readAddress(peer) ?? peer;
    if (trusted.length === 0 || readAddress(peer) === undefined) return client;
    const list = typeof forwardedFor === "string" ? forwardedFor : forwardedFor.join(",");
    let end = list.length;
    while (end > 0 && isProxy(client)) {
      const comma = list.lastIndexOf(",", end - 1);
      const address = readAddress(list.slice(comma + 1, end));
      if (address === undefined) return client;
      client = address;
      end = comma;
    }
    return client;
  };
}

function blockListOf(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries.flatMap((one) => (one === "private" ? privateNetworks : [one]))) {
    const network = readNetwork(entry);
    if (network === undefined) throw new Error(`${entry} names no addresses`);
    list.addSubnet(network.address, network.bits, network.family);
  }
  return list;
}

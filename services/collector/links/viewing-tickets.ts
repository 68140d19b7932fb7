import { seal, SealBroken, unseal } from "@pro-talent/platform/crypto/seal";
import { ViewingTicket } from "@pro-talent/schemas/links/viewing";

/** So long the page of an open can be reloaded, and reports. */
export const ticketMs = 24 * 60 * 60_000;
/** So long the redirect from the link leads to the page. Later only the browser that followed it is let in. */
export const redirectMs = 2 * 60_000;

/** Seals what the page of an open knows into its address, and opens it again. */
export type ViewingTickets = {
  /** @returns Base64 for addresses (RFC 4648 §5) */
  readonly issue: (ticket: ViewingTicket) => string;
  /** @returns undefined for what this service did not issue within the last day */
  readonly read: (sealed: string, nowMs: number) => ViewingTicket | undefined;
};

const boundTo = "viewing ticket";

/** @param keys the first one seals, all of them open */
export function viewingTickets(keys: readonly Buffer[]): ViewingTickets {
  const [first] = keys;
  if (first === undefined) throw new Error("The tickets of pages behind links need a key");
  return {
    issue: (ticket) =>
      seal(first, Buffer.from(JSON.stringify(ticket)), boundTo).toString("base64url"),
    read: (sealed, nowMs) => {
      const bytes = Buffer.from(sealed, "base64url");
      // Decoding drops what does not fill a byte: a ticket has one spelling.
      if (bytes.toString("base64url") !== sealed) return undefined;
      const plain = keys.map((key) => opened(key, bytes)).find((found) => found !== undefined);
      if (plain === undefined) return undefined;
      const ticket = ViewingTicket.parse(JSON.parse(plain.toString("utf8")));
      return nowMs - Date.parse(ticket.occurredAt) < ticketMs ? ticket : undefined;
    },
  };
}

function opened(key: Buffer, sealed: Buffer): Buffer | undefined {
  try {
    return unseal(key, sealed, boundTo);
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
}

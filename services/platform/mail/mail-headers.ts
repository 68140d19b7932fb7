/** A header that is sent as it is, on one line. */
type PreparedHeader = { readonly prepared: true; readonly value: string };

/** A longer line is not allowed in a mail (RFC 5322 §2.1.1). */
const urlCharsMax = 900;

/** The Message-ID of a mail, in the sender's domain. */
export function messageIdOf(id: string, sender: string): string {
  if (!/^[\w.-]{1,100}$/.test(id)) throw new TypeError("A mail's id is letters, digits, . _ -");
  return `<${id}@${sender.slice(sender.indexOf("@") + 1)}>`;
}

/**
 * Unsubscribing with one click (RFC 8058). Not folded: a folded address breaks the signature that
 * some servers put over the headers.
 */
export function unsubscribeHeaders(url: string): Record<string, string | PreparedHeader> {
  const { protocol, href } = new URL(url);
  if (!/^https?:$/.test(protocol) || href.length > urlCharsMax) {
    throw new TypeError("Unsubscribing needs a short web address.");
  }
  return {
    "List-Unsubscribe": { prepared: true, value: `<${href}>` },
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}

/** Says that nobody wrote the mail, so that other programs do not answer it (RFC 3834). */
export const automaticHeaders = {
  "Auto-Submitted": "auto-generated",
  "X-Auto-Response-Suppress": "All",
};

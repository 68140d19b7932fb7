import PostalMime, { type Attachment, type Email } from "postal-mime";

import { readAnswer, verdictOf } from "./mail-failure.ts";

/** What a report says of one of our mails. Nothing of it is an address. */
export type MailReport = {
  /**
   * `hard`: the mailbox does not exist, or is closed for good. `soft`: it took nothing until the
   * sending server gave up. `complaint`: its holder marked the mail as unwanted.
   */
  readonly kind: "hard" | "soft" | "complaint";
  /** The id of the mail, from its Message-ID. */
  readonly mailId: string | undefined;
  /** What the mail had as its CFBL-Feedback-ID. */
  readonly feedbackId: string | undefined;
};

/** Real reports have a few parts, and return the headers of one mail. */
const limits = {
  maxNestingDepth: 10,
  maxHeadersSize: 128 * 1024,
  attachmentEncoding: "utf8",
} as const;

/** A larger mail is not read. */
export const reportBytesMax = 1024 * 1024;

/**
 * Reads a report about a mail: a delivery status notification (RFC 3464) or a complaint (RFC 5965).
 * Undefined for every other mail, and for reports that nothing follows from: a delay, a delivery, or a
 * refusal that is not about the mailbox. Whatever it is given, it does not throw.
 */
export async function readMailReport(raw: Uint8Array): Promise<MailReport | undefined> {
  if (raw.length > reportBytesMax) return undefined;
  const mail = await parsed(raw);
  if (mail === undefined || !/^multipart\/report\b/i.test(headerOf(mail, "content-type") ?? "")) {
    return undefined;
  }
  const kind = kindOf(partOf(mail, /^message\/(?:feedback-report|(?:global-)?delivery-status)$/));
  if (kind === undefined) return undefined;
  const original = partOf(
    mail,
    /^(?:message\/(?:rfc822|global)|text\/rfc822-headers|message\/global-headers)$/,
  );
  const headers = original === undefined ? undefined : await parsed(original.text);
  const messageId = headers && headerOf(headers, "message-id");
  return {
    kind,
    mailId: /^\s*<([\w.-]{1,100})@[^<>@\s]{1,253}>\s*$/.exec(messageId ?? "")?.[1],
    feedbackId: headers && headerOf(headers, "cfbl-feedback-id")?.trim(),
  };
}

async function parsed(raw: Uint8Array | string): Promise<Email | undefined> {
  try {
    return await PostalMime.parse(raw, limits);
  } catch {
    // More parts or headers than a report has.
    return undefined;
  }
}

function headerOf(mail: Email, name: string): string | undefined {
  return mail.headers.find(({ key }) => key === name)?.value;
}

type Part = { readonly type: string; readonly text: string };

function partOf(mail: Email, type: RegExp): Part | undefined {
  const part = mail.attachments.find(({ mimeType }: Attachment) => type.test(mimeType));
  if (part === undefined || typeof part.content !== "string") return undefined;
  return { type: part.mimeType, text: part.content };
}

type Fields = ReadonlyMap<string, string>;

/** Blocks of fields, apart by empty lines; a field may be folded. The first of a name counts. */
function fieldsOf(text: string): readonly Fields[] {
  return text
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/\n(?=[ \t]+\S)/g, "")
    .split(/\n(?:[ \t]*\n)+/)
    .map((block) => {
      const fields = new Map<string, string>();
      for (const line of block.split("\n")) {
        const [, name, value = ""] = /^([\w-]+):(.*)$/.exec(line) ?? [];
        const key = name?.toLowerCase();
        if (key !== undefined && !fields.has(key)) fields.set(key, value.trim());
      }
      return fields;
    })
    .filter((fields) => fields.size > 0);
}

function kindOf(part: Part | undefined): MailReport["kind"] | undefined {
  if (part === undefined) return undefined;
  const blocks = fieldsOf(part.text);
  if (part.type === "message/feedback-report") {
    const type = blocks[0]?.get("feedback-type") ?? "";
    return /^(?:abuse|fraud|opt-out)$/i.test(type) ? "complaint" : undefined;
  }
  // Each of our mails has one recipient; several mean that it was forwarded to others.
  const kinds = blocks.filter((block) => block.has("action")).map(kindOfRecipient);
  return kinds.every((kind) => kind === kinds[0]) ? kinds[0] : undefined;
}

/** What became of the mail for one recipient (RFC 3464 §2.3). */
function kindOfRecipient(fields: Fields): "hard" | "soft" | undefined {
  if (!/^failed\b/i.test(fields.get("action") ?? "")) return undefined;
  const status = /^[245]\.\d{1,3}\.\d{1,3}/.exec(fields.get("status") ?? "")?.[0] ?? "";
  const diagnostic = (fields.get("diagnostic-code") ?? "").replace(/^[\w-]+\s*;\s*/, "");
  const { code, text } = readAnswer("recipient", diagnostic);
  const stated = code.includes(".") ? code : status === "" ? code : status;
  const verdict = verdictOf({ stage: "recipient", code: stated, text });
  if (stated === "" || verdict === "ours") return undefined;
  return verdict === "address" ? "hard" : "soft";
}

/** A mail about a mail, as servers write it: what it says, and the headers of the mail it is about. */
type Sample = {
  readonly messageId: string;
  /** Further headers of the mail that is reported. */
  readonly headers?: readonly string[];
};

const crlf = (lines: readonly string[]): Buffer => Buffer.from(`${lines.join("\r\n")}\r\n`);

/** A delivery status notification (RFC 3464), unless changed one of a mailbox that does not exist. */
export function statusReport({
  messageId,
  headers = [],
  fields = [
    "Action: failed",
    "Status: 5.1.1",
    "Remote-MTA: dns; mx.example.com",
    "Diagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist.",
    "    Please try double-checking the recipient's email address for typos.",
  ],
}: Sample & { readonly fields?: readonly string[] }): Buffer {
  return crlf([
    "From: Mail Delivery Subsystem <mailer-daemon@mx.example.com>",
    "To: news@talent.example",
    "Subject: Delivery Status Notification (Failure)",
    "MIME-Version: 1.0",
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b1"',
    "",
    "--b1",
    "Content-Type: text/plain; charset=utf-8",
    "",
    "Your message was not delivered.",
    "",
    "--b1",
    "Content-Type: message/delivery-status",
    "",
    "Reporting-MTA: dns; relay.example.com",
    "Arrival-Date: Mon, 5 Jan 2026 08:00:00 +0000",
    "",
    "Final-Recipient: rfc822; reader@example.com",
    ...fields,
    "",
    "--b1",
    "Content-Type: text/rfc822-headers",
    "",
    "From: Pro Talent <news@talent.example>",
    `Message-ID: ${messageId}`,
    ...headers,
    "",
    "--b1--",
  ]);
}

/** A complaint (RFC 5965), with the whole mail. */
export function complaintReport({
  messageId,
  headers = [],
  type = "abuse",
}: Sample & { readonly type?: string }): Buffer {
  return crlf([
    "From: <feedback@provider.example>",
    "To: news@talent.example",
    "Subject: FW: Welcome",
    "MIME-Version: 1.0",
    'Content-Type: multipart/report; report-type=feedback-report; boundary="part"',
    "",
    "--part",
    "Content-Type: text/plain",
    "",
    "This is an email abuse report.",
    "",
    "--part",
    "Content-Type: message/feedback-report",
    "",
    `Feedback-Type: ${type}`,
    "User-Agent: SomeGenerator/1.0",
    "Version: 1",
    "Original-Rcpt-To: <reader@example.com>",
    "",
    "--part",
    "Content-Type: message/rfc822",
    "Content-Disposition: inline",
    "",
    "From: Pro Talent <news@talent.example>",
    "To: reader@example.com",
    `Message-ID: ${messageId}`,
    ...headers,
    "Content-Type: text/plain",
    "",
    "Welcome.",
    "--part--",
  ]);
}

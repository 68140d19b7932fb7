import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { readMailReport, reportBytesMax } from "./read-report.ts";
import { complaintReport, statusReport } from "./testing/sample-reports.ts";

const messageId = "<newsletter-welcome-1@talent.example>";
const mailId = "newsletter-welcome-1";

describe("a delivery status notification", () => {
  test.each([
    ["hard", ["Action: failed", "Status: 5.1.1", "Diagnostic-Code: smtp; 550 5.1.1 User unknown"]],
    // Exchange Online and Postfix, as their documentation shows them.
    [
      "hard",
      [
        "Action: failed",
        "Status: 5.1.10",
        "Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found",
      ],
    ],
    ["hard", ["action: FAILED", "status: 5.0.0", "diagnostic-code: smtp; 550 No such user here"]],
    ["soft", ["Action: failed", "Status: 5.2.2", "Diagnostic-Code: smtp; 552 5.2.2 Mailbox full"]],
    [
      "soft",
      [
        "Action: failed",
        "Status: 4.4.1",
        "Diagnostic-Code: X-Postfix; connect to mx.example.com[192.0.2.1]:25: Connection timed out",
      ],
    ],
    [
      undefined,
      ["Action: failed", "Status: 5.7.1", "Diagnostic-Code: smtp; 554 5.7.1 Relay access denied"],
    ],
    [
      undefined,
      [
        "Action: failed",
        "Status: 5.7.1",
        "Diagnostic-Code: smtp; 550 5.7.1 User unknown, blocked as spam",
      ],
    ],
    [undefined, ["Action: delayed", "Status: 4.4.1"]],
    [undefined, ["Action: delivered", "Status: 2.1.5"]],
    [undefined, ["Action: failed"]],
    [undefined, ["Status: 5.1.1"]],
    [
      undefined,
      [
        "Action: failed",
        "Status: 5.1.1",
        "",
        "Final-Recipient: rfc822; b@example.com",
        "Action: relayed",
        "Status: 2.0.0",
      ],
    ],
  ] as const)("says %s in %j", async (kind, fields) => {
    expect((await readMailReport(statusReport({ messageId, fields })))?.kind).toBe(kind);
  });

  test("names the mail, and no address", async () => {
    const report = await readMailReport(statusReport({ messageId }));
    expect(report).toEqual({ kind: "hard", mailId, feedbackId: undefined });
  });
});

describe("a complaint", () => {
  test.each([
    ["abuse", "complaint"],
    ["fraud", "complaint"],
    ["opt-out", "complaint"],
    ["not-spam", undefined],
    ["virus", undefined],
    ["", undefined],
  ])("of the type %j is %s", async (type, kind) => {
    expect((await readMailReport(complaintReport({ messageId, type })))?.kind).toBe(kind);
  });

  test("names the mail and the id for feedback", async () => {
    const raw = complaintReport({ messageId, headers: ["CFBL-Feedback-ID: abc_-", " def"] });
    expect(await readMailReport(raw)).toEqual({
      kind: "complaint",
      mailId,
      feedbackId: "abc_- def",
    });
  });
});

describe("what is no report of ours says nothing", () => {
  test.each([
    [
      "an answer of a person",
      "From: a@example.com\r\nSubject: Re\r\n\r\nAction: failed\r\nStatus: 5.1.1",
    ],
    [
      "a report in the text alone",
      "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nFeedback-Type: abuse\r\n--b--",
    ],
    ["a report without its parts", "Content-Type: multipart/report; boundary=b\r\n\r\n--b--"],
    ["nothing", ""],
  ])("%s", async (_what, text) => {
    expect(await readMailReport(Buffer.from(text))).toBeUndefined();
  });

  test.each(["<two@a@b>", "no-brackets@talent.example", "<../../x@talent.example>", "<a b@x>", ""])(
    "the Message-ID %j",
    async (wrong) => {
      const report = await readMailReport(complaintReport({ messageId: wrong }));
      expect(report?.mailId).toBeUndefined();
    },
  );

  test("a mail that is too large, or nested without end", async () => {
    const large = Buffer.concat([statusReport({ messageId }), Buffer.alloc(reportBytesMax, "a")]);
    expect(await readMailReport(large)).toBeUndefined();
    const nested = Array.from({ length: 2000 }, (_, at) =>
      [`Content-Type: multipart/report; boundary=b${at}`, "", `--b${at}`].join("\r\n"),
    ).join("\r\n");
    expect(await readMailReport(Buffer.from(nested))).toBeUndefined();
  });
});

describe("hostile mails", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      "Content-Type: multipart/report; boundary=b\r\n",
      "\r\n--b\r\n",
      "\r\n--b--\r\n",
      "Content-Type: message/delivery-status\r\n\r\n",
      "Content-Type: message/feedback-report\r\n\r\n",
      "Content-Type: message/rfc822\r\n\r\n",
      "Content-Transfer-Encoding: base64\r\n",
      "Action: failed\r\nStatus: 5.1.1\r\n",
      "Feedback-Type: abuse\r\n",
      `Message-ID: ${messageId}\r\n`,
      "\r\n",
      "=?utf-8?B?YQ==?=",
    ),
  );

  test("are read without an error, and name nothing but an id", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
        const report = await readMailReport(Buffer.from(pieces.join("")));
        expect(report?.mailId ?? "a").toMatch(/^[\w.-]{1,100}$/);
        expect(["hard", "soft", "complaint", undefined]).toContain(report?.kind);
      }),
      { numRuns: 500 },
    );
  });

  test("are read as well when a real report is cut or changed anywhere", async () => {
    const real = [statusReport({ messageId }), complaintReport({ messageId })];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...real),
        fc.nat(1500),
        fc.nat(1500),
        fc.uint8Array({ maxLength: 20 }),
        async (raw, from, to, bytes) => {
          const changed = Buffer.concat([raw.subarray(0, from), bytes, raw.subarray(to)]);
          await expect(readMailReport(changed)).resolves.toSatisfy(
            (report: unknown) => report === undefined || typeof report === "object",
          );
        },
      ),
      { numRuns: 500 },
    );
  });
});

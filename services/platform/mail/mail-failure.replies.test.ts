import { describe, expect, test } from "vitest";

import { type MailStage, type MailVerdict, readAnswer, verdictOf } from "./mail-failure.ts";

/** Where the answers are published. */
const gmail = "support.google.com/a/answer/3726730";
const gmailField = "smtpfieldmanual.com/provider/google";
const exchange =
  "learn.microsoft.com/exchange/troubleshoot/email-delivery/ndr/non-delivery-reports-in-exchange-online";
const yahoo = "smtp.codes/yahoo";
const icloud = "smtp.codes/icloud";
const list550 = "smtp.codes/550";
const united = "smtp.codes/unitedinternet";
const gmx = "postmaster.gmx.com/en/error-messages";
const mimecast =
  "mimecastsupport.zendesk.com/hc/en-us/articles/34000709564691 and suped.com on Mimecast";
const german =
  "sitepackage.de/service/dokumentation/auswertung/typische-fehlermeldungen-bei-unzustellbarkeit.html";
const swiss = "support.onesystems.ch/722126 (Postfix)";
const broadcom = "knowledge.broadcom.com/external/article/161393";
const sisimai312 = "github.com/sisimai/p5-sisimai/issues/312";
const zimbra = "Zimbra Administrator's Guide, Account Quota and the MTA";
const exim = "Exim's test configurations 0080 and 0593";
const postfix = "postfix.org/postconf.5.html, smtpd_reject_unlisted_recipient and its source";

type Reply = readonly [source: string, stage: MailStage, reply: string];

/** Real answers by what they have to mean. */
const replies: Record<MailVerdict, readonly Reply[]> = {
  address: [
    [
      gmailField,
      "recipient",
      "550-5.1.1 The email account that you tried to reach does not exist. Please try\n550-5.1.1 double-checking the recipient's email address for typos or\n550 5.1.1 unnecessary spaces. Learn more at https://support.google.com/mail/?p=NoSuchUser - gsmtp",
    ],
    [gmail, "recipient", "550 5.2.1 The email account that you tried to reach is inactive."],
    [exchange, "recipient", "550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found"],
    [german, "recipient", "550 Requested action not taken: mailbox unavailable"],
    [
      "github.com/postalserver/postal/issues/253",
      "content",
      "554 delivery error: dd This user doesn't have a yahoo.com account (a@yahoo.com) [0] - mta1284.mail.bf1.yahoo.com",
    ],
    [
      sisimai312,
      "content",
      "554 delivery error: dd Sorry, your message to a@yahoo.com cannot be delivered. This mailbox is disabled (554.30). - mta4490.mail.gq1.yahoo.com",
    ],
    [icloud, "recipient", "550 5.1.1 <a@icloud.com>: user does not exist"],
    [mimecast, "recipient", "550 Invalid Recipient - https://community.mimecast.com/docs#550"],
    [united, "recipient", "550 <a@gmx.com>: Requested action not taken: mailbox unavailable"],
    [german, "recipient", "550 Benutzer nicht bekannt/User unknown"],
    [german, "recipient", "550 5.1.1 <a@t-online.de> user unknown"],
    [german, "recipient", "550 unrouteable address"],
    [german, "recipient", "554 Sorry, no mailbox here by that name. (#5.1.1)"],
    [german, "recipient", "550 5.2.0 No such mailbox"],
    [german, "recipient", "550 a@example.com User a@example.com not listed in Domino Directory"],
    [
      postfix,
      "recipient",
      "550 5.1.1 <a@example.com>: Recipient address rejected: User unknown in local recipient table",
    ],
    [
      postfix,
      "recipient",
      "550 5.1.1 <a@example.com>: Recipient address rejected: User unknown in relay recipient table",
    ],
    [
      list550,
      "recipient",
      "550 cuda_nsu 5.1.1 <a@example.com> Recipient address rejected: User unknown",
    ],
    [list550, "recipient", "550 5.2.1 <a@prodigy.net>... Addressee unknown, relay=[192.0.2.1]"],
    ["rfc-editor.org/rfc/rfc7505", "recipient", "556 5.1.10 Recipient address has null MX"],
  ],
  mailbox: [
    [gmail, "recipient", "452 4.2.2 The email account that you tried to reach is over quota."],
    [gmail, "recipient", "552 5.2.2 The email account that you tried to reach is over quota."],
    [
      gmail,
      "recipient",
      "450 4.2.1 The user you are trying to contact is receiving mail too quickly.",
    ],
    [
      gmail,
      "recipient",
      "550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered.",
    ],
    ["suped.com on iCloud bounces", "recipient", "450 4.2.2 user is overquota"],
    [german, "content", "552 5.2.2 Over STORAGE quota"],
    [
      german,
      "recipient",
      "550 Benutzer hat das Speichervolumen ueberschritten. / User has exhausted allowed storage space.",
    ],
    [
      german,
      "recipient",
      "550 Benutzer hat zuviele Mails auf dem Server. / User has too many messages on the server.",
    ],
    ["ionos.com/help, error messages", "recipient", "550 Quota Exceeded"],
    [zimbra, "content", "452 4.2.2 Over quota"],
    [zimbra, "content", "552 5.2.2 Over quota"],
    [
      "sisimai/p5-sisimai, MailboxFull.pm (qmail-toaster)",
      "recipient",
      "552 user over quota. (#5.1.1)",
    ],
  ],
  ours: [
    [swiss, "recipient", "554 5.7.1 <a@example.com>: Relay access denied"],
    [broadcom, "recipient", "553 Relay denied"],
    [exim, "recipient", "550 relay not permitted"],
    [swiss, "recipient", "554 5.7.1 <a@example.com>: Recipient address rejected: User unknown"],
    [swiss, "recipient", "550 5.1.8 <b@example.org>: Sender address rejected: Domain not found"],
    [
      swiss,
      "recipient",
      "554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using ix.dnsbl.manitu.net",
    ],
    [
      "github.com/postalserver/postal/issues/266",
      "content",
      "550-5.7.1 [192.0.2.1 12] Our system has detected that this message is\n550-5.7.1 likely unsolicited mail. To reduce the amount of spam sent to Gmail,\n550 5.7.1 this message has been blocked. w28si1688632wra.157 - gsmtp",
    ],
    [gmail, "content", "550 5.7.1 This message violates example.com email policy. - gcdp - gsmtp"],
    [
      gmail,
      "content",
      "552 5.7.0 This message was blocked because its content presents a potential security issue.",
    ],
    [
      "smtp.codes, Google",
      "content",
      "550-5.7.26 Your email has been blocked because the sender is unauthenticated.\n550 5.7.26 Gmail requires all senders to authenticate with either SPF or DKIM. - gsmtp",
    ],
    [
      "easy365manager.com/office-365-ndr-error-codes",
      "sender",
      "530 5.7.57 SMTP; Client was not authenticated to send anonymous mail during MAIL FROM",
    ],
    [
      "sevencreative.co.uk on Outlook.com",
      "sender",
      "550 5.7.1 Unfortunately, messages from [192.0.2.1] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3150).",
    ],
    [
      "support.binarylane.com.au on Outlook.com",
      "sender",
      "550 SC-001 (BAY004-MC4F49) Unfortunately, messages from 192.0.2.1 weren't sent.",
    ],
    [
      "tamingdns.com/bounce-decoder/microsoft",
      "content",
      "550 5.7.13 STOREDRV.Deliver.Exception:AccountDisabledException.MapiExceptionADUserDisabledAndHidden",
    ],
    [yahoo, "greeting", "553 5.7.1 [BL21] Connections will not be accepted from 192.0.2.1"],
    [icloud, "content", "550 5.7.1 [CS01] Message rejected due to local policy."],
    [
      icloud,
      "content",
      "550 5.7.1 Your email was rejected due to having a domain present in the Spamhaus DBL",
    ],
    [
      "suped.com on Proofpoint",
      "greeting",
      "554 5.7.0 Blocked - see https://ipcheck.proofpoint.com/?ip=192.0.2.1",
    ],
    [mimecast, "recipient", "550 Envelope blocked - User Entry"],
    [
      gmx,
      "greeting",
      "554-gmx.net (mxgmx104) Nemesis ESMTP Service not available\n554-No SMTP service\n554-IP address is block listed.\n554 For explanation visit https://postmaster.gmx.net/en/case?c=r0201",
    ],
    [united, "content", "550 <a@gmx.com>: Reject due to SPF policy."],
    [list550, "recipient", "550 Blocked"],
    [broadcom, "content", "550 Message rejected due to sender IP reputation ([192.0.2.1])"],
    [broadcom, "greeting", "521 access denied"],
    [
      "github.com/postalserver/postal/issues/1243",
      "recipient",
      "553 5.3.0 alpd681 DNSBL:RBL 521< 192.0.2.1 >_is_blocked.",
    ],
    [
      "github.com/sisimai/p5-sisimai/issues/189",
      "content",
      "550 5.2.0 Mail rejete. Mail rejected. ofr_506 [506]",
    ],
    [
      "postfix.org/postconf.5.html, message_size_limit",
      "sender",
      "552 5.3.4 Message size exceeds fixed limit",
    ],
    ["rfc-editor.org/rfc/rfc4954", "sign-in", "535 5.7.8 Authentication credentials invalid"],
  ],
  delay: [
    [gmail, "greeting", "421 4.7.0 TLS required for RCPT domain, closing connection."],
    [gmail, "content", "421 4.7.0 Our system has detected an unusual rate of unsolicited mail"],
    [gmail, "recipient", "550 5.4.5 Daily SMTP relay sending limit exceeded for user."],
    [exchange, "content", "432 4.3.2 STOREDRV.Deliver; recipient thread limit exceeded"],
    [
      sisimai312,
      "recipient",
      "550 5.4.1 [a@example.com]: Recipient address rejected: Access denied",
    ],
    [yahoo, "greeting", "421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred"],
    [yahoo, "recipient", "451 example.yahoo.com Resources temporarily unavailable. [#4.16.1]."],
    [icloud, "recipient", "421 4.7.1 Messages to a@icloud.com deferred due to excessive volume."],
    [mimecast, "recipient", "451 Internal resource is temporarily unavailable"],
    [mimecast, "greeting", "421 Unable to process connection at this time"],
    [swiss, "recipient", "450 4.7.1 Client host rejected: cannot find your hostname, [192.0.2.1]"],
    [swiss, "content", "451 qq trouble in home directory"],
    [
      "support.mailprotector.com, Common Email Bouncebacks",
      "recipient",
      "450 4.2.0 <a@example.com>: Recipient address rejected: Greylisted",
    ],
  ],
};

describe.each(Object.entries(replies))("an answer that means %s", (verdict, known) => {
  test.each(known)("of %s, at %s: %s", (_source, stage, reply) => {
    expect(verdictOf(readAnswer(stage, reply))).toBe(verdict);
  });
});

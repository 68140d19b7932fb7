import {
  type Mail,
  MailDelayed,
  type Mailer,
  MailRefused,
  MailRejected,
  MailUncertain,
} from "@pro-talent/platform/mail/mailer";

/** That the mail server accepted a notice is the evidence of its delivery; an answer that was lost is none. */
export async function deliverNotice(
  mailer: Pick<Mailer, "send">,
  mail: Mail,
): Promise<"sent" | "refused" | "later"> {
  try {
    await mailer.send(mail);
    return "sent";
  } catch (error) {
    if (error instanceof MailRefused) return "refused";
    const isLater =
      error instanceof MailDelayed ||
      error instanceof MailRejected ||
      error instanceof MailUncertain;
    if (isLater) return "later";
    throw error;
  }
}

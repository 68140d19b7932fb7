import { z } from "zod";

const Failure = z.object({
  code: z.string().optional().catch(undefined),
  originalCode: z.string().optional().catch(undefined),
  command: z.string().optional().catch(undefined),
  response: z.string().optional().catch(undefined),
  responseCode: z.number().optional().catch(undefined),
});

/** Answers after which the sign-in is wrong, not the mail (RFC 4954 §6). */
const signIn: ReadonlySet<number> = new Set([530, 534, 535, 538]);
/** A wrong order of commands is no verdict on the mail either. */
const wrongOrder = 503;

/**
 * Whether a failed attempt is permanent, and why it failed. The server's text and the library's
 * error are not passed on: they repeat addresses and may repeat what was sent.
 */
export function failureOf(error: unknown): { permanent: boolean; reason: string } {
  const parsed = Failure.safeParse(error);
  const { code, originalCode, command, response, responseCode } = parsed.success ? parsed.data : {};
  const atRecipient = command === "RCPT TO" || command === "DATA";
  // Only the three numbers of an enhanced status code (RFC 3463) are taken from the answer.
  const status =
    response === undefined ? undefined : /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(response)?.[0];
  const parts = [
    code,
    originalCode,
    responseCode,
    status,
    atRecipient ? `at ${command}` : undefined,
  ];
  const reason = parts.filter((part) => part !== undefined).join(" ");
  if (code === "EENVELOPE" && command === "API")
    return { permanent: true, reason: "not an address" };
  const permanent =
    atRecipient &&
    responseCode !== undefined &&
    responseCode >= 500 &&
    responseCode !== wrongOrder &&
    !signIn.has(responseCode);
  return { permanent, reason: reason === "" ? "unknown" : reason };
}

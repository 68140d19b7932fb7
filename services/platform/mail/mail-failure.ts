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
/** A wrong order of commands says nothing about the mail either. */
const wrongOrder = 503;

/**
 * What a failed attempt means. The server's words and the library's error are not passed on: they
 * repeat addresses and may repeat what was sent.
 */
export function failureOf(error: unknown): { forGood: boolean; reason: string } {
  const parsed = Failure.safeParse(error);
  const { code, originalCode, command, response, responseCode } = parsed.success ? parsed.data : {};
  const atRecipient = command === "RCPT TO" || command === "DATA";
  // Only the three numbers of an enhanced status code (RFC 3463) are taken from the answer.
  const status =
    response === undefined ? undefined : /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(response)?.[0];
  const said = [
    code,
    originalCode,
    responseCode,
    status,
    atRecipient ? `at ${command}` : undefined,
  ];
  const reason = said.filter((part) => part !== undefined).join(" ");
  if (code === "EENVELOPE" && command === "API") return { forGood: true, reason: "not an address" };
  const forGood =
    atRecipient &&
    responseCode !== undefined &&
    responseCode >= 500 &&
    responseCode !== wrongOrder &&
    !signIn.has(responseCode);
  return { forGood, reason: reason === "" ? "unknown" : reason };
}

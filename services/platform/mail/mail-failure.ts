import { z } from "zod";

/** How far an attempt had come when it failed. `content`: the whole mail was handed over. */
export type MailStage =
  | "connect"
  | "greeting"
  | "sign-in"
  | "sender"
  | "recipient"
  | "data"
  | "content";

/**
 * What a failure means. `address`: this mailbox does not exist, or is closed for good. `mailbox`: it
 * takes nothing now, because it is full or too much arrives. `ours`: the server wants nothing from us,
 * or not this mail (relay, sign-in, policy, reputation, content). `delay`: anything that passes.
 */
export type MailVerdict = "address" | "mailbox" | "ours" | "delay";

/** `unknown`: the whole mail was handed over and no answer came. It may have been delivered. */
export type AttemptVerdict = MailVerdict | "unknown";

/** An answer of a mail server, taken apart. */
export type MailAnswer = {
  readonly stage: MailStage;
  /** The enhanced status code (RFC 3463) if there is one, the basic code otherwise. */
  readonly code: string;
  /** What follows the codes, on one line, without addresses. */
  readonly text: string;
};

type Rule = {
  readonly stages?: readonly MailStage[];
  readonly code: RegExp;
  readonly text?: RegExp;
  readonly verdict: MailVerdict;
};

/** The stages after which a server knows the recipient. */
const named: readonly MailStage[] = ["recipient", "data", "content"];

const full =
  /quota|mailbox (?:is )?full|mailbox size|full mailbox|exceeded (?:its |the )?(?:storage|disk|mailbox)|storage space|insufficient (?:storage|disk)|too many messages on the server/i;
const tooFast = /at a rate|too (?:quickly|fast)|rate limit|receiving limits/i;
/** Words of refusals that are about us, whatever the code beside them says. */
const aboutUs =
  /relay(?! recipient table|=)|rcpthosts|spam|block|black ?list|dnsbl|\brbl\b|reputation|policy|spf\b|dkim|dmarc|authenticat|reverse dns|\bptr\b|virus|content|message (?:is )?too (?:large|big)|message size|size limit|sender|access denied|administrative prohibition/i;
const gone =
  /(?:user|recipient|address|account|mailbox|alias)[^.;]{0,40} (?:unknown|not known|not found|(?:does not|doesn't|did not) exist|not exist|invalid|unavailable|inactive|disabled|discontinued|closed|nicht bekannt)|(?:unknown|invalid|no such|unrouteable|non-?existent|bad)[^.;]{0,20} (?:user|recipient|address|account|mailbox|local[- ]part)|doesn't have an? \S+ account|no (?:mailbox|account) (?:here )?by that name|not listed in (?:the )?domino directory|no longer (?:valid|accepts mail|active)/i;

/**
 * The verdicts, the first that matches. Only where code or text name the mailbox itself is the address
 * at fault: an unknown refusal is ours, since such a mistake costs no subscriber.
 */
const rules: readonly Rule[] = [
  { stages: named, code: /^4/, text: full, verdict: "mailbox" },
  { stages: named, code: /^4\.2\.[12]$/, verdict: "mailbox" },
  { code: /^[^5]/, verdict: "delay" },
  // Security and policy, media and content: whatever the words say, the mailbox is not the reason.
  { code: /^5\.[67]\./, verdict: "ours" },
  { stages: ["connect", "greeting", "sign-in", "sender"], code: /^5/, verdict: "ours" },
  { code: /^5\.(?:3\.[12]|4\.\d+)$/, verdict: "delay" },
  { code: /^5/, text: full, verdict: "mailbox" },
  { code: /^5\.2\.2$/, verdict: "mailbox" },
  { code: /^5/, text: tooFast, verdict: "mailbox" },
  // These name the message or the sender (RFC 3463 §3.2 to §3.4).
  { code: /^5\.(?:1\.[4789]|2\.[34]|3\.\d+)$/, verdict: "ours" },
  { code: /^5/, text: aboutUs, verdict: "ours" },
  // Bad mailbox, system or syntax, moved, no mail at all (RFC 7505); disabled.
  { code: /^5\.(?:1\.(?:1|2|3|6|10)|2\.1)$/, verdict: "address" },
  { code: /^(?:55[0134]|5\.(?:0\.0|1\.0|2\.0|5\.0))$/, text: gone, verdict: "address" },
  { code: /^552$/, verdict: "mailbox" },
  { code: /^5/, verdict: "ours" },
];

/** What an answer means. */
export function verdictOf({ stage, code, text }: MailAnswer): MailVerdict {
  const rule = rules.find(
    (one) =>
      one.code.test(code) &&
      one.stages?.includes(stage) !== false &&
      one.text?.test(text) !== false,
  );
  return rule?.verdict ?? "delay";
}

const lineStart = /^[2-5]\d\d[ -](?:[245]\.\d{1,3}\.\d{1,3}(?= |$) ?)?/gm;
/** Not part of a longer number with dots, as in the address of a machine. */
const enhanced = /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?!\.?\d)/g;

/** Takes a server's answer apart; several lines are one. */
export function readAnswer(stage: MailStage, response: string): MailAnswer {
  const basic = /^\d{3}/.exec(response)?.[0] ?? "";
  // A status of another class belongs to something else, such as a version.
  const status = response.match(enhanced)?.find((found) => found[0] === basic[0]);
  const text = response
    .replaceAll(lineStart, "")
    .replaceAll(/\S+@\S+/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  return { stage, code: status ?? basic, text };
}

const Failure = z.object({
  code: z.string().optional().catch(undefined),
  originalCode: z.string().optional().catch(undefined),
  command: z.string().optional().catch(undefined),
  response: z.string().optional().catch(undefined),
  responseCode: z.number().optional().catch(undefined),
});
type Failure = z.infer<typeof Failure>;

/** The stage of an error of nodemailer. */
function stageOf({ code, command = "", response }: Failure): MailStage {
  if (command === "MAIL FROM" || command === "RSET") return "sender";
  if (command === "RCPT TO") return "recipient";
  if (command === "DATA") return code === "EMESSAGE" ? "content" : "data";
  if (code === "EAUTH" || command.startsWith("AUTH")) return "sign-in";
  return command === "CONN" && response === undefined ? "connect" : "greeting";
}

/**
 * What a failed attempt means, and why it failed. The server's text and the library's error are not
 * passed on: they repeat addresses and may repeat what was sent.
 * @param handedOver whether the whole mail had been written to the server
 */
export function failureOf(
  error: unknown,
  handedOver = false,
): { verdict: AttemptVerdict; reason: string } {
  const parsed = Failure.safeParse(error);
  const failure = parsed.success ? parsed.data : {};
  const { code, originalCode, command, response, responseCode } = failure;
  if (code === "EENVELOPE" && command === "API") {
    return { verdict: "address", reason: "not an address" };
  }
  if (response === undefined || responseCode === undefined) {
    if (handedOver) return { verdict: "unknown", reason: reasonOf([code, "after DATA"]) };
    // The library itself refuses a mail that is larger than the server says it takes.
    const verdict = code === "EMESSAGE" || code === "EAUTH" ? "ours" : "delay";
    return { verdict, reason: reasonOf([code, originalCode]) };
  }
  const answer = readAnswer(stageOf(failure), response);
  const status = answer.code.includes(".") ? answer.code : undefined;
  const at = command === undefined ? undefined : `at ${command}`;
  return {
    verdict: verdictOf(answer),
    reason: reasonOf([code, originalCode, responseCode, status, at]),
  };
}

function reasonOf(parts: readonly (string | number | undefined)[]): string {
  const reason = parts.filter((part) => part !== undefined).join(" ");
  return reason === "" ? "unknown" : reason;
}

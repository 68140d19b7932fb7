import { type Instant, instantPlus } from "@pro-talent/schemas/primitives/instant";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { privacyLimits } from "@pro-talent/schemas/privacy/limits";

import type { Contact } from "../../contacts.ts";
import { deniedFieldsTexts } from "./fulfil/denied-fields-texts.ts";
import { withheldTexts } from "./fulfil/withheld-texts.ts";
import { type RequestMail, requestMailTexts } from "./mail-texts.ts";
import type { RequestRow } from "./read-models.ts";

/** Where the certificate of a deletion is, without signing in. */
export const certificateUrl = (origin: string, requestId: string, language: Locale): string =>
  `${origin}/deletion-certificate?number=${requestId}&lang=${language}`;

/** What a mail says of this one request: why it or some of it was denied, or that passages of the copy are left out. */
export function addedTo(
  mail: RequestMail,
  request: RequestRow,
  language: Locale,
): readonly string[] {
  if (mail === "denied") return [reasonOf(request, language)];
  if (mail === "corrected-in-part") {
    const { fields, mail: notCorrected } = deniedFieldsTexts[language];
    const { reasons } = requestMailTexts[language];
    return request.deniedFields.map(
      ({ field, reason }) => `${notCorrected}: ${fields[field]}. ${reasons[reason]}`,
    );
  }
  if (mail !== "ready" || request.withheld.length === 0) return [];
  const { reasons } = withheldTexts[language];
  const why = [...new Set(request.withheld.map(({ reason }) => reasons[reason]))];
  return [`${withheldTexts[language].mail} ${why.join("; ")}.`];
}

/** Why a request was denied, in words. */
const reasonOf = ({ denialReason }: RequestRow, language: Locale): string =>
  requestMailTexts[language].reasons[denialReason ?? "other"];

const dayMs = 24 * 60 * 60_000;

/** What was asked for, and the dates, in the zone of the reader. */
export function factsOf(
  mail: RequestMail,
  request: RequestRow,
  { language, timeZone }: Pick<Contact, "language" | "timeZone">,
) {
  const { type, receivedAt, dueAt, eraseAt, packageExpiresAt } = request;
  const texts = requestMailTexts[language];
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone,
  });
  const fact = (term: string, at: Instant | null) =>
    at === null ? [] : [{ term, value: format.format(Date.parse(at)) }];
  const asked = [
    { term: texts.request, value: texts.types[type] },
    ...fact(texts.requested, receivedAt),
  ];
  const backups = fact(texts.backups, instantPlus(receivedAt, privacyLimits.backupDays * dayMs));
  switch (mail) {
    case "received":
    case "extended":
      // The due date binds although an extension would be permitted.
      return [...asked, ...fact(texts.due, instantPlus(dueAt, -1))];
    case "ready":
      return [...asked, ...fact(texts.until, packageExpiresAt)];
    case "scheduled":
    case "scheduled-unused":
    case "hold-released":
      return [...asked, ...fact(texts.erased, eraseAt), ...backups];
    case "begun":
      return [...asked, ...backups, { term: texts.number, value: request.requestId }];
    default:
      return asked;
  }
}

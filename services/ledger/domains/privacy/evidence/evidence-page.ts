import type { SignedHead } from "@pro-talent/schemas/ledger/heads";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { BackupEvidence } from "@pro-talent/schemas/privacy/erasure-journal";
import type { Evidence } from "@pro-talent/schemas/privacy/evidence";

import { escape, htmlPage, isolated, termList } from "../fulfil/html-page.ts";
import type { ProvenEvent } from "./chained-events.ts";
import { evidenceTexts } from "./evidence-texts.ts";

type Shown = {
  readonly events: readonly ProvenEvent[];
  readonly covering: readonly SignedHead[];
  readonly language: Locale;
};
type Pairs = readonly (readonly [string, string])[];
type Writer = ReturnType<typeof writerIn>;

const nothing = "–";

/** How values are written in a language: each is HTML. */
function writerIn(language: Locale) {
  const texts = evidenceTexts[language];
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: "long",
    timeStyle: "long",
    timeZone: "Asia/Jerusalem",
  });
  return {
    texts,
    time: (at: string | null): string =>
      at === null
        ? nothing
        : `<time datetime="${at}">${escape(format.format(Date.parse(at)))}</time>`,
    code: (text: string | null): string =>
      text === null ? nothing : `<code dir="ltr">${escape(text)}</code>`,
    number: (count: number | null): string => (count === null ? nothing : String(count)),
    part: (title: string, lists: readonly Pairs[]): string => {
      const content = lists.map(termList).join("\n");
      return `<h2>${escape(title)}</h2>${content === "" ? `<p>${escape(texts.none)}</p>` : content}`;
    },
  };
}

/** The page of an evidence pack. Names of events and stores stay as they are recorded. */
export function evidencePage(evidence: Evidence, { events, covering, language }: Shown): string {
  const writer = writerIn(language);
  const { texts, time } = writer;
  const body = [
    `<p>${escape(texts.lead)}</p><p>${time(evidence.madeAt)}</p>`,
    requestParts(writer, evidence),
    workParts(writer, evidence),
    chainParts(writer, evidence, { events, covering }),
  ];
  return htmlPage({ language, title: texts.title, body: body.join("\n") });
}

function requestParts({ texts, time, code, part }: Writer, evidence: Evidence): string {
  const { terms, parts } = texts;
  const { identity, outcome, partly } = evidence;
  const request: Pairs = [
    [terms.number, code(evidence.requestId)],
    [terms.type, escape(texts.types[evidence.type])],
    [terms.status, escape(texts.statuses[evidence.status])],
    [
      terms.outcome,
      outcome === null
        ? nothing
        : escape(
            [texts.outcomes[outcome], ...partly.map((part) => texts.partReasons[part])].join(", "),
          ),
    ],
    [terms.who, code(evidence.accountId)],
    [terms.identity, identity === null ? nothing : `${code(identity.method)} ${time(identity.at)}`],
  ];
  const clocks = evidence.clocks.map(({ clock, endsAt }): Pairs => {
    const { name, reason } = texts.clocks[clock];
    return [
      [name, time(endsAt)],
      [terms.reason, escape(reason)],
    ];
  });
  return [part(parts.request, [request]), part(parts.clocks, clocks)].join("\n");
}

function workParts({ texts, time, code, number, part }: Writer, evidence: Evidence): string {
  const { terms, parts } = texts;
  const { journal, backups, register } = evidence;
  const stores = evidence.stores.map(({ store, found, left, failures }): Pairs => [
    [terms.store, code(store)],
    [terms.found, number(found)],
    [terms.left, number(left)],
    [terms.failures, number(failures)],
  ]);
  const holds = evidence.holds.map(({ law, placedAt, reviewAt, releasedAt }): Pairs => [
    [terms.law, isolated(law)],
    [terms.placed, time(placedAt)],
    [terms.review, time(reviewAt)],
    [terms.released, time(releasedAt)],
  ]);
  const notices = evidence.notices.map(({ notice, result, at }): Pairs => [
    [notice, `${code(result)} ${time(at)}`],
  ]);
  const scans = evidence.scans.map(({ at, found }): Pairs => [
    [texts.scan[found ? "hit" : "clean"], time(at)],
  ]);
  const outside: Pairs = [
    [terms.journal, journal === null ? nothing : `${journal.entry} ${code(journal.sha256)}`],
    [
      terms.backups,
      backups === null
        ? evidence.backupsOverdue
          ? `<strong>${escape(terms.overdue)}</strong>`
          : nothing
        : `${time(backups.oldestRestorableAt)} (${time(backups.recordedAt)})`,
    ],
    [terms.registerAtDecision, code(register.atDecision)],
    [terms.registerNow, code(register.now)],
  ];
  return [
    part(parts.stores, stores),
    part(parts.holds, holds),
    part(parts.notices, notices),
    part(parts.scans, scans),
    part(parts.outside, [outside]),
    ...keyParts({ texts, time, code, part }, backups?.proof ?? null),
  ].join("\n");
}

/** The keys that were destroyed together with the backups, which are one clock. */
function keyParts(
  { texts: { parts, terms }, time, code, part }: Pick<Writer, "texts" | "time" | "code" | "part">,
  proof: BackupEvidence | null,
): readonly string[] {
  if (proof === null) return [];
  const destroyed = (at: string | null) =>
    at === null ? escape(terms.inUse) : `${escape(terms.destroyed)} ${time(at)}`;
  const copies = proof.purged.map(({ copy, epoch, destroyedAt }): Pairs[number] => [
    copy,
    `${code(epoch)} ${destroyed(destroyedAt)}`,
  ]);
  const epochs = proof.epochKeys.map(({ epoch, destroyedAt }): Pairs[number] => [
    epoch,
    destroyed(destroyedAt),
  ]);
  return [part(parts.copies, [copies]), part(parts.epochs, [epochs])];
}

function chainParts(
  { texts, time, code, part }: Writer,
  evidence: Evidence,
  { events, covering }: Omit<Shown, "language">,
): string {
  const { terms, parts } = texts;
  const recorded = evidence.events.map((event, index): Pairs => [
    [`${event.version}. ${event.type}`, time(event.at)],
    [terms.actor, code(event.actor)],
    [terms.data, code(JSON.stringify(event.data))],
    [terms.position, `${event.position} ${code(events[index]?.chained.hash ?? null)}`],
  ]);
  const heads = covering.map(({ position, hash, at, keyId }): Pairs => [
    [terms.position, `${position} ${code(hash)}`],
    [terms.signed, `${time(at)} ${code(keyId)}`],
  ]);
  return [part(parts.events, recorded), part(parts.heads, heads)].join("\n");
}

import type { MailBlock } from "@pro-talent/platform/mail/blocks";
import type { Mail } from "@pro-talent/platform/mail/mailer";
import { renderMail } from "@pro-talent/platform/mail/render-mail";
import type { QuestionAnswer } from "@pro-talent/schemas/analysts/calls";
import { analystLimits as limit } from "@pro-talent/schemas/analysts/limits";
import type { SavedKind } from "@pro-talent/schemas/analysts/saved-work";
import type { DayRange } from "@pro-talent/schemas/analysts/schedule";
import type { TileAnswer } from "@pro-talent/schemas/analysts/work-calls";

import type { Contact } from "../../../contacts.ts";
import { deliveryTexts } from "./mail-texts.ts";

/** What became of one part of the work: its answer, or why there is none. */
export type DeliveredPart =
  | (TileAnswer & { readonly tileTitle: string })
  | "not-withheld"
  | "failed"
  | "missing";

type DeliveryMailInput = {
  readonly deliveryId: string;
  readonly run: number;
  readonly work: { readonly kind: SavedKind; readonly workId: string };
  readonly title: string;
  readonly days: DayRange;
  readonly parts: readonly DeliveredPart[];
  readonly contact: Contact;
  readonly origin: string;
  readonly feedbackId: string;
  /** Where one click pauses the delivery. */
  readonly offUrl: string;
};

type Texts = (typeof deliveryTexts)[keyof typeof deliveryTexts];
type Table = { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] };

/** The mail of a delivery; its id is the same at every attempt. */
export function deliveryMail(input: DeliveryMailInput): Mail {
  const { deliveryId, run, work, contact, origin, days, parts } = input;
  const { language } = contact;
  const texts = deliveryTexts[language];
  const console = `${origin}/console/analyst`;
  const place = work.kind === "query" ? "queries" : "dashboards";
  const subject = texts.subject(input.title);
  const about = texts.about(days.from, days.to);
  const blocks: readonly MailBlock[] = [
    { kind: "paragraph", text: about },
    ...parts.flatMap((part) => partBlocks(part, texts, work.kind === "dashboard")),
    { kind: "action", label: texts.see, url: `${console}/${place}/${work.workId}` },
    { kind: "small", text: texts.withheld },
  ];
  const change = { label: texts.change, url: `${console}/deliveries` };
  return {
    id: `analyst-delivery-${deliveryId}-${run}`,
    to: { name: contact.fullName, address: contact.email },
    subject,
    language,
    automatic: true,
    feedbackId: input.feedbackId,
    unsubscribe: { url: input.offUrl },
    ...renderMail({
      language,
      title: input.title,
      preheader: about,
      blocks,
      footer: [{ kind: "small", text: texts.whyReceived, link: change }],
    }),
  };
}

const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const mailIds = new RegExp(`^analyst-delivery-(?<delivery>${uuid})-(?<run>\\d+)$`, "u");

/** The delivery of a mail; undefined for the ids of other mails. */
export const deliveryOfMail = (mailId: string): string | undefined =>
  mailIds.exec(mailId)?.groups?.["delivery"];

function partBlocks(part: DeliveredPart, texts: Texts, isTitled: boolean): MailBlock[] {
  if (part === "not-withheld") return [{ kind: "paragraph", text: texts.notWithheld }];
  if (part === "failed") return [{ kind: "paragraph", text: texts.failed }];
  if (part === "missing") return [{ kind: "paragraph", text: texts.missing }];
  const ownTitle = part.kind === "query" ? part.title : texts.questions[part.question];
  const title = part.tileTitle === "" ? ownTitle : part.tileTitle;
  const { columns, rows } =
    part.kind === "query" ? resultTable(part.result) : answerTable(part.answer, texts);
  const shown = rows.slice(0, limit.mailRowsMax);
  const cut: MailBlock = { kind: "small", text: texts.cut(shown.length, rows.length) };
  return [
    ...(isTitled ? [{ kind: "paragraph", text: title } as const] : []),
    rows.length === 0
      ? { kind: "paragraph", text: texts.empty }
      : { kind: "table", columns: columns.slice(0, limit.mailColumnsMax), rows: shown.map(cells) },
    ...(shown.length < rows.length ? [cut] : []),
  ];
}

const cells = (row: readonly string[]): readonly string[] => row.slice(0, limit.mailColumnsMax);

type Result = Extract<TileAnswer, { kind: "query" }>["result"];

const resultTable = ({ columns, rows }: Result): Table => ({
  columns: columns.map(({ name }) => name),
  rows: rows.map((row) => row.map((value) => (typeof value === "string" ? value : plain(value)))),
});

const plain = (value: Result["rows"][number][number]): string =>
  value === null ? "" : JSON.stringify(value);

const count = (value: number | null): string => (value === null ? "–" : String(value));

function answerTable(answer: QuestionAnswer, { columns: words, steps }: Texts): Table {
  switch (answer.kind) {
    case "groups": {
      const { groups, others, total } = answer;
      const rows = groups.map(({ name, visitors, amount }) => [
        name,
        count(visitors),
        count(amount),
      ]);
      const sums = [
        { name: words.total, size: total },
        { name: words.others, size: others },
      ].flatMap(({ name, size }) =>
        size === null || rows.length === 0
          ? []
          : [[name, count(size.visitors), count(size.amount)]],
      );
      return { columns: [words.name, words.visitors, words.amount], rows: [...sums, ...rows] };
    }
    case "steps":
      return {
        columns: [words.step, words.visitors],
        rows: answer.steps.map(({ name, visitors }) => [steps[name] ?? name, count(visitors)]),
      };
    case "cohorts": {
      const weeks = limit.mailColumnsMax - 2;
      const after = Array.from({ length: weeks }, (_, at) => words.weekAfter(at + 1));
      return {
        columns: [words.week, words.visitors, ...after],
        rows: answer.cohorts.map(({ week, visitors, returned }) => [
          week,
          count(visitors),
          ...returned.slice(0, weeks).map(count),
        ]),
      };
    }
  }
}

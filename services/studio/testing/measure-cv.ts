import { writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { stdout } from "node:process";
import { parseArgs } from "node:util";

import { openCvDrawer } from "../pdf/draw-cv.ts";
import { corpus } from "./corpus.ts";
import { faultsOfStructure, lackingReaders } from "./installed-readers.ts";
import { measureCorpus, type ReaderFigures } from "./measure-corpus.ts";
import { measureLatency, measureThroughput } from "./measure-speed.ts";

/** `npm run measure:cv`: what readers get from a corpus of CVs, and how fast the files are made. */
const { values } = parseArgs({
  options: {
    cvs: { type: "string", default: "504" },
    files: { type: "string", default: "10000" },
    seed: { type: "string", default: "1" },
    /** Leaves the document as it is. */
    print: { type: "boolean", default: false },
  },
});
const document = new URL("../../../infra/docs/cv-files.md", import.meta.url);

type Share = ReaderFigures["words"];
const percent = ({ found, of }: Share): string =>
  of === 0 ? "–" : `${(Math.floor((found / of) * 1000) / 10).toFixed(1)} %`;
const ratio = ({ found, of }: Share): string => `${found}/${of}`;

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

type Measured = Awaited<ReturnType<typeof measureCorpus>>;

function readersTable({ figures }: Measured, language: "en" | "he"): string {
  const rows = [...figures]
    .filter(([name]) => name.endsWith(` ${language}`))
    .map(([name, of]) => [
      name.slice(0, -3),
      `${percent(of.latin)} (${ratio(of.latin)})`,
      `${percent(of.rightToLeft)} (${ratio(of.rightToLeft)})`,
      `${percent(of.contact)} (${ratio(of.contact)})`,
      percent(of.words),
      percent(of.order),
      ratio(of.replaced),
    ]);
  const head = [
    "reader",
    "fields without Hebrew or Arabic",
    "fields with them",
    "contact data",
    "words",
    "order",
    "fields with replaced characters",
  ];
  return tableOf(head, rows);
}

function reportOf(measured: Measured, speed: Speed, structure: number | undefined): string {
  const { made, failed, conforming, advised } = measured;
  const lacking = lackingReaders();
  const pages = made.map((one) => one.pages);
  const { latency, throughput, twoPages } = speed;
  return `# Files of CVs

Written by \`npm run measure:cv\`, which makes the files of a seeded corpus of CVs, has them read by programs as
employers use them, and compares what those get with what was written. All people in it are invented.

- CVs: ${made.length + failed.length} (seed ${values.seed}), of ${Math.min(...pages)} to ${Math.max(...pages)} pages, in both languages; by turns usual, mixed
  direction, words longer than a line, emoji, Chinese, Japanese and Korean, empty fields, extreme fields
- Failed exports: ${failed.length}${failed.map((line) => `\n  - ${line}`).join("")}
- PDF files that keep PDF/UA-1 by the engine's own checks: ${conforming} of ${made.length}
- PDF files in whose structure qpdf finds a fault: ${structure === undefined ? "**qpdf is not installed: not checked**" : structure}
- Documents that are not the same after JSON Resume and back: ${measured.lostInJson}
- Readers that this machine lacks: ${lacking.length === 0 ? "none" : `**${lacking.join("; ")}: not measured**`}
- Advice of the machine check (readers × fields): ${[...advised].map(([code, times]) => `\`${code}\` ${times}`).join(", ") || "none"}

A field is whole if its text is found as it is, apart from line ends, marks of direction and case. A word longer than a
line is divided. Words are characters of an alphabet or digits in a row; order is the longest common subsequence of words,
in the order of the template. Characters that no typeface of the product has are named
before an export and shown as □; these fields stand apart.

## English

${readersTable(measured, "en")}

## Hebrew

${readersTable(measured, "he")}

No PDF makes Hebrew safe in every reader: some take runs of one line from left to right. DOCX states directions instead of
places, so that its text is whole everywhere. The machine check recommends DOCX for these CVs.

## Speed

Measured on ${availableParallelism()} processors at a load of ${loadavg()
    .map((load) => load.toFixed(1))
    .join(", ")} (1, 5 and 15 minutes) with other work on the machine.

${tableOf(
  ["what", "figure"],
  [
    [
      `PDF of two pages, one after another, p50 (${twoPages} documents)`,
      `${latency.p50.toFixed(1)} ms`,
    ],
    ["the same, p95", `${latency.p95.toFixed(1)} ms`],
    [
      `files in a second, two processes, ${throughput.files} files`,
      throughput.perSecond.toFixed(0),
    ],
    [
      "memory of all processes meanwhile, least, most, at the end",
      `${Math.min(...throughput.memory)}, ${Math.max(...throughput.memory)}, ${throughput.memory.at(-1) ?? 0} MiB`,
    ],
  ],
)}
`;
}

type Speed = {
  readonly latency: Awaited<ReturnType<typeof measureLatency>>;
  readonly throughput: Awaited<ReturnType<typeof measureThroughput>>;
  readonly twoPages: number;
};

const drawer = openCvDrawer();
const measured = await measureCorpus(drawer, corpus(Number(values.cvs), Number(values.seed)));
const twoPages = measured.made.filter(({ pages }) => pages === 2).map((one) => one.document);
const latency = await measureLatency(drawer, twoPages, 400);
const throughput = await measureThroughput(drawer, twoPages, Number(values.files));
await drawer.close();
const structure = await faultsOfStructure(measured.made.map(({ pdf }) => pdf));
const report = reportOf(measured, { latency, throughput, twoPages: twoPages.length }, structure);
stdout.write(report);
if (!values.print) writeFileSync(document, report);

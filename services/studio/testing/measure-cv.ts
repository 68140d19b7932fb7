import { writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { stdout } from "node:process";
import { parseArgs } from "node:util";

import { openCvDrawer } from "../pdf/draw-cv.ts";
import { corpus } from "./corpus.ts";
import { faultsOfStructure, lackingReaders } from "./installed-readers.ts";
import { measureCorpus, type ReaderFigures } from "./measure-corpus.ts";
import { measureImport, shareOf } from "./measure-import.ts";
import { measureOpenResume } from "./measure-open-resume.ts";
import { measureLatency, measureThroughput } from "./measure-speed.ts";

/** `npm run measure:cv`: what readers get from a corpus of CVs, and how fast the files are made. */
const { values } = parseArgs({
  options: {
    cvs: { type: "string", default: "504" },
    files: { type: "string", default: "10000" },
    seed: { type: "string", default: "1" },
    /** A checkout of github.com/xitanggg/open-resume, outside of this repository. */
    "open-resume": { type: "string" },
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
      ...(language === "en" ? [`${percent(of.plain)} (${ratio(of.plain)})`] : []),
      `${percent(of.rightToLeft)} (${ratio(of.rightToLeft)})`,
      `${percent(of.contact)} (${ratio(of.contact)})`,
      percent(of.words),
      percent(of.order),
      percent(of.usualOrder),
      ratio(of.replaced),
    ]);
  const head = [
    "reader",
    "fields without Hebrew or Arabic",
    ...(language === "en" ? ["those of plain CVs"] : []),
    "fields with them",
    "contact data",
    "words",
    "order",
    "order, usual CVs",
    "fields with replaced characters",
  ];
  return tableOf(head, rows);
}

const percentOf = (share: number): string => `${(Math.floor(share * 1000) / 10).toFixed(1)} %`;

function importTable(imported: Imported): string {
  const formats = [...new Set([...imported.keys()].map((name) => name.slice(0, -3)))].toSorted();
  const share = (name: string): string => {
    const recovered = imported.get(name);
    return recovered === undefined ? "–" : percentOf(shareOf(recovered));
  };
  return tableOf(
    ["file", "English", "Hebrew"],
    formats.map((format) => [format, share(`${format} en`), share(`${format} he`)]),
  );
}

function openResumeTable(counts: Awaited<ReturnType<typeof measureOpenResume>>["counts"]): string {
  const rows = [...counts].map(([template, count]) => [
    template,
    `${percent(count)} (${ratio(count)})`,
  ]);
  return tableOf(["template", "fields"], rows);
}

function reportOf({ measured, structure, imported, openResume, ...speed }: Results): string {
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
before an export and shown as □; these fields stand apart. "Plain CVs" are those without Hebrew or Arabic anywhere and fields
without a word longer than a line: beside a Hebrew name some readers turn a line around, a place or a date with it.

## English

${readersTable(measured, "en")}

## Hebrew

${readersTable(measured, "he")}

No PDF makes Hebrew safe in every reader: some take runs of one line from left to right. DOCX states directions instead of
places, so that its text is whole everywhere. The machine check recommends DOCX for these CVs.

Readers that sort text by place take a line from the right, but each run in it that is not Hebrew, and each that is set
apart, by itself: dates at the end of a line come before its title (PDFBox, sorted), and brackets and signs around Latin
words change sides. This is what "order" loses; "usual CVs" are those without the oddities above.

Conformance to PDF/UA-1 is what the engine checks while it writes a file, qpdf checks the structure of the file, and
Poppler reads its tags (\`pdfinfo -struct\`). veraPDF is not available where this was measured: no independent program has
confirmed the conformance.

## Import

What \`readImport\` gets back from our own files: shares of all fields with the same text in the same kind of section and
field, of ${Math.min(made.length, importedCvs)} CVs of the corpus with everything unusual in them. Text that says too little by itself is not
recovered: a place without an organisation is read as one, and a character that no typeface has is not in a page.

${importTable(imported)}

## OpenResume

An independent parser (github.com/xitanggg/open-resume, run under Node from a checkout outside of this repository; its
licence does not allow to take its code): fields of CVs in the format of the United States whose text it has in its own
field of the same meaning. It has no field for a place of work, which it joins to the company; of a second page it takes
the first line for the end of the first page's last.

${openResume === undefined ? "Not measured: run with `--open-resume <checkout>`." : openResumeTable(openResume.counts)}

## Speed

Measured on ${availableParallelism()} processors at a load of ${loadavg()
    .map((load) => load.toFixed(1))
    .join(", ")} (1, 5 and 15 minutes).

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
      "processor time of the drawing processes for each file",
      `${throughput.processorMs.toFixed(1)} ms`,
    ],
    [
      "files in a second that two processors give at that",
      (2000 / throughput.processorMs).toFixed(0),
    ],
    [
      "memory of all processes meanwhile, least, most, at the end",
      `${Math.min(...throughput.memory)}, ${Math.max(...throughput.memory)}, ${throughput.memory.at(-1) ?? 0} MiB`,
    ],
  ],
)}
`;
}

type Imported = Awaited<ReturnType<typeof measureImport>>;
type Results = {
  readonly measured: Measured;
  readonly structure: number | undefined;
  readonly imported: Imported;
  readonly openResume: Awaited<ReturnType<typeof measureOpenResume>> | undefined;
  readonly latency: Awaited<ReturnType<typeof measureLatency>>;
  readonly throughput: Awaited<ReturnType<typeof measureThroughput>>;
  readonly twoPages: number;
};
/** Enough for each oddity, language and template. */
const importedCvs = 72;

const drawer = openCvDrawer();
const measured = await measureCorpus(drawer, corpus(Number(values.cvs), Number(values.seed)));
const imported = await measureImport(measured.made.slice(0, importedCvs));
const checkout = values["open-resume"];
const openResume =
  checkout === undefined ? undefined : await measureOpenResume(drawer, checkout, 80);
const twoPages = measured.made.filter(({ pages }) => pages === 2).map((one) => one.document);
const latency = await measureLatency(drawer, twoPages, Math.min(400, Number(values.files)));
const throughput = await measureThroughput(drawer, twoPages, Number(values.files));
await drawer.close();
const structure = await faultsOfStructure(measured.made.map(({ pdf }) => pdf));
const report = reportOf({
  measured,
  structure,
  imported,
  openResume,
  latency,
  throughput,
  twoPages: twoPages.length,
});
stdout.write(report);
if (!values.print) writeFileSync(document, report);

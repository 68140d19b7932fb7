import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const most = { maxBuffer: 64 * 1024 * 1024 };
const jars = ["pdfbox2", "fontbox2", "commons-logging"].map(
  (name) => `/usr/share/java/${name}.jar`,
);

/** Programs that read PDFs and that the product does not bring, by the package that installs them. */
const programs: readonly {
  readonly names: readonly string[];
  readonly installedBy: string;
  readonly isInstalled: () => boolean;
  /** The texts of the files of a directory, by the name of the reader. */
  readonly read: (directory: string, files: readonly string[]) => Promise<Texts>;
}[] = [
  {
    names: ["poppler -layout", "poppler"],
    installedBy: "poppler-utils",
    isInstalled: () => existsSync("/usr/bin/pdftotext"),
    read: async (_, files) => ({
      "poppler -layout": await each(files, "pdftotext", (file) => ["-layout", file, "-"]),
      poppler: await each(files, "pdftotext", (file) => [file, "-"]),
    }),
  },
  {
    names: ["pdfbox", "pdfbox sorted"],
    installedBy: "libpdfbox2-java and a JDK",
    isInstalled: () => existsSync("/usr/bin/javac") && jars.every((jar) => existsSync(jar)),
    read: async (directory, files) => {
      const program = join(import.meta.dirname, "read-with-pdfbox.java");
      await run("java", ["-cp", jars.join(":"), program, directory], most);
      return {
        pdfbox: await beside(files, "pdfbox"),
        "pdfbox sorted": await beside(files, "pdfbox-sorted"),
      };
    },
  },
  {
    names: ["mupdf"],
    installedBy: "mupdf-tools",
    isInstalled: () => existsSync("/usr/bin/mutool"),
    read: async (_, files) => ({
      mupdf: await each(files, "mutool", (file) => ["draw", "-q", "-F", "text", "-o", "-", file]),
    }),
  },
  {
    names: ["pdfminer"],
    installedBy: "python3-pdfminer",
    isInstalled: () => existsSync("/usr/bin/pdf2txt"),
    read: async (directory, files) => {
      const program = join(import.meta.dirname, "read-with-pdfminer.py");
      await run("/usr/bin/python3", [program, directory], most);
      return { pdfminer: await beside(files, "pdfminer") };
    },
  },
];

type Texts = Readonly<Record<string, readonly string[]>>;

/** Names of readers that this machine lacks, with the package that installs each. */
export function lackingReaders(): string[] {
  return programs
    .filter(({ isInstalled }) => !isInstalled())
    .map(({ names, installedBy }) => `${names.join(", ")} (${installedBy})`);
}

/** What each installed reader gets from each PDF, in their order. */
export async function readWithInstalled(pdfs: readonly Uint8Array[]): Promise<Texts> {
  const directory = await mkdtemp(join(tmpdir(), "cvs-"));
  try {
    const files = pdfs.map((_, index) => join(directory, `${index}.pdf`));
    await Promise.all(files.map((file, index) => writeFile(file, pdfs[index] ?? "")));
    const texts: Record<string, readonly string[]> = {};
    for (const program of programs.filter(({ isInstalled }) => isInstalled()))
      Object.assign(texts, await program.read(directory, files));
    return texts;
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Whether qpdf finds no fault in the structure of each file; undefined where it is not installed. */
export async function faultsOfStructure(pdfs: readonly Uint8Array[]): Promise<number | undefined> {
  if (!existsSync("/usr/bin/qpdf")) return undefined;
  const directory = await mkdtemp(join(tmpdir(), "cvs-"));
  try {
    let faults = 0;
    for (const pdf of pdfs) {
      const file = join(directory, "one.pdf");
      await writeFile(file, pdf);
      await run("qpdf", ["--check", file]).catch(() => (faults += 1));
    }
    return faults;
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function each(
  files: readonly string[],
  program: string,
  args: (file: string) => string[],
): Promise<string[]> {
  const texts: string[] = [];
  for (const file of files) texts.push((await run(program, args(file), most)).stdout);
  return texts;
}

const beside = (files: readonly string[], suffix: string): Promise<string[]> =>
  Promise.all(files.map((file) => readFile(`${file}.${suffix}`, "utf8")));

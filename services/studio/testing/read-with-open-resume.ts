import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { z } from "zod";

const Texts = z.array(z.string());
const Read = z.object({
  profile: z.object({
    name: z.string(),
    email: z.string(),
    phone: z.string(),
    url: z.string(),
    summary: z.string(),
    location: z.string(),
  }),
  workExperiences: z.array(
    z.object({ company: z.string(), jobTitle: z.string(), date: z.string(), descriptions: Texts }),
  ),
  educations: z.array(
    z.object({ school: z.string(), degree: z.string(), date: z.string(), gpa: z.string() }),
  ),
  projects: z.array(z.object({ project: z.string(), date: z.string(), descriptions: Texts })),
  skills: z.object({
    descriptions: Texts,
    featuredSkills: z.array(z.object({ skill: z.string() })),
  }),
});
/** What OpenResume's parser reads from a PDF. */
export type OpenResumeRead = z.infer<typeof Read>;
const Parser = z.object({
  parseResumeFromPdf: z.function({ input: [z.unknown()], output: z.promise(z.unknown()) }),
});

const source = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;

/** What the parser imports beside its own files: pdf.js, which must name typefaces, and the form's initial values. */
function replacements(): Readonly<Record<string, string>> {
  const pdfJs = import.meta.resolve("pdfjs-dist/legacy/build/pdf.mjs");
  const opened = `import { getDocument as open } from "${pdfJs}"; export const GlobalWorkerOptions = {};
    export const getDocument = (data) => open({ data, verbosity: 0, fontExtraProperties: true });`;
  return {
    "pdfjs-dist": source(opened),
    "pdfjs-dist/build/pdf.worker.entry": source("export default null;"),
    "lib/redux/resumeSlice": source(
      'export const initialFeaturedSkills = Array.from({ length: 6 }, () => ({ skill: "", rating: 4 }));',
    ),
  };
}

/**
 * The parser of OpenResume, from a checkout of github.com/xitanggg/open-resume outside of this repository: its
 * licence does not allow to take its code. It is run as it is; its imports are resolved here.
 */
export async function openResumeParser(
  checkout: string,
): Promise<(pdf: Uint8Array) => Promise<OpenResumeRead>> {
  const replaced = replacements();
  const root = join(checkout, "src", "app");
  const isFolder = (name: string): boolean =>
    /(?:parse-resume-from-pdf|extract-resume-from-sections)$/.test(name);
  registerHooks({
    resolve: (name, context, next) => {
      const other = replaced[name];
      if (other !== undefined) return { url: other, shortCircuit: true };
      if (!name.startsWith("lib/")) return next(name, context);
      const file = join(root, isFolder(name) ? `${name}/index.ts` : `${name}.ts`);
      return { url: pathToFileURL(file).href, format: "module-typescript", shortCircuit: true };
    },
  });
  const entry = join(root, "lib", "parse-resume-from-pdf", "index.ts");
  const { parseResumeFromPdf } = Parser.parse(await import(pathToFileURL(entry).href));
  return async (pdf) => Read.parse(await parseResumeFromPdf(new Uint8Array(pdf)));
}

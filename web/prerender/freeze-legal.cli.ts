import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { legalDocumentNames, legalVersions } from "@pro-talent/schemas/site/legal-documents";
import { comingVersions } from "@pro-talent/schemas/site/legal-history";

import { languages } from "../i18n/languages.ts";
import { bundleRenderer, type Renderer } from "./bundle.ts";
import { frozenFile, frozenOf } from "./legal-versions.ts";

/**
 * `npm run legal:freeze`: keeps the terms and the privacy policy, as their pages show them now, as the versions
 * in force. With `-- --coming` it keeps the texts of documents that have a coming version as that one: their
 * pages show the new text while it runs, and the text in force when it is released. A version that is kept is
 * never written again.
 */
async function freeze({ renderPage }: Renderer, isComing: boolean): Promise<void> {
  for (const name of legalDocumentNames)
    for (const language of languages) {
      const version = isComing ? comingVersions[name] : legalVersions[name];
      if (version === null) continue;
      const file = frozenFile({ name, version }, language);
      const isKept = existsSync(file);
      if (!isKept) {
        const { html } = await renderPage(`/${name}`, language, new Date().getFullYear());
        await writeFile(file, frozenOf(html));
      }
      const result = isKept ? "is kept already" : "kept";
      process.stdout.write(`${name} ${version} ${language}: ${result}\n`);
    }
}

const scratch = await mkdtemp(join(tmpdir(), "legal-versions-"));
try {
  await freeze(await bundleRenderer(scratch), process.argv.includes("--coming"));
} finally {
  await rm(scratch, { recursive: true, force: true });
}

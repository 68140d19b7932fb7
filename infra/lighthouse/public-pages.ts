import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const documents = fileURLToPath(new URL("../../web/dist/en", import.meta.url));

/** A public page; one that asks search engines to leave it out is not judged by how they find it. */
export type PublicPage = { path: string; listed: boolean };

/** Every page of the built site but the one for unknown paths. */
export async function publicPages(): Promise<PublicPage[]> {
  const entries = await readdir(documents, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".html") && entry.name !== "404.html")
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  return Promise.all(
    files.map(async (file) => {
      const path = file.slice(documents.length, -".html".length);
      const listed = !(await readFile(file, "utf8")).includes('content="noindex');
      return { path: path === "/index" ? "/" : path, listed };
    }),
  );
}

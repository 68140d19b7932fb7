import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** SHA-256 over names and contents of files, and of all files below directories. */
export function fingerprint(root, places, isIgnored = () => false) {
  const hash = createHash("sha256");
  for (const place of places) {
    for (const file of filesIn(root, place, isIgnored)) {
      const content = readFileSync(join(root, file));
      hash.update(`${file}\0${content.length}\0`).update(content);
    }
  }
  return hash.digest("hex");
}

function filesIn(root, place, isIgnored) {
  let entries;
  try {
    entries = readdirSync(join(root, place), { withFileTypes: true });
  } catch (error) {
    if (error.code === "ENOTDIR") return [place];
    if (error.code === "ENOENT") return [];
    throw error;
  }
  return entries
    .filter((entry) => !isIgnored(entry.name))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${place}/${entry.name}`;
      if (entry.isDirectory()) return filesIn(root, path, isIgnored);
      return entry.isFile() ? [path] : [];
    });
}

/** Content of a small file, or undefined when it is not there. */
export function readIfThere(file) {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  }
}

import { randomBytes } from "node:crypto";

const secretBytes = 32;

/**
 * The text of .env: what it has, and a new secret for each name of the example that it lacks. Nothing that
 * is there is changed: a lost key would make stored data unreadable.
 * @param existing undefined when there is none
 */
export function withSecrets(
  example: string,
  existing: string | undefined,
): { text: string; added: readonly string[] } {
  const names = (text: string): string[] =>
    [...text.matchAll(/^(\w+)=/gmu)].map(([, name = ""]) => name);
  const known = new Set(names(existing ?? ""));
  const added = names(example).filter((name) => !known.has(name));
  const lines = added.map((name) => `${name}=${randomBytes(secretBytes).toString("hex")}\n`);
  const before = existing === undefined || existing.endsWith("\n") ? existing : `${existing}\n`;
  return { text: (before ?? "") + lines.join(""), added };
}

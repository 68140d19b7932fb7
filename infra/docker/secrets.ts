import { randomBytes } from "node:crypto";

const secretBytes = 32;

/**
 * The text of .env: what it has, and a new secret for each name of the example that it lacks; a new one has the
 * choices of the example as well. Nothing that is there is changed: a lost key would make stored data unreadable.
 * @param existing undefined when there is none
 */
export function withSecrets(
  example: string,
  existing: string | undefined,
): { text: string; added: readonly string[] } {
  const settings = (text: string): [string, string][] =>
    [...text.matchAll(/^(\w+)=(.*)$/gmu)].map(([, name = "", value = ""]) => [name, value]);
  const known = new Map(settings(existing ?? ""));
  const lacking = settings(example).filter(
    ([name, value]) => !known.has(name) && (value === "" || existing === undefined),
  );
  const lines = lacking.map(
    ([name, value]) => `${name}=${value || randomBytes(secretBytes).toString("hex")}\n`,
  );
  const before = existing === undefined || existing.endsWith("\n") ? existing : `${existing}\n`;
  return { text: (before ?? "") + lines.join(""), added: lacking.map(([name]) => name) };
}

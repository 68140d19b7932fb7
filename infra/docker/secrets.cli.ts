import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { isMissing } from "@pro-talent/platform/files/is-missing";
import { printLine } from "@pro-talent/platform/runtime/operator";
import { runCommand } from "@pro-talent/platform/runtime/run-command";

import { withSecrets } from "./secrets.ts";

const at = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url));

/** `npm run secrets`: writes the secrets of the containers to .env, for this user alone. */
await runCommand(async () => {
  const existing = await readFile(at(".env"), "utf8").catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  const { text, added } = withSecrets(await readFile(at(".env.example"), "utf8"), existing);
  if (added.length > 0) await writeFile(at(".env"), text, { mode: 0o600 });
  printLine(`${added.length} secrets were added to .env; those that it had are unchanged.`);
  return 0;
});

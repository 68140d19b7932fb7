import { Readable } from "node:stream";

import type { Instant } from "@pro-talent/schemas/primitives/instant";

import type { Questions } from "./ask.ts";
import { everyHeldOpen, heldParams } from "./questions/held-opens.ts";
import { openView, VisitorNumbers } from "./views.ts";

/**
 * Every request for the links of an account that is stored, as its owner sees it, one in a line of JSON.
 * Visitors are numbers of each link: what they are known by is not the owner's.
 */
export function exportOpens(questions: Questions, accountId: string, until: Instant): Readable {
  return Readable.from(linesOf(questions, accountId, until));
}

async function* linesOf(
  questions: Questions,
  accountId: string,
  until: Instant,
): AsyncGenerator<string> {
  const numbers = new VisitorNumbers();
  for await (const rows of questions.streamed(everyHeldOpen, heldParams(accountId, until)))
    yield rows.map((row) => `${JSON.stringify(openView(row, numbers))}\n`).join("");
}

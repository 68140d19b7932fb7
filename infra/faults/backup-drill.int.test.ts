import { expect, it } from "vitest";

import { temporaryDirectory } from "../embedded/testing/temporary-directory.ts";
import { asideDrill, purgeDrill } from "./backup-drill.ts";

it.each([
  ["a purge", purgeDrill],
  ["the begin of a restore", asideDrill],
])(
  "%s that is killed leaves nothing that stops the next one, and deletes nothing else",
  async (_what, drill) => {
    const directory = await temporaryDirectory();
    const options = { directory: directory.path, seed: 7, kills: 3, report: () => undefined };
    const { statement, holds, figures } = await drill(options);
    await directory.remove();
    expect({ statement, holds, figures }).toEqual({ statement, holds: true, figures });
  },
  120_000,
);

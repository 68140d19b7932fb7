import { readFileSync } from "node:fs";

import { readCvDocument } from "@pro-talent/schemas/studio/migrate";
import { expect, it } from "vitest";

it("a document of version 1 is read as it was stored", () => {
  const file = `${import.meta.dirname}/fixtures/document.v1.json`;
  const frozen: unknown = JSON.parse(readFileSync(file, "utf8"));
  expect(readCvDocument(frozen)).toEqual(frozen);
});

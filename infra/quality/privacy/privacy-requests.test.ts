import { requestTypes } from "@pro-talent/schemas/privacy/request";
import { transitions } from "@pro-talent/schemas/privacy/transitions";
import { expect, it } from "vitest";

import { describeRequests } from "./describe-requests.ts";

it("the document of privacy requests is the one of the table of transitions", async () => {
  await expect(describeRequests()).toMatchFileSnapshot("../../docs/privacy-requests.md");
});

it("names every event that the table has", () => {
  const document = describeRequests();
  for (const type of requestTypes)
    for (const { event, to } of transitions[type].filter((row) => row.event !== "NoticeTried"))
      expect(document).toContain(`--> ${to}: ${event} (`);
});

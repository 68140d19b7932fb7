import { lookupCalls } from "@pro-talent/schemas/privacy/lookup";
import { afterAll, beforeAll, expect, it } from "vitest";

import { openPrivacy, requestIn } from "./testing/open-privacy.ts";

let privacy: Awaited<ReturnType<typeof openPrivacy>>;
const accounts = new Map<string, string>();
beforeAll(async () => {
  privacy = await openPrivacy({ accountOf: async (email) => accounts.get(email) ?? null });
});
afterAll(() => privacy.close());

it("an officer finds the requests of an address; who looked is recorded, and the address nowhere", async () => {
  const dana = privacy.person();
  accounts.set(dana.email, dana.accountId);
  const copy = requestIn(await dana.send("POST", "/access", {})).requestId;
  const deletion = requestIn(await dana.askForDeletion()).requestId;
  const officer = privacy.officer();
  const look = async (email: string) => {
    const answer = await officer.call("POST", "/api/console/privacy/lookup", {
      payload: { email },
    });
    const { requests } = lookupCalls["POST /api/console/privacy/lookup"].answer.parse(
      answer.json(),
    );
    return requests.map(({ requestId }) => requestId);
  };
  expect((await look(dana.email)).toSorted()).toEqual([copy, deletion].toSorted());
  expect(await look("unknown@example.com")).toEqual([]);
  const recorded = await privacy.ledger.owner<{ data: string; meta: string }[]>`
    select data, meta from ledger.event where type = 'RequestsLookedUp' order by pos`;
  expect(recorded.map(({ data }): unknown => JSON.parse(data))).toEqual([
    { officerId: officer.accountId, accountId: dana.accountId, found: 2 },
    { officerId: officer.accountId, accountId: null, found: 0 },
  ]);
  expect(JSON.stringify(recorded)).not.toContain("@");
  // A deletion sealed its reason under the address: it is found by that too, when the account is gone.
  accounts.clear();
  expect(await look(dana.email)).toEqual([deletion]);
  const person = await dana.call("POST", "/api/console/privacy/lookup", {
    payload: { email: dana.email },
  });
  expect(person.statusCode).toBe(403);
});

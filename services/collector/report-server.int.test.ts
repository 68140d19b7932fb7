import { TrackResults, analyticsPaths as paths } from "@pro-talent/schemas/analytics/wire";
import { v7 as uuidV7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  type CollectorsAndLedger,
  startCollectorsAndLedger,
} from "./testing/collectors-and-ledger.ts";

const serverKeys = [
  "new-key-of-a-server-00000000000000001",
  "old-key-of-a-server-00000000000000002",
];

let product: CollectorsAndLedger;
beforeAll(async () => {
  product = await startCollectorsAndLedger({ serverKeys });
});
afterAll(() => product.stop());

const headersWith = (key: string | undefined) => ({
  "user-agent": "node",
  ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
});
const event = { eventType: "signup_completed", eventData: { plan: "free" } };

async function server() {
  const collector = await product.another();
  const report = async (body: object) => {
    const answer = await collector.post(paths.serverEvents, body, headersWith(serverKeys[0]));
    expect(answer.status).toBe(202);
    return TrackResults.parse(answer.body).results;
  };
  return { collector, report };
}

describe("an event that a server reports", () => {
  it("of a consenting visitor's session is stored, without anything of the server", async () => {
    const { collector, report } = await server();
    const { sessionId } = await collector.start({ landingPage: "/pricing" });
    await collector.consent(sessionId, { hasConsent: true, consentType: "detailed" });
    const eventId = uuidV7();
    expect(await report({ sessionId, events: [{ ...event, eventId }, {}] })).toEqual([
      { status: 202, outcome: "stored" },
      { status: 422, code: "invalid_body" },
    ]);
    const row = (await collector.spooled()).events.at(-1);
    expect(row).toMatchObject({
      event_id: eventId,
      claim: true,
      kind: "custom",
      event_type: "signup_completed",
      event_data: '{"plan":"free"}',
      session_id: sessionId.slice(0, 36),
      entry_page: "/pricing",
    });
    expect(row).toMatchObject({
      browser: "",
      os: "",
      device_class: "",
      country: "",
      city: "",
      is_bot: 0,
    });
  });

  it("has the time of the server's clock, whatever the device's clock says", async () => {
    const { collector, report } = await server();
    const startedMs = Date.UTC(2026, 2, 1, 8);
    const minuteMs = 60_000;
    collector.time.atMs = startedMs;
    const { sessionId } = await collector.start({ deviceTime: startedMs + 5 * minuteMs });
    await collector.consent(sessionId, { hasConsent: true, consentType: "detailed" });
    collector.time.atMs = startedMs + 10 * minuteMs;
    await report({ sessionId, events: [{ ...event, occurredAt: startedMs + 7 * minuteMs }] });
    const row = (await collector.spooled()).events.at(-1);
    expect(row).toMatchObject({ occurred_at: "2026-03-01T08:07:00.000Z", time_source: "device" });
  });

  it("of a visitor who does not consent is counted", async () => {
    const { collector, report } = await server();
    const { sessionId } = await collector.start();
    expect(await report({ sessionId, events: [event] })).toEqual([
      { status: 202, outcome: "counted", reason: "no_consent" },
    ]);
    expect((await collector.spooled()).events).toEqual([]);
  });

  it("of no session is counted by its type once, and its data is not kept", async () => {
    const { collector, report } = await server();
    const events = [{ ...event, eventData: { email: "jane@example.org" }, eventId: uuidV7() }];
    await report({ events });
    await report({ events });
    const { counters } = await collector.spooled();
    expect(counters.map(({ metric, label, count }) => ({ metric, label, count }))).toEqual([
      { metric: "server_event", label: "signup_completed", count: 1 },
    ]);
    expect(await collector.spoolText()).not.toContain("jane");
  });

  it("of a session that is not known is refused", async () => {
    const body = { sessionId: "unknown", events: [event] };
    const answer = await product.collector.post(
      paths.serverEvents,
      body,
      headersWith(serverKeys[0]),
    );
    expect(answer).toMatchObject({ status: 404, body: { code: "unknown_session" } });
  });
});

describe("the key of a server", () => {
  const answerTo = async (key: string | undefined, keys: readonly string[]) => {
    const collector = await product.another({ serverKeys: keys });
    return (await collector.post(paths.serverEvents, { events: [event] }, headersWith(key))).status;
  };

  it("is any of those in the environment, so that one can be changed", async () => {
    for (const key of serverKeys) expect(await answerTo(key, serverKeys)).toBe(202);
  });

  it("is needed: without, with another, and where there is none, the call is refused", async () => {
    for (const key of [undefined, "", "another", `${serverKeys[0]}x`, serverKeys.join()]) {
      expect(await answerTo(key, serverKeys)).toBe(401);
    }
    expect(await answerTo(undefined, [])).toBe(401);
    expect(await answerTo("", [])).toBe(401);
  });
});

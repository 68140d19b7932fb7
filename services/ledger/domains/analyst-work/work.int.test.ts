import { randomUUID } from "node:crypto";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { testCause } from "../../testing/create-test-ledger.ts";
import { savedWorkEraser } from "./erase-work.ts";
import { savedWorkHeld } from "./held-work.ts";
import { openWorkService, queryOf } from "./testing/work-service.ts";

let service: Awaited<ReturnType<typeof openWorkService>>;
beforeAll(async () => {
  service = await openWorkService();
});
afterAll(() => service.close());

const text = "SELECT channel, uniqExact(visitor_id) FROM sessions GROUP BY channel";
const person = (accountId: string) => ({ accountId, email: null });
const erase = (accountId: string) =>
  savedWorkEraser.erase(service.worker, person(accountId), {
    now: service.now(),
    cause: testCause(),
  });
const titles = (answer: { json: <T>() => T }) =>
  answer.json<{ saved: { title: string }[] }>().saved.map(({ title }) => title);

describe("a saved query", () => {
  it("has versions; saving over a newer one is refused, and nothing is lost", async () => {
    const analyst = service.account();
    const key = randomUUID();
    const body = { title: "By channel", content: queryOf(text) };
    const first = await analyst.send("POST", "saved", body, key);
    expect(first.statusCode).toBe(201);
    const again = await analyst.send("POST", "saved", body, key);
    expect(again.json()).toEqual(first.json());
    const { saved } = first.json<{ saved: { workId: string } }>();
    const path = `saved/${saved.workId}`;
    const content = queryOf(`${text} ORDER BY channel`);
    const versions = `${path}/versions`;
    const second = await analyst.send("POST", versions, { expectedVersion: 1, content });
    expect(second.json()).toMatchObject({
      saved: {
        title: "By channel",
        version: 2,
        content,
        versions: [{ version: 2 }, { version: 1 }],
      },
    });
    const conflict = { expectedVersion: 1, content: queryOf("SELECT 1") };
    expect(await analyst.code("POST", versions, conflict)).toBe("work_changed");
    expect((await analyst.send("GET", `${versions}/1`)).json()).toEqual({ content: queryOf(text) });
    expect(await analyst.code("GET", `${versions}/3`)).toBe("version_not_found");
    await analyst.send("PUT", `${path}/title`, { title: "Channels" });
    expect(titles(await analyst.send("GET", "saved"))).toEqual(["Channels"]);
  });

  it("is private; shared with a role, its members read it and no one else does", async () => {
    const [owner, colleague] = [service.account(), service.account()];
    const administrator = service.account(["holder", "administrator"]);
    const { workId } = await owner.save("Private", queryOf(text));
    const path = `saved/${workId}`;
    expect(await colleague.code("GET", path)).toBe("work_not_found");
    await owner.send("PUT", `${path}/sharing`, { sharedWith: ["analyst"] });
    expect((await colleague.send("GET", path)).json()).toMatchObject({
      saved: { isOwn: false, isHandedOver: false, sharedWith: ["analyst"], content: { text } },
    });
    expect(await administrator.code("GET", path)).toBe("work_not_found");
    expect(await colleague.code("PUT", `${path}/title`, { title: "Mine" })).toBe("work_not_yours");
    expect(titles(await colleague.send("GET", "saved"))).toContain("Private");
    await owner.send("PUT", `${path}/sharing`, { sharedWith: [] });
    expect(await colleague.code("GET", path)).toBe("work_not_found");
  });

  it("keeps what was written sealed, out of events and logs", async () => {
    const owner = service.account();
    const marked = "unmistakable-words";
    await owner.save(marked, queryOf(`SELECT '${marked}'`));
    const [stored] = await service.ledger.owner<{ all: string }[]>`
      select string_agg(data || meta, '') || (select string_agg(w::text, '') from ledger.saved_work w) as all
        from ledger.event`;
    expect(stored?.all).not.toContain(marked);
  });

  it("is archived and restored, and found in neither state by those who may not", async () => {
    const owner = service.account();
    const { workId } = await owner.save("Old", queryOf(text));
    const archived = await owner.send("POST", `saved/${workId}/archive`);
    expect(archived.json()).toMatchObject({ saved: { archivedAt: expect.any(String) } });
    const rename = ["PUT", `saved/${workId}/title`, { title: "New" }] as const;
    expect(await owner.code(...rename)).toBe("work_archived");
    await owner.send("POST", `saved/${workId}/restore`);
    expect(await owner.code(...rename)).toBeUndefined();
  });
});

describe("a dashboard", () => {
  const tileOf = (queryId: string) => ({
    tileId: randomUUID(),
    title: "",
    width: 1 as const,
    source: { kind: "query" as const, queryId },
  });
  const range = { kind: "last" as const, days: 30 };
  const dashboardOf = (...tiles: object[]) => ({ kind: "dashboard", tiles, range });
  const askTile = (workId: string, tileId: string, accountId: string, roles: string[]) =>
    service.app.inject({
      method: "POST",
      url: `/internal/analyst-work/${workId}/tiles/${tileId}`,
      headers: { authorization: `Bearer ${service.internalToken}` },
      payload: { accountId, roles },
    });

  it("has tiles of queries that its owner may see and whose visitors are counted", async () => {
    const [owner, colleague] = [service.account(), service.account()];
    const uncounted = await owner.save("Free", queryOf("SELECT 1"));
    const theirs = await colleague.save("Theirs", queryOf(text));
    const create = async (workId: string) =>
      (
        await owner.send("POST", "saved", { title: "D", content: dashboardOf(tileOf(workId)) })
      ).json<object>();
    expect(await create(uncounted.workId)).toMatchObject({
      code: "query_not_withheld",
      errors: [{ message: "It must count its visitors." }],
    });
    expect(await create(theirs.workId)).toMatchObject({ code: "work_not_found" });
  });

  it("shows with it the queries of its owner, to those it is shared with, and until they are archived", async () => {
    const owner = service.account();
    const query = await owner.save("By channel", queryOf(text));
    const tile = tileOf(query.workId);
    const { workId } = await owner.save("Week", dashboardOf(tile));
    const asked = (accountId: string, ...roles: string[]) =>
      askTile(workId, tile.tileId, accountId, roles);
    const seen = { kind: "query", title: "By channel", content: { text } };
    expect((await asked(owner.accountId, "analyst")).json()).toMatchObject(seen);
    const [another, administrator] = [randomUUID(), "administrator"];
    expect((await asked(another, administrator)).json()).toMatchObject({ code: "work_not_found" });
    await owner.send("PUT", `saved/${workId}/sharing`, { sharedWith: ["administrator"] });
    expect((await asked(another, administrator)).json()).toMatchObject(seen);
    expect((await asked(another, "analyst")).json()).toMatchObject({ code: "work_not_found" });
    await owner.send("POST", `saved/${query.workId}/archive`);
    expect((await asked(owner.accountId, "analyst")).json()).toMatchObject({
      code: "tile_not_found",
    });
  });
});

it("roles: administrators read, analysts write, others have no saved work", async () => {
  const administrator = service.account(["holder", "administrator"]);
  const outsiders = [service.account(["holder"]), service.account(["holder", "officer"])];
  const body = { title: "T", content: queryOf(text) };
  for (const outsider of outsiders) {
    expect(await outsider.code("GET", "saved")).toBe("forbidden");
    expect(await outsider.code("POST", "saved", body)).toBe("forbidden");
  }
  expect((await administrator.send("GET", "saved")).statusCode).toBe(200);
  expect(await administrator.code("POST", "saved", body)).toBe("forbidden");
  expect(await administrator.code("GET", "deliveries")).toBe("forbidden");
});

it("with the account of its owner private work is erased, and shared work is handed over", async () => {
  const [owner, colleague] = [service.account(), service.account()];
  const own = await owner.save("Mine alone", queryOf(text));
  const shared = await owner.save("Ours", queryOf(text));
  await owner.send("PUT", `saved/${shared.workId}/sharing`, { sharedWith: ["analyst"] });
  await owner.deliver(own);
  const held = () =>
    savedWorkHeld.collect(service.worker, {
      ...person(owner.accountId),
      at: service.now(),
      email: async () => null,
    });
  expect(JSON.stringify(await held())).toContain("Mine alone");
  expect(await savedWorkEraser.subjectsOf?.(service.worker, person(owner.accountId))).toEqual([
    own.workId,
  ]);
  expect(await erase(owner.accountId)).toEqual({ found: 3, left: 0 });
  expect(await held()).toEqual([]);
  expect(await service.worker.subjects.find(own.workId)).toBeUndefined();
  const path = `saved/${shared.workId}`;
  expect((await colleague.send("GET", path)).json()).toMatchObject({
    saved: { isHandedOver: true, isOwn: false, title: "Ours" },
  });
  const next = { expectedVersion: 1, content: queryOf(`${text} ORDER BY 1`) };
  expect((await colleague.send("POST", `${path}/versions`, next)).json()).toMatchObject({
    saved: { isOwn: true, isHandedOver: false, version: 2 },
  });
});

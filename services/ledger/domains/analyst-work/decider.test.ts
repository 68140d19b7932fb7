import type { SavedWorkEvent } from "@pro-talent/schemas/analysts/work-events";
import { describe, expect, it } from "vitest";

import { ignoredFixtures } from "../../kernel/testing/frozen-fixtures.ts";
import { specification } from "../../kernel/testing/given.ts";
import { type SavedWorkCommand, savedWorkDecider } from "./decider.ts";
import { savedWorkEvents } from "./saved-work.ts";

const given = specification(savedWorkDecider);
const ownerId = "1c8d5a8f-0b62-4b70-9e3f-4b206dafae21";
const otherId = "2c8d5a8f-0b62-4b70-9e3f-4b206dafae22";
const owner = { accountId: ownerId, roles: ["holder", "analyst"] };
const other = { accountId: otherId, roles: ["holder", "analyst"] };
const administrator = { accountId: otherId, roles: ["holder", "administrator"] };
const saved = (version: number, of = ownerId): SavedWorkEvent => ({
  type: "WorkSaved",
  data: { kind: "query", version, ownerId: of },
});
const shared: SavedWorkEvent = { type: "WorkSharingChanged", data: { sharedWith: ["analyst"] } };
const event = (type: Exclude<SavedWorkEvent["type"], "WorkSaved" | "WorkSharingChanged">) =>
  ({ type, data: {} }) as const;
const saves = (expectedVersion: number, by = owner): SavedWorkCommand => ({
  type: "SaveVersion",
  by,
  kind: "query",
  expectedVersion,
});

describe("saved work", () => {
  it("is created once, and has a new version whenever its owner saves one", () => {
    const creates = { type: "CreateWork", by: owner, kind: "query" } as const;
    given([])
      .when(creates)
      .then([saved(1)]);
    given([saved(1)])
      .when(creates)
      .thenRefuses("work_not_found");
    given([saved(1)])
      .when(saves(1))
      .then([saved(2)]);
    given([saved(1), saved(2)])
      .when(saves(1))
      .thenRefuses("work_changed");
    const asDashboard = { ...saves(1), kind: "dashboard" } as const;
    given([saved(1)])
      .when(asDashboard)
      .thenRefuses("work_not_found");
  });

  it("is unknown to others until it is shared with their role, and even then written by its owner alone", () => {
    given([saved(1)])
      .when(saves(1, other))
      .thenRefuses("work_not_found");
    given([saved(1), shared])
      .when(saves(1, administrator))
      .thenRefuses("work_not_found");
    given([saved(1), shared])
      .when(saves(1, other))
      .thenRefuses("work_not_yours");
    const shares = { type: "ShareWork", by: owner, sharedWith: ["analyst"] } as const;
    given([saved(1)])
      .when(shares)
      .then([shared]);
    given([saved(1), shared])
      .when(shares)
      .thenNothingChanges();
    given([saved(1), shared])
      .when({ ...shares, by: other })
      .thenRefuses("work_not_yours");
  });

  it("is not changed while it is archived", () => {
    const archived = event("WorkArchived");
    const archives = { type: "ArchiveWork", by: owner } as const;
    given([saved(1)])
      .when(archives)
      .then([archived]);
    given([saved(1), archived])
      .when(archives)
      .thenNothingChanges();
    given([saved(1), archived])
      .when(saves(1))
      .thenRefuses("work_archived");
    const restores = { type: "RestoreWork", by: owner } as const;
    given([saved(1), archived])
      .when(restores)
      .then([event("WorkRestored")]);
    given([saved(1), archived, event("WorkRestored")])
      .when(saves(1))
      .then([saved(2)]);
  });

  it("is erased with the account of its owner while it is private; what is shared is handed over", () => {
    const parts = { type: "PartWithOwner", ownerId } as const;
    given([saved(1)])
      .when(parts)
      .then([event("WorkErased")]);
    given([saved(1), event("WorkErased")])
      .when(parts)
      .thenNothingChanges();
    given([saved(1), event("WorkErased")])
      .when(saves(1))
      .thenRefuses("work_not_found");
    given([saved(1), shared])
      .when(parts)
      .then([event("WorkHandedOver")]);
    given([saved(1), shared])
      .when({ ...parts, ownerId: otherId })
      .thenNothingChanges();
  });

  it("that was handed over belongs to the one who saves it next", () => {
    const history = [saved(1), shared, event("WorkHandedOver")];
    given(history).when(saves(1, administrator)).thenRefuses("work_not_found");
    const hides = { type: "ShareWork", by: other, sharedWith: [] } as const;
    given(history).when(hides).thenRefuses("work_not_yours");
    given(history)
      .when(saves(1, other))
      .then([saved(2, otherId)]);
    given([...history, saved(2, otherId)])
      .when(saves(2))
      .thenRefuses("work_not_yours");
  });
});

it("every event that was ever stored changes a state, or its title alone", () => {
  const fixtures = `${import.meta.dirname}/fixtures`;
  expect(ignoredFixtures(fixtures, savedWorkEvents, savedWorkDecider)).toEqual([
    "work-renamed.v1.json",
  ]);
});

import type { LinkEvent } from "@pro-talent/schemas/links/events";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { describe, expect, it } from "vitest";

import { ignoredFixtures } from "../../kernel/testing/frozen-fixtures.ts";
import { specification } from "../../kernel/testing/given.ts";
import { type LinkCommand, linkDecider } from "./decider.ts";
import { linkEvents } from "./links.ts";

const accountId = "00000000-0000-4000-8000-000000000001";
const other = "00000000-0000-4000-8000-000000000002";
const now = instantFromMs(Date.UTC(2026, 0, 5));
const given = specification(linkDecider, now);

const description = { target: "profile", fileId: null, locked: false, expiresAt: null } as const;
const expiring = (ms: number) => ({ ...description, expiresAt: instantFromMs(ms) });
const creates: LinkCommand = { type: "CreateLink", accountId, custom: true, description };
const created: LinkEvent = { type: "LinkCreated", data: { accountId, custom: true } };
const described: LinkEvent = { type: "LinkDescribed", data: description };
const held = [created, described];
const revoked: LinkEvent = { type: "LinkRevoked", data: {} };
const restored: LinkEvent = { type: "LinkRestored", data: {} };
const takenDown: LinkEvent = { type: "LinkTakenDown", data: { reason: "phishing" } };
const reinstated: LinkEvent = { type: "LinkReinstated", data: {} };
const deleted: LinkEvent = { type: "LinkErased", data: { reason: "deleted" } };
const reported: LinkEvent = { type: "LinkReported", data: { reason: "phishing" } };
const by = (type: "RevokeLink" | "RestoreLink" | "DeleteLink", owner = accountId): LinkCommand => ({
  type,
  accountId: owner,
});

describe("a link", () => {
  it("is created with a code that no link had before", () => {
    given([]).when(creates).then(held);
    given(held).when(creates).thenRefuses("code_taken");
    given([...held, deleted])
      .when(creates)
      .thenRefuses("code_taken");
  });

  it("cannot end before it begins", () => {
    given([])
      .when({ ...creates, description: expiring(Date.UTC(2026, 0, 5)) })
      .thenRefuses("expiry_past");
  });

  it("is described anew by its owner, also after its end", () => {
    const ended: LinkEvent = { type: "LinkDescribed", data: expiring(Date.UTC(2026, 0, 4)) };
    const locked = { ...ended.data, locked: true };
    given([created, ended])
      .when({ type: "DescribeLink", accountId, description: locked })
      .then([{ type: "LinkDescribed", data: locked }]);
    given(held)
      .when({ type: "DescribeLink", accountId, description: ended.data })
      .thenRefuses("expiry_past");
  });

  it("is revoked and restored, each once", () => {
    given(held).when(by("RevokeLink")).then([revoked]);
    given([...held, revoked])
      .when(by("RevokeLink"))
      .thenNothingChanges();
    given([...held, revoked])
      .when(by("RestoreLink"))
      .then([restored]);
    given([...held, revoked, restored])
      .when(by("RestoreLink"))
      .thenNothingChanges();
  });

  it("is unknown to every other account, and once it is deleted", () => {
    for (const type of ["RevokeLink", "RestoreLink", "DeleteLink"] as const) {
      given(held).when(by(type, other)).thenRefuses("link_not_found");
      given([...held, deleted])
        .when(by(type))
        .thenRefuses("link_not_found");
      given([]).when(by(type)).thenRefuses("link_not_found");
    }
  });

  it("is erased with the account, once", () => {
    given(held)
      .when({ type: "EraseLink" })
      .then([{ type: "LinkErased", data: { reason: "account-closed" } }]);
    given([...held, deleted])
      .when({ type: "EraseLink" })
      .thenNothingChanges();
  });
});

describe("a reported link", () => {
  it("counts its reports, up to fifty", () => {
    given(held).when({ type: "ReportLink", reason: "phishing" }).then([reported]);
    given([...held, ...Array.from({ length: 50 }, () => reported)])
      .when({ type: "ReportLink", reason: "other" })
      .thenNothingChanges();
  });

  it("is taken down by an administrator, and its owner cannot restore it", () => {
    given(held).when({ type: "TakeDownLink", reason: "phishing" }).then([takenDown]);
    given([...held, revoked, takenDown])
      .when(by("RestoreLink"))
      .thenRefuses("link_taken_down");
    given([...held, takenDown])
      .when({ type: "ReinstateLink" })
      .then([reinstated]);
    given(held).when({ type: "ReinstateLink" }).thenNothingChanges();
  });
});

it("every event that was ever stored changes a state", () => {
  const fixtures = `${import.meta.dirname}/fixtures`;
  expect(ignoredFixtures(fixtures, linkEvents, linkDecider)).toEqual([]);
});

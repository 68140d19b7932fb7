import { expect, test } from "vitest";

import { followsLink, linkEvent } from "./link-kind.ts";

const host = "pro-talent.example";

function eventOf(address: string, isDownload = false) {
  const {
    protocol,
    hostname,
    host: linked,
    pathname,
  } = new URL(address, `https://${host}/pricing`);
  const event = linkEvent({ protocol, hostname, host: linked, pathname, isDownload }, host);
  return event && [event.eventType, event.eventData];
}

test.each([
  ["/about", undefined],
  ["#plans", undefined],
  ["?lang=he", undefined],
  ["https://www.example.org/u/jane?token=1", ["outbound_link", { domain: "example.org" }]],
  ["http://pro-talent.example:8443/", ["outbound_link", { domain: "pro-talent.example" }]],
  ["/files/Guide.PDF?x=1", ["file_download", { path: "/files/Guide.PDF" }]],
  ["https://files.example.org/guide.pdf", ["outbound_link", { domain: "files.example.org" }]],
  ["mailto:jane@example.org", ["contact_link", { kind: "mailto" }]],
  ["tel:+972541234567", ["contact_link", { kind: "tel" }]],
  ["javascript:void 0", undefined],
  ["blob:https://pro-talent.example/6f6", undefined],
])("the link %s reports %j", (address, reported) => {
  expect(eventOf(address)).toEqual(reported);
});

test("a file is one by its attribute as well as by its name", () => {
  expect(eventOf("/api/export", true)).toEqual(["file_download", { path: "/api/export" }]);
});

test("the middle button follows a link, the right one opens a menu", () => {
  expect(followsLink({ type: "click", button: 0 })).toBe(true);
  expect(followsLink({ type: "auxclick", button: 1 })).toBe(true);
  expect(followsLink({ type: "auxclick", button: 2 })).toBe(false);
});

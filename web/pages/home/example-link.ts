import type { TFunction } from "i18next";

import type { LinkOpen, LinkRecord } from "../../features/links/link-record.ts";

/** An invented link for the product visual; the page says that it is invented. */
export function exampleLink(t: TFunction<"home">): LinkRecord {
  const telAviv = { country: "IL", region: t("example.regions.telAviv") };
  const berlin = { country: "DE", region: t("example.regions.berlin") };
  const england = { country: "GB", region: t("example.regions.england") };
  const open = (
    day: number,
    clock: string,
    place: Omit<LinkOpen, "at" | "visitor">,
    visitor: number,
  ) => ({
    at: `2025-11-${String(day).padStart(2, "0")}T${clock}:00.000Z`,
    visitor,
    ...place,
  });
  return {
    label: t("example.label"),
    address: "/l/harbour-studio",
    sharedAt: "2025-11-03T08:10:00.000Z",
    timeZone: "Asia/Jerusalem",
    zoneName: t("example.zone"),
    days: 14,
    opens: [
      open(4, "07:42", telAviv, 1),
      open(5, "08:15", telAviv, 2),
      open(5, "08:51", telAviv, 1),
      open(5, "14:30", berlin, 3),
      open(6, "09:05", telAviv, 1),
      open(9, "07:20", telAviv, 2),
      open(10, "08:02", berlin, 4),
      open(10, "08:40", berlin, 3),
      open(10, "11:17", berlin, 4),
      open(10, "15:55", england, 5),
      open(11, "10:12", england, 5),
      open(11, "13:26", telAviv, 2),
      open(15, "16:04", berlin, 6),
      open(16, "07:42", berlin, 6),
    ],
    exclusions: [
      { at: "2025-11-03T08:11:00.000Z", reason: "preview" },
      { at: "2025-11-03T08:11:02.000Z", reason: "preview" },
      { at: "2025-11-03T08:14:00.000Z", reason: "scanner" },
      { at: "2025-11-05T08:15:00.000Z", reason: "preview" },
      { at: "2025-11-05T08:15:30.000Z", reason: "scanner" },
      { at: "2025-11-10T08:00:00.000Z", reason: "scanner" },
      { at: "2025-11-12T03:12:00.000Z", reason: "crawler" },
    ],
  };
}

import { parseBody } from "@pro-talent/platform/http/parse-body";
import { SiteEvent } from "@pro-talent/schemas/analytics/site-events";
import type { TrackEvent } from "@pro-talent/schemas/analytics/wire";

import { domainOf } from "./enrich/arrival.ts";
import { pagePath } from "./page-path.ts";

const reserved: ReadonlySet<string> = new Set(
  SiteEvent.options.map(({ shape }) => shape.eventType.value),
);

/**
 * How an event with a reserved name is stored: what was clicked is an action of the visitor, what was
 * measured is none. Undefined for any other name.
 * @throws ProblemError `invalid_body` for data of another form
 */
export function siteEvent(
  body: Pick<TrackEvent, "eventType" | "eventData">,
): { kind: "custom" | "measurement"; eventData: string } | undefined {
  if (!reserved.has(body.eventType)) return undefined;
  const event = parseBody(SiteEvent, body);
  const measured = event.eventType === "page_engagement" || event.eventType === "web_vital";
  return {
    kind: measured ? "measurement" : "custom",
    eventData: JSON.stringify(storedData(event)),
  };
}

/** A whole address loses all but its domain, and a path what may name a person. */
function storedData(event: SiteEvent): object {
  if (event.eventType === "outbound_link") {
    const { domain } = event.eventData;
    return { domain: domainOf(domain.includes(":") ? domain : `https://${domain}`) };
  }
  if (event.eventType !== "file_download") return event.eventData;
  const path = pagePath(event.eventData.path);
  return { path, extension: /\.([a-z0-9]{1,8})$/.exec(path)?.[1] ?? "" };
}

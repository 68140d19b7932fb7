import type { SentSiteEvent } from "@pro-talent/schemas/analytics/site-events";

export type LinkEvent = Extract<
  SentSiteEvent,
  { eventType: "outbound_link" | "file_download" | "contact_link" }
>;

const contact: Readonly<Record<string, "mailto" | "tel" | "sms">> = {
  "mailto:": "mailto",
  "tel:": "tel",
  "sms:": "sms",
};
const file = /\.(?:pdf|docx?|xlsx?|pptx?|odt|rtf|txt|csv|json|xml|zip|gz|ics|vcf|mp[34]|webm)$/i;

type Link = Pick<HTMLAnchorElement, "protocol" | "hostname" | "host" | "pathname"> & {
  isDownload: boolean;
};

/**
 * What a followed link reports: of another site the domain alone, of an own file its path, of an
 * address of a person only the kind. Undefined for a page of the site itself.
 * @param ownHost host and port of the site
 */
export function linkEvent(link: Link, ownHost: string): LinkEvent | undefined {
  const kind = contact[link.protocol];
  if (kind !== undefined) return { eventType: "contact_link", eventData: { kind } };
  if (link.protocol !== "https:" && link.protocol !== "http:") return undefined;
  if (link.host !== ownHost) {
    const domain = link.hostname.replace(/^www\./, "");
    return { eventType: "outbound_link", eventData: { domain } };
  }
  if (!link.isDownload && !file.test(link.pathname)) return undefined;
  return { eventType: "file_download", eventData: { path: link.pathname } };
}

/** Whether a press follows a link: with any key held, and with the middle button, but no other. */
export const followsLink = ({ type, button }: Pick<MouseEvent, "type" | "button">): boolean =>
  type === "auxclick" ? button === 1 : button === 0;

import { routes } from "../app/routes.ts";
import { isListed } from "../app/seo/page-address.ts";

/** Unknown path: answered with the page for unknown paths and status 404. */
export const unknownPath = "/nowhere";

/** Every page by an address that a visitor can request. */
export const sitePaths: readonly string[] = routes.map(({ path }) =>
  path === "/404" ? unknownPath : path,
);

/** Pages that no page links to: reached from a mail or a form. */
export const unlinkedPaths: readonly string[] = routes
  .filter((route) => !isListed(route))
  .map(({ path }) => (path === "/404" ? unknownPath : path));

/** Script that stores a consent choice, so that no banner is shown. */
export const consentGiven = `localStorage.setItem('cookieConsentGiven','true');
  localStorage.setItem('cookiePreferences','{"essential":true,"analytics":false,"doNotTrack":false}');`;

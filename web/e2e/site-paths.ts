import { routes } from "../app/routes.ts";
import { isListed } from "../app/seo/page-address.ts";

/** A path that nobody knows: it is answered with the page for such paths, and with status 404. */
export const unknownPath = "/nowhere";

/** Every page of the site by an address that a visitor can ask for. */
export const sitePaths: readonly string[] = routes.map(({ path }) =>
  path === "/404" ? unknownPath : path,
);

/** Pages that no other page links to: a mail or the answer to a form leads there. */
export const unlinkedPaths: readonly string[] = routes
  .filter((route) => !isListed(route))
  .map(({ path }) => (path === "/404" ? unknownPath : path));

/** A choice made before, so that the page is seen without the banner. */
export const consentGiven = `localStorage.setItem('cookieConsentGiven','true');
  localStorage.setItem('cookiePreferences','{"essential":true,"analytics":false,"doNotTrack":false}');`;

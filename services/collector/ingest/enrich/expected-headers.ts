import type { IncomingHttpHeaders } from "node:http";

/** What a browser is known to send with each request over TLS, read from its user agent. */
export type ExpectedHeaders = {
  /** `sec-fetch-*`: Chromium from 80, Firefox from 90, Safari from 16.4. */
  fetchMetadata: boolean;
  /** `sec-ch-ua` and its kin: Chromium from 90. */
  clientHints: boolean;
  /** Its version of Chromium, and 0 when it has another engine and so sends no hints. */
  chromium: number | undefined;
};

const unknown: ExpectedHeaders = { fetchMetadata: false, clientHints: false, chromium: undefined };

/**
 * The whole text of a browser; apps that show pages add to it or leave out a part, and do not send
 * what the browser sends.
 */
const chromium =
  /^Mozilla\/5\.0 \((?![^)]*; wv)[^)]*\) AppleWebKit\/537\.36 \(KHTML, like Gecko\) Chrome\/(?<version>\d+)[\d.]* (?:Mobile )?Safari\/537\.36(?: EdgA?\/[\d.]+)?$/;
const firefox =
  /^Mozilla\/5\.0 \([^)]*; rv:[\d.]+\) Gecko\/[\d.]+ Firefox\/(?<version>\d+)\.[\d.]+$/;
const safari =
  /^Mozilla\/5\.0 \((?:Macintosh|iPhone|iPad);[^)]*\) AppleWebKit\/[\d.]+ \(KHTML, like Gecko\) Version\/(?<version>\d+\.\d)[\d.]* (?:Mobile\/\w+ )?Safari\/[\d.]+$/;

const versionIn = (text: string, browser: RegExp): number =>
  Number(browser.exec(text)?.groups?.["version"] ?? 0);

/** What the browser of a user agent sends; nothing is expected of one that is not known. */
export function expectedHeaders(text: string): ExpectedHeaders {
  const major = versionIn(text, chromium);
  if (major > 0) return { fetchMetadata: major >= 80, clientHints: major >= 90, chromium: major };
  const otherEngine = { clientHints: false, chromium: 0 };
  const gecko = versionIn(text, firefox);
  if (gecko > 0) return { ...otherEngine, fetchMetadata: gecko >= 90 };
  // The releases of Safari have one digit after the point.
  const webkit = versionIn(text, safari);
  return webkit > 0 ? { ...otherEngine, fetchMetadata: webkit >= 16.4 } : unknown;
}

/** How each platform of a client hint appears in a user agent. */
const platforms: Readonly<Record<string, RegExp>> = {
  Windows: /Windows NT/,
  macOS: /Macintosh/,
  Android: /Android|X11; Linux/,
  Linux: /Linux/,
  "Chrome OS": /CrOS/,
  "Chromium OS": /CrOS/,
};

/** Whether client hints name another engine, version, system or form than the user agent does. */
export function contradictsHints(headers: IncomingHttpHeaders, expected: ExpectedHeaders): boolean {
  const brands = headers["sec-ch-ua"];
  if (brands === undefined || expected.chromium === undefined) return false;
  if (expected.chromium === 0) return true;
  const agent = headers["user-agent"] ?? "";
  const version = /"Chromium";v="(?<major>\d+)/.exec(String(brands))?.groups?.["major"];
  const platform = String(headers["sec-ch-ua-platform"] ?? "").replaceAll('"', "");
  return (
    (version !== undefined && Number(version) !== expected.chromium) ||
    platforms[platform]?.test(agent) === false ||
    (headers["sec-ch-ua-mobile"] === "?1" && /Windows NT|Macintosh|CrOS/.test(agent))
  );
}

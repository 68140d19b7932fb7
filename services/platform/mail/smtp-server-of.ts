export type SmtpServer = {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly requireTLS: boolean;
  readonly ignoreTLS: boolean;
  readonly auth?: { readonly user: string; readonly pass: string };
};

const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/;

/**
 * The mail server that an address means. A password never travels unencrypted, unless it stays on
 * this machine.
 * @throws {TypeError} without the address in it: it may hold a password
 */
export function smtpServerOf(smtpUrl: string): SmtpServer {
  const url = URL.canParse(smtpUrl) ? new URL(smtpUrl) : undefined;
  if (url === undefined || !/^smtps?:$/.test(url.protocol) || url.hostname === "") {
    throw new TypeError("The mail server's address begins with smtp:// or smtps://.");
  }
  const secure = url.protocol === "smtps:";
  const host = url.hostname.replaceAll(/^\[|\]$/g, "");
  const here = loopback.test(host);
  const user = decoded(url.username);
  return {
    host,
    port: url.port === "" ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTLS: !secure && !here && user !== "",
    ignoreTLS: !secure && here,
    ...(user === "" ? {} : { auth: { user, pass: decoded(url.password) } }),
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new TypeError("User and password of the mail server are percent-encoded.");
  }
}

import { analyticsLimits, readerCookie } from "@pro-talent/schemas/analytics/limits";

/** Analytics ids are stored under these keys, only after consent (specification §3). */
export const analyticsStorageKey = "analytics-storage";
export const anonymousIdKey = "anonymousId";
/** In session storage, so that a reload continues the visit session. */
export const visitSessionKey = "analytics-session";

export type StoredVisitSession = { sessionId: string; lastActiveMs: number };

/** The part of `Storage` in use; access may throw where storage is blocked. */
export type BrowserStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

export type IdentityStore = {
  readAnonymousId: () => string | undefined;
  readVisitSession: (nowMs: number) => StoredVisitSession | undefined;
  keep: (anonymousId: string, session: StoredVisitSession | undefined) => void;
  /** Removes all ids. */
  forget: () => void;
};

function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    // Storage is blocked or broken: the ids stay in memory, which needs no consent.
    return undefined;
  }
}

function parseSession(text: string | null): StoredVisitSession | undefined {
  if (text === null) return undefined;
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed !== "object" || parsed === null) return undefined;
  const sessionId: unknown = Reflect.get(parsed, "sessionId");
  const lastActiveMs: unknown = Reflect.get(parsed, "lastActiveMs");
  if (typeof sessionId !== "string" || typeof lastActiveMs !== "number") return undefined;
  return { sessionId, lastActiveMs };
}

export function hasExpired(lastActiveMs: number, nowMs: number): boolean {
  return nowMs - lastActiveMs > analyticsLimits.sessionIdleMs;
}

const yearSeconds = 365 * 24 * 60 * 60;

/** Sent with shared links that are opened, and nowhere else. */
const cookieOfLinks = (anonymousId: string, seconds: number): string =>
  `${readerCookie}=${anonymousId}; path=/l/; max-age=${seconds}; samesite=lax`;

/**
 * Ids of a consenting visitor: the anonymous id in `local` and a cookie, the visit session in `tab`.
 * @param setCookie as the setter of `document.cookie`
 */
export function createIdentityStore(
  local: () => BrowserStorage,
  tab: () => BrowserStorage,
  setCookie: (cookie: string) => void,
): IdentityStore {
  return {
    readAnonymousId: () => attempt(() => local().getItem(anonymousIdKey) ?? undefined),
    readVisitSession(nowMs) {
      const session = attempt(() => parseSession(tab().getItem(visitSessionKey)));
      return session && !hasExpired(session.lastActiveMs, nowMs) ? session : undefined;
    },
    keep(anonymousId, session) {
      attempt(() => {
        local().setItem(analyticsStorageKey, JSON.stringify({ anonymousId }));
        local().setItem(anonymousIdKey, anonymousId);
      });
      setCookie(cookieOfLinks(anonymousId, yearSeconds));
      attempt(() => {
        if (session) tab().setItem(visitSessionKey, JSON.stringify(session));
      });
    },
    forget() {
      attempt(() => local().removeItem(analyticsStorageKey));
      attempt(() => local().removeItem(anonymousIdKey));
      attempt(() => tab().removeItem(visitSessionKey));
      setCookie(cookieOfLinks("", 0));
    },
  };
}

/** Over the storage of this browser. */
export const browserIdentityStore = (): IdentityStore =>
  createIdentityStore(
    () => localStorage,
    () => sessionStorage,
    (cookie) => {
      document.cookie = location.protocol === "https:" ? `${cookie}; secure` : cookie;
    },
  );

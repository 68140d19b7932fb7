import { analyticsLimits } from "@pro-talent/schemas/analytics/limits";

/** Where the browser keeps analytics ids, and only after consent (specification §3). */
export const analyticsStorageKey = "analytics-storage";
export const anonymousIdKey = "anonymousId";
/** Lives as long as the tab, so that a reload continues the session. */
export const sessionStorageKey = "analytics-session";

export type Session = { sessionId: string; lastActiveMs: number };

/** The part of `Storage` that is used; reading it may throw where storage is blocked. */
export type Shelf = Pick<Storage, "getItem" | "setItem" | "removeItem">;

export type IdentityStore = {
  readAnonymousId: () => string | undefined;
  readSession: (nowMs: number) => Session | undefined;
  keep: (anonymousId: string, session: Session | undefined) => void;
  /** Removes every trace at once. */
  forget: () => void;
};

function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    // Blocked or broken storage: the ids then live in memory alone, which is always allowed.
    return undefined;
  }
}

function parseSession(text: string | null): Session | undefined {
  if (text === null) return undefined;
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed !== "object" || parsed === null) return undefined;
  const sessionId: unknown = Reflect.get(parsed, "sessionId");
  const lastActiveMs: unknown = Reflect.get(parsed, "lastActiveMs");
  if (typeof sessionId !== "string" || typeof lastActiveMs !== "number") return undefined;
  return { sessionId, lastActiveMs };
}

/** Whether a session that was last active at `lastActiveMs` has ended by inactivity. */
export function hasExpired(lastActiveMs: number, nowMs: number): boolean {
  return nowMs - lastActiveMs > analyticsLimits.sessionIdleMs;
}

/** Ids of a consenting visitor in local storage (visitor) and session storage (session). */
export function createIdentityStore(local: () => Shelf, tab: () => Shelf): IdentityStore {
  return {
    readAnonymousId: () => attempt(() => local().getItem(anonymousIdKey) ?? undefined),
    readSession(nowMs) {
      const session = attempt(() => parseSession(tab().getItem(sessionStorageKey)));
      return session && !hasExpired(session.lastActiveMs, nowMs) ? session : undefined;
    },
    keep(anonymousId, session) {
      attempt(() => {
        local().setItem(analyticsStorageKey, JSON.stringify({ anonymousId }));
        local().setItem(anonymousIdKey, anonymousId);
      });
      attempt(() => {
        if (session) tab().setItem(sessionStorageKey, JSON.stringify(session));
      });
    },
    forget() {
      attempt(() => local().removeItem(analyticsStorageKey));
      attempt(() => local().removeItem(anonymousIdKey));
      attempt(() => tab().removeItem(sessionStorageKey));
    },
  };
}

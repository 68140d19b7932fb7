import { policy } from "./caddy-routes.ts";

type Instance = { readonly url: string; healthy: boolean; failedUntilMs: number };

/** How long a service has to be drained: until the gateway has noticed, and half a second more. */
export const drainMs = policy.everyMs + policy.timeoutMs + 500;

/** Instances of a service in turn, without those that say that they stop, or that just failed. */
export class InstancePool {
  readonly #instances: readonly Instance[];
  #checking: NodeJS.Timeout | undefined;
  #turn = 0;

  constructor(urls: readonly string[]) {
    this.#instances = urls.map((url) => ({ url, healthy: true, failedUntilMs: 0 }));
    // Of one alone nothing is chosen.
    if (urls.length > 1) this.#checking = setInterval(() => void this.#check(), policy.everyMs);
  }

  /** Undefined when none can be used now. */
  next(): { readonly url: string; readonly failed: () => void } | undefined {
    const now = performance.now();
    const usable = this.#instances.filter((one) => one.healthy && one.failedUntilMs <= now);
    this.#turn += 1;
    const instance = usable[this.#turn % usable.length];
    if (instance === undefined) return undefined;
    const failed = (): void => {
      instance.failedUntilMs = performance.now() + policy.failMs;
    };
    return { url: instance.url, failed };
  }

  stop(): void {
    clearInterval(this.#checking);
    this.#checking = undefined;
  }

  async #check(): Promise<void> {
    const check = async (instance: Instance): Promise<void> => {
      const signal = AbortSignal.timeout(policy.timeoutMs);
      const answered = fetch(`${instance.url}/healthz`, { signal });
      instance.healthy = await answered.then(
        ({ ok }) => ok,
        () => false,
      );
    };
    await Promise.all(this.#instances.map(check));
  }
}

/** Loaded before a process under a drill: its machine's clock is wrong by so much. */
const skewMs = Number(process.env["DRILL_CLOCK_SKEW_MS"] ?? 0);
const rightDate = Date;
const now = (): number => rightDate.now() + skewMs;

globalThis.Date = new Proxy(rightDate, {
  construct: (target, given, newTarget) => {
    const made: unknown = Reflect.construct(
      target,
      given.length === 0 ? [now()] : given,
      newTarget,
    );
    if (made instanceof rightDate) return made;
    throw new TypeError("Not a date");
  },
  apply: (): string => new rightDate(now()).toString(),
  get: (target, name): unknown => (name === "now" ? now : Reflect.get(target, name)),
});

/** A wish not to be measured that the browser states for its user. */
export type PrivacySignal = "dnt" | "gpc";

type SignalSource = { doNotTrack?: string | null; globalPrivacyControl?: boolean };

/** Do Not Track, or Global Privacy Control where that alone is on; undefined when neither is. */
export function readPrivacySignal(source: SignalSource): PrivacySignal | undefined {
  if (source.doNotTrack === "1" || source.doNotTrack === "yes") return "dnt";
  if (source.globalPrivacyControl === true) return "gpc";
  return undefined;
}

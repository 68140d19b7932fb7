/** A browser signal that its user does not want to be measured. */
export type PrivacySignal = "dnt" | "gpc";

type SignalSource = { doNotTrack?: string | null; globalPrivacyControl?: boolean };

/** Do Not Track takes precedence; undefined when neither signal is on. */
export function readPrivacySignal(source: SignalSource): PrivacySignal | undefined {
  if (source.doNotTrack === "1" || source.doNotTrack === "yes") return "dnt";
  if (source.globalPrivacyControl === true) return "gpc";
  return undefined;
}

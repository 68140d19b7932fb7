/** A browser signal that its user does not want to be measured. */
export type PrivacySignal = "dnt" | "gpc";

/** Do Not Track has three places: the standard's, older Safari's on the window, Microsoft's. */
type SignalSource = {
  doNotTrack?: string | null;
  navigator: {
    doNotTrack?: string | null;
    msDoNotTrack?: string | null;
    globalPrivacyControl?: boolean;
  };
};

/** Do Not Track takes precedence; undefined when neither signal is on. */
export function readPrivacySignal(source: SignalSource): PrivacySignal | undefined {
  const { navigator } = source;
  const requests = [navigator.doNotTrack, source.doNotTrack, navigator.msDoNotTrack];
  if (requests.some((request) => request === "1" || request === "yes")) return "dnt";
  return navigator.globalPrivacyControl === true ? "gpc" : undefined;
}

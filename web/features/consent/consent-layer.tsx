import { type ComponentType, useEffect, useState } from "react";

import { ConsentBanner, type PolicyLink } from "./consent-banner.tsx";
import { type ConsentStore, useConsent } from "./consent-store.ts";

type Settings = { ConsentSettings: ComponentType<{ consent: ConsentStore }> };

/** The banner, shown by the root's `data-consent`, and the settings, loaded when requested. */
export function ConsentLayer(props: { consent: ConsentStore; PolicyLink: PolicyLink }) {
  const { consent, PolicyLink } = props;
  const open = useConsent(consent).settings;
  const [loaded, setLoaded] = useState<Settings>();
  useEffect(() => {
    const load = async (): Promise<void> => {
      // Not `then` with two functions: the bundler moves them to where the failure is not seen.
      try {
        setLoaded(await import("./consent-settings.tsx"));
      } catch {
        // The next request tries again.
        consent.send({ type: "settings.dismissed" });
      }
    };
    if (open && loaded === undefined) void load();
  }, [consent, open, loaded]);
  return (
    <>
      <ConsentBanner consent={consent} PolicyLink={PolicyLink} />
      {open && loaded && <loaded.ConsentSettings consent={consent} />}
    </>
  );
}

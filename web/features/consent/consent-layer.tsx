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
    if (!open || loaded !== undefined) return;
    // If the code cannot be fetched, the next request tries again.
    const giveUp = (): void => consent.send({ type: "settings.dismissed" });
    import("./consent-settings.tsx").then(setLoaded, giveUp);
  }, [consent, open, loaded]);
  return (
    <>
      <ConsentBanner consent={consent} PolicyLink={PolicyLink} />
      {open && loaded && <loaded.ConsentSettings consent={consent} />}
    </>
  );
}

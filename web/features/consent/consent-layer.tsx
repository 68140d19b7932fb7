import { type ComponentType, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";

import { ConsentBanner, type PolicyLink } from "./consent-banner.tsx";
import { type ConsentActor, type ConsentStore, useConsent } from "./consent-store.ts";

type Settings = { Settings: ComponentType<{ actor: ConsentActor }>; actor: ConsentActor };

/** The banner, shown by the root's `data-consent`, and the settings, loaded when requested. */
export function ConsentLayer(props: { consent: ConsentStore; PolicyLink: PolicyLink }) {
  const { consent, PolicyLink } = props;
  const open = useConsent(consent).settings;
  const { i18n: translator } = useTranslation("consent");
  const [loaded, setLoaded] = useState<Settings>();
  useEffect(() => {
    const load = async (): Promise<void> => {
      // Not `then` with two functions: the bundler moves them to where the failure is not seen.
      try {
        const code = import("./consent-settings.tsx");
        const [{ addSettingsTexts, ConsentSettings }, actor] = await Promise.all([
          code,
          consent.actor(),
        ]);
        addSettingsTexts(translator);
        setLoaded({ Settings: ConsentSettings, actor });
      } catch {
        // The next request tries again.
        await consent.send({ type: "settings.dismissed" });
      }
    };
    if (open && loaded === undefined) void load();
  }, [consent, open, loaded, translator]);
  return (
    <>
      <ConsentBanner consent={consent} PolicyLink={PolicyLink} />
      {open && loaded && <loaded.Settings actor={loaded.actor} />}
    </>
  );
}

import { type ActorRefFrom, createActor, fromPromise, waitFor } from "xstate";

import type { BrowserStorage } from "../../analytics/identity-store.ts";
import type { ConsentChoice } from "./consent-choice.ts";
import { clearChoice, loadChoice, saveChoice } from "./consent-storage.ts";
import { type ConsentEmitted, type ConsentInput, consentMachine } from "./consent.machine.ts";

export type ConsentProcess = ActorRefFrom<typeof consentMachine>;

/** Runs the consent machine on a storage; resolves when the stored choice is loaded. */
export async function startConsentProcess(
  input: ConsentInput,
  storage: () => BrowserStorage,
  hear: (event: ConsentEmitted) => void,
): Promise<ConsentProcess> {
  const stored = consentMachine.provide({
    actors: {
      load: fromPromise(async () => loadChoice(storage())),
      save: fromPromise<undefined, ConsentChoice>(async ({ input: choice }) => {
        saveChoice(storage(), choice);
        return undefined;
      }),
      clear: fromPromise<undefined>(async () => {
        clearChoice(storage());
        return undefined;
      }),
    },
  });
  const process = createActor(stored, { input });
  process.on("*", hear);
  process.start();
  await waitFor(process, (snapshot) => !snapshot.matches("loading"));
  return process;
}

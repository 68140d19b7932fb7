import { type ActorRefFrom, createActor, fromPromise, waitFor } from "xstate";

import type { ConsentChoice } from "./consent-choice.ts";
import { clearChoice, loadChoice, saveChoice, type Shelf } from "./consent-storage.ts";
import { type ConsentEmitted, type ConsentInput, consentMachine } from "./consent.machine.ts";

export type ConsentProcess = ActorRefFrom<typeof consentMachine>;

/** Runs the consent machine on a storage; resolves when it knows what was chosen before. */
export async function startConsentProcess(
  input: ConsentInput,
  shelf: () => Shelf,
  hear: (event: ConsentEmitted) => void,
): Promise<ConsentProcess> {
  const onShelf = consentMachine.provide({
    actors: {
      load: fromPromise(async () => loadChoice(shelf())),
      save: fromPromise<undefined, ConsentChoice>(async ({ input: choice }) => {
        saveChoice(shelf(), choice);
        return undefined;
      }),
      clear: fromPromise<undefined>(async () => {
        clearChoice(shelf());
        return undefined;
      }),
    },
  });
  const process = createActor(onShelf, { input });
  process.on("*", hear);
  process.start();
  await waitFor(process, (snapshot) => !snapshot.matches("loading"));
  return process;
}

import type { InactivityExemption } from "@pro-talent/schemas/privacy/inactivity";

import type { LedgerContext } from "./kernel/module.ts";

/** Why an account that is not used counts as used, or is not to be deleted now; null for no reason. */
export type Exemption = (
  context: LedgerContext,
  accountId: string,
) => Promise<InactivityExemption | null>;

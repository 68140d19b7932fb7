import {
  type Asset,
  type DataMap,
  defineDataMap,
  type Period,
  scannedBy,
} from "@pro-talent/schemas/primitives/data-map";
import { retentionPeriods } from "@pro-talent/schemas/primitives/retention-periods";

import { listTokens } from "./access-tokens.ts";
import { eraseAccount } from "./erase-account.ts";
import { removeAuthenticator } from "./factors/authenticators.ts";
import { historyOf } from "./held-history.ts";
import { heldHandlers } from "./held.ts";
import { listSessions } from "./own-sessions.ts";
import { readPhoto } from "./profile.ts";
import { findFormerPage } from "./public-page.ts";
import { searchAccounts } from "./search-erased.ts";
import { forgetEnded } from "./worker-app.ts";

/** Deleted with the account. */
const ofAccount: Pick<Asset, "eraser" | "retention"> = {
  eraser: { by: "cascade", of: "accounts.account" },
  retention: {
    clock: "account-deleted",
    enforcedBy: { by: "cascade", of: "accounts.account" },
  },
};
const forgottenBy = { by: "job", job: "accounts.forget-ended" } as const;
/** Proves what operators did, and names the account by an id that leads to no one once it is deleted. */
const afterAccount: Pick<Asset, "retention" | "eraser"> = {
  retention: {
    clock: "recorded",
    after: retentionPeriods.operatorActions,
    enforcedBy: forgottenBy,
  },
  eraser: { by: "unlinked", from: "accounts.account" },
};
const referencesOnly: Pick<Asset, "exporter"> = { exporter: { by: "references-only" } };
const secret: Pick<Asset, "exporter"> = { exporter: { by: "secret" } };
const forgotten: Pick<Asset, "eraser"> = { eraser: { by: "expiry", code: forgetEnded } };
const held: Pick<Asset, "exporter"> = { exporter: { by: "code", code: heldHandlers } };
const inHistory: Pick<Asset, "exporter"> = { exporter: { by: "code", code: historyOf } };
const afterEnd = (after: Period): Pick<Asset, "retention"> => ({
  retention: { clock: "ended", after, enforcedBy: forgottenBy },
});
const mailed: Asset = {
  fields: { recipient: "personal", text: "personal" },
  retention: { clock: "delivered", enforcedBy: { by: "not-stored" } },
  eraser: { by: "not-stored" },
  exporter: { by: "not-stored" },
  scanner: { by: "not-stored" },
};

const answered: Asset = {
  fields: { photo: "personal" },
  retention: { clock: "delivered", enforcedBy: { by: "not-stored" } },
  eraser: { by: "not-stored" },
  exporter: { by: "copy-of", asset: "accounts.photo" },
  scanner: { by: "not-stored" },
};

const account = defineDataMap({
  activity: {
    id: "account",
    name: { en: "Accounts", he: "חשבונות" },
    purpose: {
      en: "Opening an account, signing in, keeping the profile, and mails about the account",
      he: "פתיחת חשבון, כניסה אליו, שמירת הפרופיל והודעות דואר על החשבון",
    },
    basis: "contract",
    subjects: ["account-holders", "staff"],
    recipients: ["mail-provider"],
  },
  assets: {
    postgres: {
      "accounts.account": {
        fields: {
          created_at: "personal",
          password_hash: "personal",
          roles: "personal",
          status: "personal",
        },
        retention: { clock: "account-deleted", enforcedBy: { by: "code", code: eraseAccount } },
        eraser: { by: "rows", code: eraseAccount },
        ...held,
      },
      "accounts.account_opening": {
        fields: { accepted_at: "personal", documents: "personal" },
        ...ofAccount,
        ...inHistory,
      },
      "accounts.data_key": { ...ofAccount, ...secret },
      "accounts.launch_notice": { ...ofAccount, ...referencesOnly },
      "accounts.links_looked": {
        fields: { looked_at: "personal" },
        ...ofAccount,
        ...inHistory,
      },
      "accounts.mail_token": { ...afterEnd(retentionPeriods.mailedLinks), ...forgotten, ...secret },
      "accounts.photo": { ...ofAccount, exporter: { by: "code", code: readPhoto } },
      "accounts.requested_mail": {
        ...afterEnd(retentionPeriods.mailedLinks),
        ...forgotten,
        exporter: { by: "copy-of", asset: "accounts.account" },
      },
      "accounts.role_change": {
        fields: { changed_at: "personal", granted: "personal", role: "personal" },
        ...afterAccount,
        ...inHistory,
      },
    },
    mail: { "services/accounts/mails/account-mails.ts": mailed },
    export: {
      "GET /api/account/photo": answered,
      "GET /internal/accounts/:accountId/photo": answered,
    },
  },
});

const security = defineDataMap({
  activity: {
    id: "account-security",
    name: { en: "Security of accounts", he: "אבטחת חשבונות" },
    purpose: {
      en: "Second factors, sign-in sessions, recoveries, access tokens, and limits of attempts",
      he: "אמצעי אימות נוסף, כניסות פעילות, שחזור גישה, אסימוני גישה והגבלת ניסיונות",
    },
    basis: "legitimate-interest",
    subjects: ["account-holders", "staff"],
    recipients: ["mail-provider"],
  },
  assets: {
    postgres: {
      "accounts.access_token": {
        fields: { last_used_on: "personal", scopes: "personal" },
        ...afterEnd(retentionPeriods.endedProofs),
        ...forgotten,
        exporter: { by: "code", code: listTokens },
      },
      "accounts.attempt": {
        retention: {
          clock: "last-used",
          after: retentionPeriods.attempts,
          enforcedBy: forgottenBy,
        },
        ...forgotten,
        ...referencesOnly,
      },
      "accounts.challenge": { ...afterEnd(retentionPeriods.endedProofs), ...forgotten, ...secret },
      "accounts.download_ticket": {
        ...afterEnd(retentionPeriods.endedProofs),
        ...forgotten,
        ...secret,
      },
      "accounts.known_device": {
        fields: { last_used_at: "personal" },
        retention: {
          clock: "last-used",
          after: retentionPeriods.knownDevice,
          enforcedBy: forgottenBy,
        },
        ...forgotten,
        ...held,
      },
      "accounts.passkey": { ...ofAccount, ...held },
      "accounts.recovery": {
        fields: { outcome: "personal", requested_at: "personal" },
        ...afterAccount,
        ...inHistory,
      },
      "accounts.recovery_code": { ...ofAccount, ...secret },
      "accounts.sign_in_session": {
        fields: { last_used_at: "personal", signed_in_at: "personal" },
        retention: {
          clock: "recorded",
          after: retentionPeriods.signInSession,
          enforcedBy: forgottenBy,
        },
        ...forgotten,
        exporter: { by: "code", code: listSessions },
      },
      "accounts.totp": {
        fields: { sealed_secret: "sealed" },
        retention: {
          clock: "holder-removes",
          enforcedBy: { by: "code", code: removeAuthenticator },
        },
        eraser: { by: "rows", code: removeAuthenticator },
        ...secret,
      },
    },
  },
});

const publicPage = defineDataMap({
  activity: {
    id: "public-page",
    name: { en: "Former public pages", he: "עמודים ציבוריים קודמים" },
    purpose: {
      en: "Making portfolios of the pages that holders published before",
      he: "הפיכת עמודים שבעלי חשבונות פרסמו בעבר לתיקי עבודות",
    },
    basis: "contract",
    subjects: ["account-holders"],
    recipients: [],
  },
  assets: {
    postgres: {
      "accounts.public_page": { ...ofAccount, exporter: { by: "code", code: findFormerPage } },
    },
  },
});

/** What the accounts service stores of people. */
export const accountsDataMaps: readonly DataMap[] = scannedBy([account, security, publicPage], {
  postgres: searchAccounts,
});

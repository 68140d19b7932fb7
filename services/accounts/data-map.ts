import {
  type Asset,
  type DataMap,
  defineDataMap,
  scannedBy,
} from "@pro-talent/schemas/primitives/data-map";

import { eraseAccount } from "./erase-account.ts";
import { removeAuthenticator } from "./factors/authenticators.ts";
import { searchAccounts } from "./search-erased.ts";
import { forgetEnded } from "./worker-app.ts";

const ofAccount: Pick<Asset, "eraser"> = { eraser: { by: "cascade", of: "accounts.account" } };
/** Proves what operators did, and names the account by an id that leads to no one once it is deleted. */
const afterAccount: Pick<Asset, "retention" | "eraser"> = {
  retention: { clock: "platform-closed" },
  eraser: { by: "unlinked", from: "accounts.account" },
};
const referencesOnly: Pick<Asset, "exporter"> = { exporter: { by: "references-only" } };
const secret: Pick<Asset, "exporter"> = { exporter: { by: "secret" } };
const forgotten: Pick<Asset, "eraser"> = { eraser: { by: "expiry", code: forgetEnded } };
const untilDeleted: Pick<Asset, "retention"> = { retention: { clock: "account-deleted" } };
const daysAfterEnd = (count: number): Pick<Asset, "retention"> => ({
  retention: { clock: "ended", after: { count, unit: "day" } },
});
const hourAfterEnd: Pick<Asset, "retention"> = {
  retention: { clock: "ended", after: { count: 1, unit: "hour" } },
};
const mailed: Asset = {
  fields: { recipient: "personal", text: "personal" },
  retention: { clock: "delivered" },
  eraser: { by: "not-stored" },
  exporter: { by: "not-stored" },
  scanner: { by: "not-stored" },
};

const answered: Asset = {
  fields: { photo: "personal" },
  retention: { clock: "delivered" },
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
        ...untilDeleted,
        eraser: { by: "rows", code: eraseAccount },
      },
      "accounts.account_opening": {
        fields: { accepted_at: "personal", documents: "personal" },
        ...untilDeleted,
        ...ofAccount,
      },
      "accounts.data_key": { ...untilDeleted, ...ofAccount, ...secret },
      "accounts.launch_notice": { ...untilDeleted, ...ofAccount, ...referencesOnly },
      "accounts.links_looked": {
        fields: { looked_at: "personal" },
        ...untilDeleted,
        ...ofAccount,
      },
      "accounts.mail_token": { ...daysAfterEnd(30), ...forgotten, ...secret },
      "accounts.photo": { ...untilDeleted, ...ofAccount },
      "accounts.requested_mail": {
        ...daysAfterEnd(30),
        ...forgotten,
        exporter: { by: "copy-of", asset: "accounts.account" },
      },
      "accounts.role_change": {
        fields: { changed_at: "personal", granted: "personal", role: "personal" },
        ...afterAccount,
      },
    },
    mail: { "services/accounts/mails/account-mails.ts": mailed },
    export: { "GET /api/account/photo": answered },
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
        ...hourAfterEnd,
        ...forgotten,
      },
      "accounts.attempt": {
        retention: { clock: "last-used", after: { count: 2, unit: "day" } },
        ...forgotten,
        ...referencesOnly,
      },
      "accounts.challenge": { ...hourAfterEnd, ...forgotten, ...secret },
      "accounts.download_ticket": { ...hourAfterEnd, ...forgotten, ...secret },
      "accounts.known_device": {
        fields: { last_used_at: "personal" },
        retention: { clock: "last-used", after: { count: 180, unit: "day" } },
        ...forgotten,
      },
      "accounts.passkey": { ...untilDeleted, ...ofAccount },
      "accounts.recovery": {
        fields: { outcome: "personal", requested_at: "personal" },
        ...afterAccount,
      },
      "accounts.recovery_code": { ...untilDeleted, ...ofAccount, ...secret },
      "accounts.sign_in_session": {
        fields: { last_used_at: "personal", signed_in_at: "personal" },
        retention: { clock: "recorded", after: { count: 90, unit: "day" } },
        ...forgotten,
      },
      "accounts.totp": {
        fields: { sealed_secret: "sealed" },
        retention: { clock: "holder-removes" },
        eraser: { by: "rows", code: removeAuthenticator },
        ...secret,
      },
    },
  },
});

const publicPage = defineDataMap({
  activity: {
    id: "public-page",
    name: { en: "Public pages", he: "עמודים ציבוריים" },
    purpose: {
      en: "Showing the page that a holder publishes about themselves",
      he: "הצגת העמוד שבעל החשבון מפרסם על עצמו",
    },
    basis: "contract",
    subjects: ["account-holders"],
    recipients: ["public"],
  },
  assets: {
    postgres: { "accounts.public_page": { ...untilDeleted, ...ofAccount } },
    export: { "GET /internal/accounts/:accountId/page/photo": answered },
  },
});

/** What the accounts service stores of people. */
export const accountsDataMaps: readonly DataMap[] = scannedBy([account, security, publicPage], {
  postgres: searchAccounts,
});

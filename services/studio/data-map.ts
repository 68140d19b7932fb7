import { type DataMap, defineDataMap, scannedBy } from "@pro-talent/schemas/primitives/data-map";

import { keepFiles } from "./current-files.ts";
import { eraseCvs, searchStudio } from "./erase.ts";
import { heldHandlers } from "./held.ts";

/** Deleted with the key of the account. */
const ofAccount = {
  retention: {
    clock: "account-deleted",
    enforcedBy: { by: "cascade", of: "studio.data_key" },
  },
  eraser: { by: "cascade", of: "studio.data_key" },
} as const;
const ofCv = {
  retention: { clock: "holder-removes", enforcedBy: { by: "cascade", of: "studio.cv" } },
  eraser: { by: "cascade", of: "studio.cv" },
} as const;
const held = { exporter: { by: "code", code: heldHandlers } } as const;

const answered = {
  fields: { cv: "personal" },
  retention: { clock: "delivered", enforcedBy: { by: "not-stored" } },
  eraser: { by: "not-stored" },
  exporter: { by: "copy-of", asset: "studio.cv_version" },
  scanner: { by: "not-stored" },
} as const;

const ofPortfolio = {
  retention: { clock: "holder-removes", enforcedBy: { by: "cascade", of: "studio.portfolio" } },
  eraser: { by: "cascade", of: "studio.portfolio" },
} as const;
const shown = {
  fields: { portfolio: "personal" },
  retention: { clock: "delivered", enforcedBy: { by: "not-stored" } },
  eraser: { by: "not-stored" },
  exporter: { by: "copy-of", asset: "studio.portfolio_version" },
  scanner: { by: "not-stored" },
} as const;

const portfolios = defineDataMap({
  activity: {
    id: "portfolios",
    name: { en: "Portfolios", he: "תיקי עבודות" },
    purpose: {
      en: "Writing portfolios and showing them to the readers that their holders choose",
      he: "כתיבת תיקי עבודות והצגתם לקוראים שבעלי החשבון בוחרים",
    },
    basis: "contract",
    subjects: ["account-holders"],
    recipients: ["public"],
  },
  assets: {
    postgres: {
      "studio.portfolio": {
        fields: { contact_form: "personal", created_at: "personal", in_search: "personal" },
        ...ofAccount,
        ...held,
      },
      "studio.portfolio_page": {
        fields: { published_at: "personal", saved_at: "personal" },
        ...ofPortfolio,
        ...held,
      },
      "studio.portfolio_version": {
        fields: { saved_at: "personal" },
        retention: {
          clock: "holder-removes",
          enforcedBy: { by: "cascade", of: "studio.portfolio_page" },
        },
        eraser: { by: "cascade", of: "studio.portfolio_page" },
        ...held,
      },
      "studio.portfolio_picture": { fields: { stored_at: "personal" }, ...ofPortfolio, ...held },
    },
    export: {
      "GET /api/portfolio/pictures/:file": shown,
      "GET /internal/portfolios/of/:accountId/pictures/:file": shown,
      "GET /internal/portfolios/of/:accountId/cv/:language": shown,
    },
  },
});

/**
 * What the studio stores of people.
 * @internal used by the check of all data maps alone
 */
export const studioDataMaps: readonly DataMap[] = scannedBy(
  [
    defineDataMap({
      activity: {
        id: "cvs",
        name: { en: "CVs", he: "קורות חיים" },
        purpose: {
          en: "Writing CVs, keeping their versions and photos, and making files of them",
          he: "כתיבת קורות חיים, שמירת הגרסאות והתמונות שלהם והפקת קבצים מהם",
        },
        basis: "contract",
        subjects: ["account-holders"],
        recipients: [],
      },
      assets: {
        postgres: {
          "studio.data_key": {
            retention: {
              clock: "account-deleted",
              enforcedBy: { by: "code", code: eraseCvs },
            },
            eraser: { by: "rows", code: eraseCvs },
            exporter: { by: "secret" },
          },
          "studio.cv": {
            fields: {
              archived_at: "personal",
              created_at: "personal",
              saved_at: "personal",
              template: "personal",
            },
            ...ofAccount,
            ...held,
          },
          "studio.cv_version": { fields: { saved_at: "personal" }, ...ofCv, ...held },
          "studio.cv_file": {
            fields: { made_at: "personal" },
            retention: {
              clock: "replaced",
              enforcedBy: { by: "code", code: keepFiles },
            },
            eraser: { by: "cascade", of: "studio.cv" },
            exporter: { by: "copy-of", asset: "studio.cv_version" },
          },
          "studio.photo": { fields: { stored_at: "personal" }, ...ofCv, ...held },
        },
        export: {
          "GET /api/cvs/:cvId/files/:format": answered,
          "GET /internal/cvs/of/:accountId/files/:fileId": answered,
          "GET /internal/cvs/of/:accountId/cvs/:cvId/pdf": answered,
          "GET /internal/cvs/of/:accountId/cvs/:cvId/versions/:version/pdf": answered,
        },
      },
    }),
    portfolios,
  ],
  { postgres: searchStudio },
);

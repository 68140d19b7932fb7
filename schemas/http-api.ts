import { accountCalls, entryCalls } from "./accounts/calls.ts";
import { factorCalls } from "./accounts/factor-calls.ts";
import {
  internalAccountCalls,
  internalClosingCalls,
  internalCorrectionCalls,
  internalHeldCalls,
  internalLookedCalls,
  internalLookupCalls,
  internalOwnerCalls,
  internalSearchCalls,
  internalStaffCalls,
  internalUseCalls,
} from "./accounts/internal-calls.ts";
import { accountOpeningCalls } from "./accounts/opening-calls.ts";
import { internalFormerPageCalls, internalPageCalls } from "./accounts/public-page.ts";
import { accessTokenCalls } from "./accounts/token-calls.ts";
import { internalQueryCalls, queryAuditCalls } from "./analysts/audit-calls.ts";
import { analystCalls, analyticsApiCalls } from "./analysts/calls.ts";
import { internalWithheldCalls, internalWorkCalls } from "./analysts/internal-work-calls.ts";
import {
  deliveryCalls,
  deliveryOffCalls,
  historyCalls,
  savedWorkCalls,
  withheldCalls,
} from "./analysts/work-calls.ts";
import { analyticsCalls } from "./analytics/calls.ts";
import {
  internalAnalyticsSearchCalls,
  internalErasureCalls,
  visitorDataCalls,
} from "./analytics/erasure-calls.ts";
import { applicationCalls } from "./applications/calls.ts";
import { reminderMailsOffCalls } from "./applications/mail-calls.ts";
import { applicationPartCalls } from "./applications/part-calls.ts";
import {
  checkoutCalls,
  internalBillingCalls,
  parkedCalls,
  subscriptionCalls,
  webhookCalls,
} from "./billing/calls.ts";
import { breachCalls } from "./breaches/calls.ts";
import { consentDecisionCalls, consentReceiptCalls } from "./consent/calls.ts";
import { contactCalls } from "./contact/calls.ts";
import { opensApiCalls } from "./insights/api-calls.ts";
import { insightCalls, trafficCalls } from "./insights/calls.ts";
import { internalInsightCalls } from "./insights/internal-calls.ts";
import { statusCalls } from "./insights/status-calls.ts";
import { invoiceCalls } from "./invoices/calls.ts";
import { headCalls } from "./ledger/heads.ts";
import { legalChangeCalls } from "./legal-changes/calls.ts";
import { linkApiCalls } from "./links/api-calls.ts";
import {
  internalLinkCalls,
  linkCalls,
  linkModerationCalls,
  linkReportCalls,
} from "./links/calls.ts";
import { openMailCalls, openMailsOffCalls } from "./links/mail-calls.ts";
import { linkWebhookCalls } from "./links/webhook-calls.ts";
import {
  reportCalls,
  mailTokenCalls,
  neverCalls,
  subscribeCalls,
  unsubscribeCalls,
} from "./newsletter/calls.ts";
import { internalPortfolioReportCalls, portfolioModerationCalls } from "./portfolios/calls.ts";
import { calendarFeedCalls } from "./privacy/calendar-feed.ts";
import { ownRequestCalls } from "./privacy/calls.ts";
import { copyReviewCalls } from "./privacy/copy-review-calls.ts";
import { privacyKeyCalls } from "./privacy/data-package.ts";
import { evidenceCalls } from "./privacy/evidence-calls.ts";
import { privacyFormCalls } from "./privacy/form-calls.ts";
import { inactivityCalls } from "./privacy/inactivity.ts";
import { lookupCalls } from "./privacy/lookup.ts";
import { privacyOfficerCalls } from "./privacy/officer-calls.ts";
import { overviewCalls } from "./privacy/overview-calls.ts";
import { processingRecordCalls } from "./privacy/processing-record.ts";
import { cvCalls } from "./studio/calls.ts";
import {
  internalCvErasureCalls,
  internalCvFileCalls,
  internalCvHeldCalls,
} from "./studio/internal-calls.ts";
import { internalPortfolioCalls, portfolioCalls } from "./studio/portfolio-calls.ts";

/** Every HTTP call of the platform, by method and path. */
export const httpApi = {
  ...entryCalls,
  ...accountCalls,
  ...factorCalls,
  ...accessTokenCalls,
  ...internalAccountCalls,
  ...internalClosingCalls,
  ...internalCorrectionCalls,
  ...internalHeldCalls,
  ...internalLookedCalls,
  ...internalLookupCalls,
  ...internalOwnerCalls,
  ...internalSearchCalls,
  ...internalStaffCalls,
  ...internalUseCalls,
  ...internalPageCalls,
  ...internalFormerPageCalls,
  ...accountOpeningCalls,
  ...analyticsCalls,
  ...visitorDataCalls,
  ...internalErasureCalls,
  ...internalAnalyticsSearchCalls,
  ...applicationCalls,
  ...applicationPartCalls,
  ...reminderMailsOffCalls,
  ...analystCalls,
  ...analyticsApiCalls,
  ...internalQueryCalls,
  ...queryAuditCalls,
  ...savedWorkCalls,
  ...deliveryCalls,
  ...deliveryOffCalls,
  ...historyCalls,
  ...withheldCalls,
  ...internalWorkCalls,
  ...internalWithheldCalls,
  ...breachCalls,
  ...consentDecisionCalls,
  ...consentReceiptCalls,
  ...contactCalls,
  ...subscriptionCalls,
  ...checkoutCalls,
  ...parkedCalls,
  ...internalBillingCalls,
  ...webhookCalls,
  ...headCalls,
  ...invoiceCalls,
  ...legalChangeCalls,
  ...linkCalls,
  ...linkApiCalls,
  ...linkReportCalls,
  ...linkModerationCalls,
  ...internalLinkCalls,
  ...linkWebhookCalls,
  ...openMailCalls,
  ...openMailsOffCalls,
  ...cvCalls,
  ...internalCvHeldCalls,
  ...internalCvFileCalls,
  ...internalCvErasureCalls,
  ...portfolioCalls,
  ...portfolioModerationCalls,
  ...internalPortfolioReportCalls,
  ...internalPortfolioCalls,
  ...insightCalls,
  ...opensApiCalls,
  ...trafficCalls,
  ...statusCalls,
  ...internalInsightCalls,
  ...ownRequestCalls,
  ...privacyOfficerCalls,
  ...copyReviewCalls,
  ...inactivityCalls,
  ...evidenceCalls,
  ...overviewCalls,
  ...calendarFeedCalls,
  ...lookupCalls,
  ...privacyKeyCalls,
  ...privacyFormCalls,
  ...processingRecordCalls,
  ...subscribeCalls,
  ...mailTokenCalls,
  ...neverCalls,
  ...unsubscribeCalls,
  ...reportCalls,
};
export type HttpApi = typeof httpApi;

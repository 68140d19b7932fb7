import { defineModule } from "../../kernel/module.ts";
import { streamKind } from "../../kernel/stream-kinds.ts";
import { followPayments, invoiceEvents, invoices } from "./invoices.ts";
import { addInvoiceRoutes } from "./routes.ts";
import { issuedDocuments, series, seriesEvents } from "./series/series.ts";
import { invoiceEnvironment, invoiceSettings } from "./settings.ts";
import { invoiceTimerHandlers } from "./timers.ts";

/** Invoices and credit notes: issued for payments and refunds, numbered without gaps, drawn and mailed. */
export const invoicing = defineModule({
  name: "invoices",
  environment: invoiceEnvironment,
  events: [invoiceEvents, seriesEvents],
  streams: [streamKind(invoices), streamKind(series)],
  readModels: [issuedDocuments],
  processes: [followPayments],
  routes: addInvoiceRoutes,
  timers: (context, env) => invoiceTimerHandlers(context, invoiceSettings(env)),
});

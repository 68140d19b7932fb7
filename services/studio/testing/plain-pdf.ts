/** A line of a page: its text, where it stands in points from the lower left corner, and how. */
export type PlainLine = {
  readonly text: string;
  readonly x?: number;
  readonly y: number;
  readonly size?: number;
  readonly bold?: boolean;
};

/** A PDF of one page without tags, as many programs write it; text in Latin-1 alone. */
export function plainPdf(lines: readonly PlainLine[], more = ""): Buffer {
  const shown = lines.map(({ text, x = 60, y, size = 10, bold = false }) => {
    const escaped = text.replaceAll(/[\\()]/g, String.raw`\$&`);
    return `BT /${bold ? "B" : "R"} ${size} Tf 1 0 0 1 ${x} ${y} Tm (${escaped}) Tj ET`;
  });
  return pdfOf(Buffer.from(shown.join("\n"), "latin1"), "", more);
}

/** A PDF of one page with this content. @param filter of the content, such as `/Filter/FlateDecode` */
export function pdfOf(content: Buffer, filter = "", more = ""): Buffer {
  const face = (name: string): string =>
    `<</Type/Font/Subtype/Type1/BaseFont/${name}/Encoding/WinAnsiEncoding>>`;
  const fonts = `<</R ${face("Helvetica")}/B ${face("Helvetica-Bold")}>>`;
  const head = [
    "%PDF-1.7",
    "1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj",
    "2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj",
    `3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font${fonts}>>>> endobj`,
    `4 0 obj <</Length ${content.length}${filter}>>stream`,
    "",
  ];
  const tail = `\nendstream endobj\ntrailer <</Root 1 0 R${more}>>\n%%EOF`;
  return Buffer.concat([Buffer.from(head.join("\n")), content, Buffer.from(tail)]);
}

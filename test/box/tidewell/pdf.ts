/** A PDF of one page with a line of text for each line given: enough for a reader of text, drawn with a built-in font. */
export function pdfOf(title: string, lines: readonly string[], createdOn: string): Uint8Array {
  const escaped = (text: string) => text.replace(/[\\()]/g, (mark) => `\\${mark}`);
  const content = [
    "BT /F1 18 Tf 72 770 Td",
    `(${escaped(title)}) Tj`,
    "/F1 11 Tf 0 -30 Td 14 TL",
    ...lines.map((line) => `(${escaped(line)}) Tj T*`),
    "ET",
  ].join("\n");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${Buffer.byteLength(content, "latin1")} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    `<< /Title (${escaped(title)}) /CreationDate (D:${createdOn.replaceAll("-", "")}120000Z) >>`,
  ];
  let text = "%PDF-1.4\n";
  const offsets = objects.map((object, at) => {
    const offset = Buffer.byteLength(text, "latin1");
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = Buffer.byteLength(text, "latin1");
  const entries = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 6 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return new Uint8Array(Buffer.from(text, "latin1"));
}

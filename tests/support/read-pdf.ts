import { extractText, getDocumentProxy } from 'unpdf';

/** The text of each page, in the order in which it is drawn, without invisible marks. */
export async function readPdf(pdf: Buffer): Promise<string[]> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: false });
  return text.map((page) => page.replace(/[\u200b\u2060\u2066-\u2069]/g, '').replace(/\s+/g, ' '));
}

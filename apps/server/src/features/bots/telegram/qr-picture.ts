import { toBuffer } from 'qrcode';

const WIDTH_PX = 480;

/** Draws a text as a QR code. @returns a PNG */
export const drawQrCode = (text: string): Promise<Uint8Array> =>
  toBuffer(text, { type: 'png', errorCorrectionLevel: 'M', margin: 3, width: WIDTH_PX });

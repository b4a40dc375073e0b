/** A part of a whole for a bar and its label. Only for the eye: money is not computed here. */
export function shareOfWhole(part: string, whole: string): { width: number; text: string } {
  const percent = Number(whole) > 0 ? (Number(part) / Number(whole)) * 100 : 0;
  const shown = Number(percent.toFixed(percent < 10 ? 1 : 0));
  return { width: Math.min(100, Math.max(0, percent)), text: `${shown}%` };
}

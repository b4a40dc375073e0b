/**
 * The destination of people without the admin flag; null when it would lead back into the console, in a circle, or is
 * not a web address.
 */
export function externalTarget(configured: string, here: string): string | null {
  if (configured.trim() === '') return null;
  try {
    const target = new URL(configured, here);
    const isWeb = target.protocol === 'https:' || target.protocol === 'http:';
    return isWeb && target.origin !== new URL(here).origin ? target.href : null;
  } catch {
    return null;
  }
}

/**
 * Where people without the admin flag go; null when that would lead back into the console, and so round in a
 * circle, or is no web address.
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

import { isCurrent, navLinks } from './nav-links.ts';

/** The list to which a screen belongs: in another provider a detail page may be out of reach, and its filters too. */
export function listPathOf(pathname: string): string {
  const link = navLinks.find((candidate) => !candidate.superOnly && isCurrent(candidate, pathname));
  return link?.to ?? `/${pathname.split('/')[1]}`;
}

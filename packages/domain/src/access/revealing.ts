/** Whether a person may see the secrets of an exchange account. The platform and its provider may each refuse. */
export function mayReveal({
  isSuper,
  isPlatformSuperOnly,
  isProviderSuperOnly,
}: {
  isSuper: boolean;
  isPlatformSuperOnly: boolean;
  isProviderSuperOnly: boolean;
}): boolean {
  return isSuper || !(isPlatformSuperOnly || isProviderSuperOnly);
}

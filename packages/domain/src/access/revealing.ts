/** Whether a person may look at the secrets of an exchange account. The platform and its provider may each say no. */
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

/** Who looks at the secrets, as far as it decides what is shown of them. */
export interface RevealViewer {
  id: string;
  isSuper: boolean;
  /** The platform lets super admins alone reveal secrets. */
  isPlatformSuperOnly: boolean;
}

/** The rights of the reader that decide what is shown of the secrets. */
export interface RevealViewer {
  id: string;
  isSuper: boolean;
  /** The platform lets only super admins reveal secrets. */
  isPlatformSuperOnly: boolean;
}

/** What connects this product with its instance at the hosted identity service. */
export interface HostedSettings {
  publishableKey: string;
  /** Public key of its tokens, PEM. */
  jwtKey: string;
  /** The `iss` of its tokens, and the address of its frontend API, without a slash at the end. */
  issuer: string;
  secretKey: string;
  webhookSecret: string;
  /** Address or path of a proxy before the frontend API; null: browsers call it directly. */
  proxyUrl: string | null;
  /** Null: that of the vendor. */
  apiUrl: string | null;
  /** Origins for which its tokens are issued. */
  authorizedParties: readonly string[];
}

/** An IPv4 or IPv6 address, which browsers accept for no passkey. */
const IP_ADDRESS = /^\[|^[\d.]+$/;

/** Whether this browser can use passkeys at this address. It needs HTTPS, or `localhost`. */
export function canUsePasskeys({ hostname } = window.location): boolean {
  return typeof window.PublicKeyCredential === 'function' && !IP_ADDRESS.test(hostname);
}

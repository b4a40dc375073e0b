export interface Origins {
  /** The origin of links in mails; the library takes it for its own address. */
  main: string;
  /** The origins from which a browser may send a cookie. */
  trusted: string[];
  isSecure: boolean;
}

/** The exact origins of the console: the public one when it is set, else this machine's at the port. */
export function originsOf(publicUrl: string | undefined, port: number): Origins {
  if (publicUrl) {
    const { origin, protocol } = new URL(publicUrl);
    return { main: origin, trusted: [origin], isSecure: protocol === 'https:' };
  }
  const trusted = ['localhost', '127.0.0.1', '[::1]'].map((host) => `http://${host}:${port}`);
  return { main: `http://localhost:${port}`, trusted, isSecure: false };
}

import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

/** What a dishonest page or device would say. Unset: what an honest one says. */
export interface Lies {
  /** The origin in the client data, which a browser fills in. */
  origin?: string;
  relyingPartyId?: string;
  /** The person entered no PIN and showed no finger. */
  isUnverified?: boolean;
  /** Signs this challenge in place of the one asked for. */
  challenge?: string;
  /** Another device's key. */
  signsWith?: SoftwareAuthenticator;
}

export interface SoftwareAuthenticator {
  readonly credentialId: string;
  /** The answer of `navigator.credentials.create`, as JSON. */
  register(options: { challenge: string }, lies?: Lies): object;
  /** The answer of `navigator.credentials.get`, as JSON. */
  sign(options: { challenge: string }, lies?: Lies): Assertion;
  signature(data: Buffer): Buffer;
}

export interface Assertion {
  id: string;
  rawId: string;
  type: 'public-key';
  clientExtensionResults: object;
  response: { clientDataJSON: string; authenticatorData: string; signature: string };
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_KEY = 0x40;

/**
 * An authenticator with one passkey (WebAuthn Level 2, sections 6.1 and 6.5: P-256, no attestation), written
 * independently of the library under test.
 */
export function createAuthenticator({ origin = 'http://localhost:3000', relyingPartyId = 'localhost' } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(16);
  let counter = 0;

  const clientData = (type: string, challenge: string, lies: Lies) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: lies.challenge ?? challenge,
        origin: lies.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const authenticatorData = (lies: Lies, attested: Buffer | null) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const flags = PRESENT | (lies.isUnverified ? 0 : VERIFIED) | (attested ? HAS_KEY : 0);
    return Buffer.concat([
      sha256(Buffer.from(lies.relyingPartyId ?? relyingPartyId)),
      Buffer.from([flags]),
      count,
      attested ?? Buffer.alloc(0),
    ]);
  };
  const attestedCredential = () => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(credentialId.length);
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const coseKey = cborMap([
      [cborInt(1), cborInt(2)], // key type: two coordinates
      [cborInt(3), cborInt(-7)], // ES256
      [cborInt(-1), cborInt(1)], // P-256
      [cborInt(-2), cborBytes(Buffer.from(x, 'base64url'))],
      [cborInt(-3), cborBytes(Buffer.from(y, 'base64url'))],
    ]);
    return Buffer.concat([Buffer.alloc(16), length, credentialId, coseKey]);
  };

  const id = credentialId.toString('base64url');
  const authenticator: SoftwareAuthenticator = {
    credentialId: id,
    signature: (data) => createSign('sha256').update(data).sign(privateKey),
    register({ challenge }, lies = {}) {
      const attestation = cborMap([
        [cborText('fmt'), cborText('none')],
        [cborText('attStmt'), cborMap([])],
        [cborText('authData'), cborBytes(authenticatorData(lies, attestedCredential()))],
      ]);
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, lies).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    sign({ challenge }, lies = {}) {
      counter += 1;
      const data = authenticatorData(lies, null);
      const client = clientData('webauthn.get', challenge, lies);
      const signed = (lies.signsWith ?? authenticator).signature(Buffer.concat([data, sha256(client)]));
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signed.toString('base64url'),
        },
      };
    },
  };
  return authenticator;
}

const sha256 = (data: Buffer) => createHash('sha256').update(data).digest();

// The few forms of CBOR (RFC 8949) that a registration uses.
const cborHead = (major: number, value: number) =>
  value < 24
    ? Buffer.from([(major << 5) | value])
    : value < 256
      ? Buffer.from([(major << 5) | 24, value])
      : Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
const cborInt = (value: number) => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value));
const cborBytes = (bytes: Buffer) => Buffer.concat([cborHead(2, bytes.length), bytes]);
const cborText = (text: string) => Buffer.concat([cborHead(3, text.length), Buffer.from(text)]);
const cborMap = (pairs: [Buffer, Buffer][]) => Buffer.concat([cborHead(5, pairs.length), ...pairs.flat()]);

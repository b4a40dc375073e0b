import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/**
 * A proxy to a database, or to another server, that fails on request: it cuts and refuses connections, like pulling the
 * plug; lets them go silent, like a frozen host or a firewall that forgot them; and delays what passes.
 */
export async function createCuttableProxy(targetUrl: string) {
  const target = new URL(targetUrl);
  const open = new Set<Link>();
  let isCut = false;
  let isMute = false;
  let delayMs = 0;
  const server = createServer((socket) => {
    if (isCut) {
      socket.destroy();
      return;
    }
    const upstream = connect(Number(target.port), target.hostname);
    const link: Link = { sockets: [socket, upstream], opening: '' };
    open.add(link);
    // What a client says first, as the name of its program.
    socket.once('data', (piece) => {
      link.opening = piece.toString('latin1');
    });
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      one.on('error', () => {});
      one.on('close', () => {
        // A silent connection tells neither side that the other has left.
        if (link.isSilent) return;
        open.delete(link);
        other.destroy();
      });
      one.pipe(delayed(() => delayMs)).pipe(other);
    }
    if (isMute) silence(link);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(targetUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const destroyAll = () => {
    for (const { sockets } of open) for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    /** Ends all connections, and refuses new ones until it is mended. */
    cut() {
      isCut = true;
      destroyAll();
    },
    /** Ends all connections; new ones work. */
    reset: destroyAll,
    /**
     * Lets open connections go silent for good, without a word to either side; new ones work.
     * @param opening only those whose client said this first; all when omitted
     */
    silence(opening = '') {
      for (const link of open) if (link.opening.includes(opening)) silence(link);
    },
    /** New connections are accepted and hear nothing, until it is mended. */
    mute() {
      isMute = true;
    },
    /** Whatever passes is late by this much. */
    delay(ms: number) {
      delayMs = ms;
    },
    mend() {
      isCut = false;
      isMute = false;
      delayMs = 0;
    },
    close() {
      destroyAll();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

export type CuttableProxy = Awaited<ReturnType<typeof createCuttableProxy>>;

interface Link {
  sockets: readonly [Socket, Socket];
  opening: string;
  isSilent?: boolean;
}

function silence(link: Link): void {
  link.isSilent = true;
  for (const socket of link.sockets) {
    socket.unpipe();
    // Not read any more, so that not even an end is noticed.
    socket.pause();
  }
}

const delayed = (ms: () => number) =>
  new Transform({
    transform(piece, _encoding, done) {
      if (ms() === 0) done(null, piece);
      else setTimeout(done, ms(), null, piece);
    },
  });

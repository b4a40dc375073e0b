import { makeDataDir, removeDataDir, startProduct } from '../../support/product.ts';

/** Where people without the admin flag are sent; the tests answer for it. */
export const EXTERNAL_URL = 'https://members.example/';

/** One product with the demo world for all browser tests. Its address is in E2E_URL. */
export default async function startDemoWorld(): Promise<() => Promise<void>> {
  const dataDir = makeDataDir();
  // As started by npm: it ends by itself when this process is gone, however that came about.
  const product = await startProduct({
    COPYDESK_DATA_DIR: dataDir,
    EXTERNAL_URL,
    npm_lifecycle_event: 'start',
  });
  const stop = async () => {
    product.kill('SIGTERM');
    await product.ended;
    await removeDataDir(dataDir);
  };
  try {
    const end = product.ended.then(() => Promise.reject(new Error(product.output())));
    await Promise.race([product.prints(/Copydesk is running/, 90_000), end]);
    end.catch(() => {});
  } catch (error) {
    await stop();
    throw error;
  }
  process.env.E2E_URL = product.url;
  return stop;
}

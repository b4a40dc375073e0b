/** Variables that Node, its TLS and the system's libraries read. */
const PROCESS_VARIABLES = [
  'PATH',
  'HOME',
  'TMPDIR',
  'TZ',
  'LANG',
  'LC_ALL',
  'NODE_ENV',
  'NODE_OPTIONS',
  'NODE_COMPILE_CACHE',
  'NODE_EXTRA_CA_CERTS',
  'NODE_USE_ENV_PROXY',
  'HTTPS_PROXY',
  'https_proxy',
  'HTTP_PROXY',
  'http_proxy',
  'NO_PROXY',
  'no_proxy',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
];

/** The environment of a child: the named variables and those that any process needs. */
export function childEnvironment(env: NodeJS.ProcessEnv, variables: readonly string[]): NodeJS.ProcessEnv {
  const allowed = new Set([...PROCESS_VARIABLES, ...variables]);
  return Object.fromEntries(
    Object.entries(env).filter(([name, value]) => allowed.has(name) && value !== undefined),
  );
}

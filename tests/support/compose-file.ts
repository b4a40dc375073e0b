import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

const FILE = new URL('../../deploy/container/compose.yaml', import.meta.url);

/** A service of compose.yaml, as far as we use the format. */
export interface ComposeService {
  image: string;
  user?: string;
  command: string[];
  build?: { args: Record<string, string> };
  environment?: Record<string, string | number>;
  env_file?: (string | { path: string; required: boolean })[];
  networks?: string[];
  ports?: string[];
  secrets?: string[];
  healthcheck?: { test: string[] };
  volumes?: string[];
  tmpfs?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  privileged?: boolean;
  network_mode?: string;
}

interface ComposeFile {
  services: Record<string, ComposeService> &
    Record<'database' | 'worker' | 'tools' | 'proxy', ComposeService>;
  networks: Record<string, { internal?: boolean; driver_opts?: Record<string, string> } | null>;
  secrets: Record<string, { file: string }>;
  volumes: Record<string, null>;
}

/** deploy/container/compose.yaml, with its anchors and merged parts in place. */
export const COMPOSE: ComposeFile = parse(readFileSync(FILE, 'utf8'), { merge: true });

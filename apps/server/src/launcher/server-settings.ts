import { statfsSync } from 'node:fs';

/** Parallel queries share memory through /dev/shm; containers often have 64 MB there, which is not enough. */
const SMALL_SHARED_MEMORY_BYTES = 512 * 1024 * 1024;

/**
 * PostgreSQL's settings, given on the command line at every start so that a change reaches existing clusters.
 * `durable` false is for test databases: a crash of the machine may lose them.
 */
export function serverSettings(port: number, durable: boolean): Record<string, string> {
  return {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    cluster_name: 'copydesk',
    max_connections: '120',
    shared_buffers: '256MB',
    work_mem: '16MB',
    maintenance_work_mem: '128MB',
    effective_cache_size: '1GB',
    random_page_cost: '1.1',
    dynamic_shared_memory_type: hasSmallSharedMemory() ? 'mmap' : 'posix',
    // Compiling costs more than it saves on queries of a screen.
    jit: 'off',
    // Bulk loads write gigabytes; the default of 1 GB would checkpoint constantly.
    max_wal_size: '4GB',
    checkpoint_timeout: '15min',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    // Statements and the DETAIL of an error carry row values, which must not reach the log.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    ...(durable
      ? {}
      : {
          max_connections: '300',
          fsync: 'off',
          synchronous_commit: 'off',
          full_page_writes: 'off',
          autovacuum: 'off',
        }),
  };
}

/** Only our own roles by password on loopback; the superuser exists for the set-up and has no way in. */
export const HOST_BASED_AUTHENTICATION = [
  'host all postgres 127.0.0.1/32 reject',
  'host all all 127.0.0.1/32 scram-sha-256',
  '',
].join('\n');

function hasSmallSharedMemory(): boolean {
  try {
    const { blocks, bsize } = statfsSync('/dev/shm');
    return blocks * bsize < SMALL_SHARED_MEMORY_BYTES;
  } catch {
    return false;
  }
}

import { spawnSync } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { untilDone } from './databases.ts'
import type { Deployment } from './deployment.ts'
import { FAILOVER_FAULTS } from './failover-faults.ts'
import { CLOCK_FAULTS, DISK_FAULTS, NETWORK_FAULTS } from './host-faults.ts'
import { PACKET_FAULTS } from './packet-faults.ts'
import { POSTGRES_FAULTS } from './postgres-faults.ts'
import type { Service } from './processes.ts'
import { REDIS_FAULTS } from './redis-faults.ts'

/** Applies a fault once. Returns when what failed may work again: the caller measures the recovery from there. */
export type Fault = (deployment: Deployment, round: number) => Promise<void>

/** How long Redis is missing. */
const MISSING_MS = 5_000
const GONE_MS = 60_000

export const FAULTS: Readonly<Record<string, Fault>> = {
  replica: async ({ replicas }, round) => restart(replicas.slice(round % 2).slice(0, 1)),
  worker: ({ worker }) => restart([worker]),
  all: async ({ database, replicas, worker }) => {
    await Promise.all([database.end('SIGKILL'), restart([...replicas, worker])])
  },
  ...POSTGRES_FAULTS,
  ...FAILOVER_FAULTS,
  redis: ({ redis }) => restart(redis ? [redis] : []),
  'redis-missing': ({ redis }) => restart(redis ? [redis] : [], MISSING_MS),
  'redis-gone': ({ redis }) => restart(redis ? [redis] : [], GONE_MS),
  ...REDIS_FAULTS,
  ...NETWORK_FAULTS,
  ...PACKET_FAULTS,
  ...CLOCK_FAULTS,
  ...DISK_FAULTS,
}

/** What the named faults need of the deployment, as far as this machine allows it. */
export function needsOf(names: readonly string[]): { isSmallDisk: boolean; isRouted: boolean } {
  const isRoot = process.getuid?.() === 0
  const needs = (faults: object) => isRoot && names.some((name) => Object.hasOwn(faults, name))
  return { isSmallDisk: needs(DISK_FAULTS), isRouted: needs(PACKET_FAULTS) && hasNamespaces() }
}

function hasNamespaces(): boolean {
  return ['ip', 'iptables', 'nsenter'].every((name) => spawnSync(name, ['-V']).status === 0)
}

/** Why the fault cannot happen here, or null. */
export function reasonToSkip(
  name: string,
  { redis, setClock, isSmallDisk, cluster, router }: Deployment,
): string | null {
  if (name.startsWith('redis') && !redis) return 'redis-server is not installed'
  if (Object.hasOwn(CLOCK_FAULTS, name) && !setClock) return 'libfaketime is not installed'
  if (Object.hasOwn(DISK_FAULTS, name) && !isSmallDisk) return 'a tmpfs can only be mounted by root'
  if (Object.hasOwn(PACKET_FAULTS, name) && !router) return 'a network namespace needs root, ip and iptables'
  if (Object.hasOwn(FAILOVER_FAULTS, name) && !cluster) return 'it needs --database failover'
  return null
}

async function restart(services: readonly Service[], missingMs = 0): Promise<void> {
  await Promise.all(services.map((service) => service.kill()))
  await delay(missingMs)
  await Promise.all(services.map((service) => untilDone(() => service.start())))
}

import { setTimeout as delay } from 'node:timers/promises'
import type { Cleanups } from './cleanup.ts'
import type { FailoverCluster } from './failover-cluster.ts'
import { signalAll } from './processes.ts'

type FailoverFault = (deployment: {
  readonly cluster: FailoverCluster | null
  readonly cleanups: Cleanups
}) => Promise<void>

/** Longer than the time after which a primary without etcd would give up. */
const WITHOUT_ETCD_MS = 30_000
/** After the promotion of another node, so that two of them believe to be the primary while clients write. */
const RESUME_AFTER_MS = 1_000

/** Of a database under Patroni. Each returns as soon as a new primary accepts writes. */
export const FAILOVER_FAULTS: Readonly<Record<string, FailoverFault>> = {
  'primary-killed': onHealthy(async (cluster) => {
    const primary = await cluster.find('leader')
    await primary.kill()
    await cluster.untilWritable(primary)
  }),
  'primary-stopped': onHealthy(stopPrimary),
  'standby-killed': onHealthy(async (cluster) => {
    await (await cluster.find('sync_standby')).kill()
    await cluster.untilWritable()
  }),
  switchover: onHealthy((cluster) => cluster.switchOver()),
  'etcd-lost': onHealthy(async (cluster) => {
    await cluster.etcd.kill()
    await delay(WITHOUT_ETCD_MS)
    await cluster.etcd.start()
    await cluster.untilWritable()
  }),
}

function onHealthy(fault: (cluster: FailoverCluster, cleanups: Cleanups) => Promise<void>): FailoverFault {
  return async ({ cluster, cleanups }) => {
    if (!cluster) throw new Error('the database has no standby')
    await cluster.heal()
    await fault(cluster, cleanups)
  }
}

/** The whole host says nothing, and continues after it was replaced. */
async function stopPrimary(cluster: FailoverCluster, cleanups: Cleanups): Promise<void> {
  const primary = await cluster.find('leader')
  const pids = await primary.pids()
  const resume = () => signalAll(pids, 'SIGCONT')
  await cleanups.add(resume)
  signalAll(pids, 'SIGSTOP')
  try {
    await cluster.untilWritable(primary)
  } finally {
    setTimeout(resume, RESUME_AFTER_MS)
  }
}

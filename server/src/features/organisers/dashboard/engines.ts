import { setTimeout as delay } from 'node:timers/promises'
import type { EngineView, InstanceWatch } from '../../engines/instances/watch.ts'
import { listed, type Finding } from './warnings.ts'

/**
 * A hanging engine is only detected after ten seconds. Until then, the dashboard shows the last known state.
 */
const ENGINE_TIMEOUT_MS = 1_000

/**
 * Returns the last known state of the engines without waiting for one that hangs. Null before the first
 * response.
 */
export function createEngineReader(watch: InstanceWatch): () => Promise<readonly EngineView[] | null> {
  let latest: readonly EngineView[] | null = null
  return async () => {
    const timer = new AbortController()
    const pending = watch.readViews().then((views) => (latest = views))
    const late = delay(ENGINE_TIMEOUT_MS, null, { signal: timer.signal }).catch(() => null)
    try {
      return (await Promise.race([pending, late])) ?? latest
    } finally {
      timer.abort()
    }
  }
}

export function countInstances(views: readonly EngineView[]) {
  const lists = views.flatMap(({ instances }) => (instances ? [instances] : []))
  if (lists.length === 0) return null
  const count = (status: string) =>
    lists.reduce((sum, list) => sum + list.filter((instance) => instance.status === status).length, 0)
  return { running: count('running'), starting: count('starting'), errored: count('errored') }
}

/** Reports engines and hosts that do not respond. */
export function engineFindings(views: readonly EngineView[]): Finding[] {
  const away = views.flatMap(({ instancer, isUp, capacity }) =>
    isUp ? capacity.filter((host) => !host.isUp).map(({ host }) => `${host} of ${instancer}`) : [instancer],
  )
  if (away.length === 0) return []
  return [
    {
      code: 'instancerUnreachable',
      text: `Instances cannot start on engines that do not respond: ${listed(away)}.`,
    },
  ]
}

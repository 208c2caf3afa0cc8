import { setTimeout as delay } from 'node:timers/promises'
import type { EngineView, InstanceWatch } from '../instances/watch.ts'
import { listed, type Finding } from './warnings.ts'

/** An engine that hangs is known to be away only after ten seconds; a dashboard shows the last look until then. */
const LOOK_WAIT_MS = 1_000

/** What the engines held when they last told, without waiting for one that hangs. Null before the first answer. */
export function createGlance(watch: InstanceWatch): () => Promise<readonly EngineView[] | null> {
  let latest: readonly EngineView[] | null = null
  return async () => {
    const timer = new AbortController()
    const looking = watch.look().then((views) => (latest = views))
    const late = delay(LOOK_WAIT_MS, null, { signal: timer.signal }).catch(() => null)
    try {
      return (await Promise.race([looking, late])) ?? latest
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

/** Engines and machines that do not answer. */
export function engineFindings(views: readonly EngineView[]): Finding[] {
  const away = views.flatMap(({ instancer, isUp, capacity }) =>
    isUp ? capacity.filter((host) => !host.isUp).map(({ host }) => `${host} of ${instancer}`) : [instancer],
  )
  if (away.length === 0) return []
  return [
    {
      code: 'instancerAway',
      text: `Instances cannot be started where an engine does not answer: ${listed(away)}.`,
      since: null,
    },
  ]
}

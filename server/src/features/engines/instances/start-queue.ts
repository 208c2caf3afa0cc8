import { setTimer as setRealTimer, type SetTimer } from '../../../lib/set-timer.ts'
import { ProviderError } from '../../../providers/provider.ts'

export interface StartQueueLimits {
  /** Maximum number of concurrent starts. */
  readonly maxStarting: number
  /** Maximum number of queued starts. */
  readonly maxWaiting: number
  readonly maxWaitMs: number
}

export interface StartQueue {
  /**
   * Runs the work when its turn comes. Rejects with a ProviderError if the queue is full or the wait is too
   * long.
   */
  run<T>(teamId: string, work: () => Promise<T>): Promise<T>
  waiting(): number
  running(): number
}

interface Waiting {
  readonly teamId: string
  begin(): void
}

/**
 * Queue with limited concurrency for instance starts, so that a burst does not overload an engine. First in,
 * first out, except that a team gets no second turn while other teams wait for their first.
 */
export function createStartQueue(
  { maxStarting, maxWaiting, maxWaitMs }: StartQueueLimits,
  setTimer: SetTimer = setRealTimer,
): StartQueue {
  const queue: Waiting[] = []
  /** Number of running starts by team. */
  const busy = new Map<string, number>()
  let running = 0

  function next(): void {
    if (running >= maxStarting || queue.length === 0) return
    const at = queue.findIndex(({ teamId }) => !busy.has(teamId))
    const [turn] = queue.splice(Math.max(at, 0), 1)
    if (!turn) return
    running++
    busy.set(turn.teamId, (busy.get(turn.teamId) ?? 0) + 1)
    turn.begin()
  }

  function end(teamId: string): void {
    running--
    const left = (busy.get(teamId) ?? 1) - 1
    if (left === 0) busy.delete(teamId)
    else busy.set(teamId, left)
    next()
  }

  function turnOf(teamId: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = setTimer(maxWaitMs, () => {
        queue.splice(queue.indexOf(turn), 1)
        reject(new ProviderError('Too many instances are starting. Try again in a minute.'))
      })
      const turn = {
        teamId,
        begin() {
          cancel()
          resolve()
        },
      }
      queue.push(turn)
      next()
    })
  }

  return {
    async run(teamId, work) {
      if (queue.length >= maxWaiting)
        throw new ProviderError('Too many teams are waiting for an instance. Try again in a minute.')
      await turnOf(teamId)
      try {
        return await work()
      } finally {
        end(teamId)
      }
    },
    waiting: () => queue.length,
    running: () => running,
  }
}

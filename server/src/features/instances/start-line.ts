import { ProviderError } from '../../providers/provider.ts'

export interface StartLineLimits {
  /** Starts under way at once. */
  readonly maxStarting: number
  /** Starts that wait for their turn. */
  readonly maxWaiting: number
  readonly maxWaitMs: number
}

export interface StartLine {
  /** Runs the work when it is its turn. Rejects with a ProviderError when the line is too long, or stands too long. */
  run<T>(teamId: string, work: () => Promise<T>): Promise<T>
  waiting(): number
  running(): number
}

interface Waiting {
  readonly teamId: string
  begin(): void
}

/**
 * Starts of instances one after another, some at once: an engine that is asked for hundreds at the same moment serves
 * nobody. First come, first served, but no team has a second turn while others wait for their first.
 */
export function createStartLine({ maxStarting, maxWaiting, maxWaitMs }: StartLineLimits): StartLine {
  const line: Waiting[] = []
  /** Turns under way by team. */
  const busy = new Map<string, number>()
  let running = 0

  function next(): void {
    if (running >= maxStarting || line.length === 0) return
    const at = line.findIndex(({ teamId }) => !busy.has(teamId))
    const [turn] = line.splice(Math.max(at, 0), 1)
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
      const timer = setTimeout(() => {
        line.splice(line.indexOf(turn), 1)
        reject(new ProviderError('Too many instances are being started just now. Try again in a minute.'))
      }, maxWaitMs)
      const turn = {
        teamId,
        begin() {
          clearTimeout(timer)
          resolve()
        },
      }
      line.push(turn)
      next()
    })
  }

  return {
    async run(teamId, work) {
      if (line.length >= maxWaiting)
        throw new ProviderError('Too many teams wait for an instance just now. Try again in a minute.')
      await turnOf(teamId)
      try {
        return await work()
      } finally {
        end(teamId)
      }
    },
    waiting: () => line.length,
    running: () => running,
  }
}

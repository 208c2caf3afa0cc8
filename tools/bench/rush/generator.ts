import { SECOND_MS } from '@pennant/contract/durations.ts'
import { createLatencies } from '../generator/latencies.ts'
import { openBrowser, waitMs, type Browser, type Outcome } from './browser.ts'
import type { RushPlan, RushPlay, RushResult, StepResult, StepName } from './plan.ts'

/** How long browsers may take to finish after the last one has arrived or the play has ended. */
const DRAIN_MS = 15 * SECOND_MS
/** The share of the mean by which gaps between flags are at least and at most drawn: people neither type at once nor wait for ever. */
const SHORTEST_GAP = 0.05
const LONGEST_GAP = 5
/** Wrong flags of a team for one challenge before the right one: more would reach the rate limit. */
const WRONG_AT_MOST = 2
/** Arrivals are started in groups this often. */
const TICK_MS = 2

/** Plays the rush in this process. */
export async function runRush(plan: RushPlan): Promise<RushResult> {
  const tally = createTally()
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  const open = new Set<Browser>()
  let running = 0

  async function live(number: number, arrivesAt: number): Promise<void> {
    const browser = openBrowser(plan, number, tally)
    open.add(browser)
    running += 1
    try {
      await playOpening(plan, browser, arrivesAt)
    } finally {
      running -= 1
    }
    const isSubmitting = number < plan.teams.length
    if (plan.play) await playOn({ plan, play: plan.play, browser, number, startedAt, isSubmitting })
    browser.close()
    open.delete(browser)
  }

  const lives: Promise<void>[] = []
  while (lives.length < plan.browsers) {
    const now = performance.now()
    const dueAt = () => startedAt + (lives.length * SECOND_MS) / plan.arrivalsPerS
    while (lives.length < plan.browsers && dueAt() <= now) lives.push(live(lives.length, dueAt()))
    await waitMs(TICK_MS)
  }
  const lastMs = Math.max(performance.now() - startedAt, plan.play?.untilMs ?? 0)
  await Promise.race([Promise.all(lives), waitMs(startedAt + lastMs + DRAIN_MS - performance.now())])
  const cpu = process.cpuUsage(cpuBefore)
  const result = tally.result()
  for (const browser of open) browser.close()
  return {
    ...result,
    seconds: (performance.now() - startedAt) / SECOND_MS,
    generatorS: (cpu.user + cpu.system) / 1e6,
    unfinished: running,
  }
}

async function playOpening(
  { opening, pauseMs, challengeIds }: RushPlan,
  browser: Browser,
  arrivesAt: number,
) {
  let dueAt = arrivesAt
  for (const [index, step] of opening.entries()) {
    if (index > 0) {
      // People go on some time after the last page was there.
      dueAt = Math.max(arrivesAt + index * pauseMs, performance.now())
      await waitMs(dueAt - performance.now())
    }
    await browser.play(step, { dueAt, challengeId: challengeIds[0] ?? '' })
  }
}

interface Played {
  readonly plan: RushPlan
  readonly play: RushPlay
  readonly browser: Browser
  readonly number: number
  readonly startedAt: number
  /** Whether this browser submits the flags of its team. */
  readonly isSubmitting: boolean
}

/** Flags and the reads at each wave, one after the other by the time when they are due, until the end. */
async function playOn({ plan, play, browser, number, startedAt, isSubmitting }: Played): Promise<void> {
  const endsAt = startedAt + play.untilMs
  const readyAt = performance.now()
  // In a short play, the read of a wave may come after that of the next one.
  const waves = play.wavesMs
    .map((ms) => startedAt + ms + Math.random() * play.waveSpreadMs)
    .toSorted((one, other) => one - other)
  let flagAt = isSubmitting ? performance.now() + gapMs(play.flagEveryMs) : Infinity
  /** Each team goes through the challenges from another one. */
  let solved = 0
  let wrong = 0
  const challengeAt = () => plan.challengeIds[(number + solved) % plan.challengeIds.length] ?? ''
  // Ends with the play.
  for (;;) {
    const waveAt = waves[0] ?? Infinity
    // A wave that opened meanwhile is read now.
    const dueAt = Math.max(readyAt, Math.min(flagAt, waveAt))
    if (dueAt > endsAt) return
    await waitMs(dueAt - performance.now())
    if (waveAt <= flagAt) {
      waves.shift()
      await browser.play(play.wave, { dueAt, challengeId: '' })
      continue
    }
    const isRight =
      (Math.random() >= play.wrongShare || wrong >= WRONG_AT_MOST) && solved < plan.challengeIds.length
    await browser.play(isRight ? play.right : play.wrong, { dueAt, challengeId: challengeAt() })
    wrong = isRight ? 0 : wrong + 1
    if (isRight) solved += 1
    flagAt = Math.max(performance.now(), dueAt + gapMs(play.flagEveryMs))
  }
}

/** Times between the flags of a team follow a log-normal distribution: mostly a few attempts soon after each other, then a pause. */
function gapMs(meanMs: number): number {
  const SIGMA = 1
  const normal = Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random())
  const gap = Math.exp(SIGMA * normal - SIGMA ** 2 / 2)
  return meanMs * Math.min(LONGEST_GAP, Math.max(SHORTEST_GAP, gap))
}

function createTally() {
  const steps = new Map<StepName | 'all', Tallied>()
  const failures: Record<string, number> = {}
  const of = (name: StepName | 'all') => {
    const known = steps.get(name) ?? { latencies: createLatencies(), count: 0, refused: 0, failed: 0 }
    steps.set(name, known)
    return known
  }
  return {
    ended({ step, ms, failure }: Outcome): void {
      for (const name of [step, 'all'] as const) {
        const tallied = of(name)
        tallied.count += 1
        if (failure === null) tallied.latencies.add(ms)
        else tallied.failed += 1
      }
      if (failure === null) return
      const what = `${step}: ${failure}`
      failures[what] = (failures[what] ?? 0) + 1
    },
    refused(step: StepName): void {
      for (const name of [step, 'all'] as const) of(name).refused += 1
    },
    result() {
      const all = [...steps.keys()].map((name) => resultOf(name, of(name)))
      return { steps: all.filter(({ name }) => name !== 'all'), all: resultOf('all', of('all')), failures }
    },
  }
}

interface Tallied {
  readonly latencies: ReturnType<typeof createLatencies>
  count: number
  refused: number
  failed: number
}

function resultOf(name: StepName | 'all', { latencies, count, refused, failed }: Tallied): StepResult {
  return {
    name,
    count,
    p50Ms: latencies.quantile(0.5),
    p99Ms: latencies.quantile(0.99),
    p999Ms: latencies.quantile(0.999),
    maxMs: latencies.max(),
    refused,
    failed,
  }
}

async function answer(send: (message: unknown) => void): Promise<void> {
  process.on('message', (plan: RushPlan) => void runRush(plan).then((result) => send({ result })))
  send('ready')
}

if (process.send && process.argv[2] === 'rush') void answer(process.send.bind(process))

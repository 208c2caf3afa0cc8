import { SECOND_MS } from '@pennant/contract/durations.ts'
import { addressOf } from '../data/load.ts'
import type { PlainServer } from '../limits/plain.ts'
import type { Options } from '../options.ts'
import { specOf } from './browser.ts'
import type { RushContest } from './contest.ts'
import type { RushPlan, RushPlay, ScriptRequest, ScriptStep } from './plan.ts'
import { builtAssets, readRecording, requestOf, type StepName } from './recording.ts'

// What the browsers of a rush do: the steps that were recorded, for each team.

const OPENING: readonly StepName[] = ['open', 'sign in', 'challenges', 'scoreboard', 'challenge', 'file']
const PAUSE_MS = SECOND_MS
/** The site spreads its reads after a release over this time. */
const WAVE_SPREAD_MS = 3 * SECOND_MS
const WRONG_SHARE = 0.6

interface Based {
  readonly teams: number
  readonly url: string
  readonly options: Options
}

/** The browsers of the teams, one of them until a scenario says how many. */
export function planOf(rush: RushContest, { teams, url, options }: Based): RushPlan {
  const { contest, files, challengeIds } = rush
  return {
    url,
    encoding: options.encoding,
    browsers: 1,
    arrivalsPerS: 1,
    teams: Array.from({ length: teams }, (_, team) => ({
      id: contest.generated.teamIds[team] ?? '',
      token: contest.tokenOf(team),
      loginToken: contest.loginTokenOf(team),
      address: addressOf(team),
    })),
    opening: OPENING.map((name) => stepOf(name, options.isWarm)),
    pauseMs: PAUSE_MS,
    play: null,
    challengeIds,
    files,
  }
}

/**
 * The plan of its opening at a plain server that sends what the server sends to the first browser. What a request changes, it changes
 * once, for that browser's team.
 */
export async function plainPlanOf(plan: RushPlan, plain: PlainServer): Promise<RushPlan> {
  const challengeId = plan.challengeIds[0] ?? ''
  const opening: ScriptStep[] = []
  for (const { name, requests } of plan.opening) {
    const copied: ScriptRequest[] = []
    for (const request of requests) {
      const spec = specOf(plan, request, { number: 0, step: name, challengeId })
      copied.push({ ...request, path: (await plain.copy(plan.url, spec)).path })
    }
    opening.push({ name, requests: copied })
  }
  return { ...plan, url: plain.url, opening, play: null }
}

const recording = readRecording()

function stepOf(name: StepName, isWarm: boolean): ScriptStep {
  const assets = builtAssets()
  const requests = recording[name].map((line) => requestOf(line, assets))
  return { name, requests: isWarm ? requests.filter(({ path }) => !path.startsWith('/assets/')) : requests }
}

/** What follows the opening. */
export function playOf(): Omit<RushPlay, 'wavesMs' | 'untilMs' | 'flagEveryMs'> {
  return {
    wrong: stepOf('wrong flag', true),
    right: stepOf('right flag', true),
    wave: stepOf('wave', true),
    waveSpreadMs: WAVE_SPREAD_MS,
    wrongShare: WRONG_SHARE,
  }
}

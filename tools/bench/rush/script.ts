import { readFileSync } from 'node:fs'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import { addressOf } from '../data/load.ts'
import type { PlainServer } from '../limits/plain.ts'
import type { Options } from '../options.ts'
import { specOf } from './browser.ts'
import type { RushContest } from './contest.ts'
import type { RushPlan, RushPlay, ScriptRequest, ScriptStep, StepName } from './plan.ts'

// What the browsers of a rush do: what the site asks at each step, for each team.

const OPENING: readonly StepName[] = ['open', 'sign in', 'challenges', 'scoreboard', 'file']
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
    encoding: options.encodings[0] ?? 'identity',
    browsers: 1,
    arrivalsPerS: 1,
    teams: Array.from({ length: teams }, (_, team) => ({
      id: contest.generated.teamIds[team] ?? '',
      token: contest.tokenOf(team),
      loginToken: contest.loginTokenOf(team),
      address: addressOf(team),
    })),
    opening: OPENING.map((name) => stepOf(name)),
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

/** Requests of a step, one after the other: method and path, then `as team` if the token is sent. */
const STEPS: Readonly<Record<StepName, readonly string[]>> = {
  open: [
    'GET /',
    'GET /api/v2/integrations/client/config',
    'GET /api/v2/leaderboard/solves',
    'GET /api/v2/leaderboard/now?limit=25&offset=0&with=trend',
    'GET /api/v2/challs',
  ],
  'sign in': ['POST /api/v1/auth/login', 'GET /api/v2/users/me as team'],
  challenges: ['GET /api/v2/announcements as team', 'GET /api/v2/messages as team', 'GET /api/v2/waves/next'],
  scoreboard: [
    'GET /api/v2/leaderboard/graph?limit=10&offset=0&sample=fine',
    'GET /api/v2/leaderboard/challs',
  ],
  file: ['GET :file'],
  'wrong flag': ['POST /api/v1/challs/:challenge/submit as team'],
  'right flag': [
    'POST /api/v1/challs/:challenge/submit as team',
    'GET /api/v2/users/me as team',
    'GET /api/v2/challs/:challenge/solves?limit=1&offset=0 as team',
    'GET /api/v2/challs',
  ],
  wave: ['GET /api/v2/challs'],
}

/** The files that the first page of the built site names. */
function firstFiles(): string[] {
  const page = readFileSync(new URL('../../../web/dist/index.html', import.meta.url), 'utf8')
  return [...page.matchAll(/(?:src|href)="(\/[^"/][^"]*\.\w+)"/g)].map(([, path = '']) => `GET ${path}`)
}

export function stepOf(name: StepName): ScriptStep {
  const lines = name === 'open' ? [...firstFiles(), ...STEPS.open] : STEPS[name]
  return { name, requests: lines.map(requestOf) }
}

export function requestOf(line: string): ScriptRequest {
  const [method, path = '', ...rest] = line.split(' ')
  return { method: method === 'POST' ? method : 'GET', path, isAsTeam: rest.length > 0 }
}

/** What follows the opening. */
export function playOf(): Omit<RushPlay, 'wavesMs' | 'untilMs' | 'flagEveryMs'> {
  return {
    wrong: stepOf('wrong flag'),
    right: stepOf('right flag'),
    wave: stepOf('wave'),
    waveSpreadMs: WAVE_SPREAD_MS,
    wrongShare: WRONG_SHARE,
  }
}

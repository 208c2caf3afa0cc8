import { phases, statuses, usualScenario, type Fault, type Scenario } from './scenario.ts'

/** The role of the viewer. The visitor is signed out. */
export const roles = ['visitor', 'player', 'banned', 'reader', 'organiser'] as const

export type Role = (typeof roles)[number]

/** The options of the address that do not concern the contest itself. */
export interface Switches {
  readonly scenario: Scenario
  /** Null keeps the current session. */
  readonly role: Role | null
  readonly isPseudo: boolean
  readonly isRtl: boolean
}

const SLOW_MS = 3_000
/** More rows than any contest has, and still created within a few seconds. */
const MOST_TEAMS = 50_000

const FAILURES: ReadonlyMap<string, Fault['failure']> = new Map([
  ['500', 'internal'],
  ['503', 'unavailable'],
  ['offline', 'network'],
  ['lost', 'lost'],
  ['never', 'never'],
])

/**
 * Parses
 * `phase:before,role:organiser,slow,teams:10000,500:/leaderboard,offline,never:/challs,empty,status:down,pseudo,rtl`.
 * Any other word is an error, so that a screenshot never shows another state than the requested one.
 */
export function parseSwitches(text: string): Switches {
  let switches: Switches = { scenario: usualScenario, role: null, isPseudo: false, isRtl: false }
  for (const word of text.split(',').filter(Boolean)) {
    const [name = '', ...rest] = word.split(':')
    switches = switched(switches, name, rest.join(':'))
  }
  return switches
}

function switched(switches: Switches, name: string, value: string): Switches {
  const failure = FAILURES.get(name)
  const scenario = switches.scenario
  if (failure !== undefined)
    return withScenario(switches, { faults: [...scenario.faults, { path: value || '/api/', failure }] })
  switch (name) {
    case 'phase':
      return withScenario(switches, { phase: oneOf(phases, value) })
    case 'role':
      return { ...switches, role: oneOf(roles, value) }
    case 'teams':
      return withScenario(switches, { teams: numberOf(value, MOST_TEAMS) })
    case 'slow':
      return withScenario(switches, { delayMs: value === '' ? SLOW_MS : numberOf(value, 60_000) })
    case 'empty':
      return withScenario(switches, { isEmpty: true })
    case 'status':
      return withScenario(switches, { status: oneOf(statuses, value) })
    case 'pseudo':
      return { ...switches, isPseudo: true }
    case 'rtl':
      return { ...switches, isRtl: true }
    default:
      throw new Error(`the mock has no switch ${name}`)
  }
}

function withScenario(switches: Switches, changes: Partial<Scenario>): Switches {
  return { ...switches, scenario: { ...switches.scenario, ...changes } }
}

function oneOf<T extends string>(known: readonly T[], value: string): T {
  const found = known.find((each) => each === value)
  if (found === undefined) throw new Error(`${value} is none of ${known.join(', ')}`)
  return found
}

function numberOf(text: string, most: number): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 0 || value > most)
    throw new Error(`${text} is not 0 to ${most}`)
  return value
}

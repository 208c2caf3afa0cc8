import { parseArgs } from 'node:util'
import { DATA_SETS, type DataSetName } from '../seed/large/sets.ts'

/** Share one server with generated data, or measure another one. */
const SHARED = ['read', 'write'] as const
export type SharedScenario = (typeof SHARED)[number]
/** Start servers of their own. */
const OWN = ['rush', 'growth', 'freshness', 'stream'] as const
export type OwnScenario = (typeof OWN)[number]
const SCENARIOS = [...SHARED, ...OWN] as const
export type Scenario = SharedScenario | OwnScenario

const SIZES = ['1000', '10000', '50000', '100000']

export interface Options {
  /** The contests whose reads and writes are measured. The scenarios with their own servers use the first. */
  readonly dataSets: readonly DataSetName[]
  readonly data: DataSetName
  readonly scenarios: readonly Scenario[]
  /** The sizes that growth compares. */
  readonly teams: readonly number[]
  /** Of each measurement. */
  readonly seconds: number
  readonly connections: number
  /** `Accept-Encoding` of the reads, one after the other. The rush uses the first. */
  readonly encodings: readonly string[]
  /** Right flags per second that arrive during reads. */
  readonly flagRates: readonly number[]
  /** Part of the names of the reads that are measured. */
  readonly reads: string
  readonly isJson: boolean
  /** A run that only shows that everything works. */
  readonly isShort: boolean
  /** Of the servers that scenarios start. */
  readonly processes: number
  readonly redisUrl: string | null
  /** Another server to measure. */
  readonly against: Against | null
}

export interface Against {
  readonly url: string
  /** File with an auth token of a team per line. */
  readonly tokens: string
  /** JSON file with a flag for each challenge id; without one, no right flags are submitted. */
  readonly flags: string | null
  /** Processes of the server and its database on this machine. */
  readonly serverPid: number | null
  readonly databasePid: number | null
}

export const USAGE = `npm run bench -- [options]

  --data a,b                 the contest: small, large (10,000 teams) or huge (100,000); default: large
  --scenario a,b             ${SCENARIOS.join(', ')} (default: read,write)
  --seconds N                of each measurement (default: 2)
  --connections N            (default: 32)
  --encoding a,b             Accept-Encoding of the reads; br: as browsers send it (default: identity,br)
  --flag-rates 10,50         right flags per second during reads (default: 50)
  --reads TEXT               only the reads whose names contain this
  --full                     10,000 and 100,000 teams; 10, 50 and 500 flags per second
  --short                    small data, one second each; without --scenario, all scenarios
  --processes N              of the server of the rush (default: 1)
  --teams 1000,5000          the sizes that growth compares (default: 1,000, 10,000, 50,000 and 100,000)
  --redis URL                Redis of the servers of rush and freshness
  --json                     print JSON
  --against URL              measure another server that speaks the contract
    --tokens FILE            an auth token of a team per line
    --flags FILE             JSON: a flag for each challenge id, for right flags
    --server-pid N, --database-pid N   its processes, if they run on this machine`

/** Throws an error with what is wrong. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      data: { type: 'string' },
      scenario: { type: 'string' },
      processes: { type: 'string', default: '1' },
      teams: { type: 'string' },
      redis: { type: 'string' },
      seconds: { type: 'string' },
      connections: { type: 'string', default: '32' },
      encoding: { type: 'string' },
      'flag-rates': { type: 'string' },
      reads: { type: 'string', default: '' },
      full: { type: 'boolean', default: false },
      short: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      against: { type: 'string' },
      tokens: { type: 'string' },
      flags: { type: 'string' },
      'server-pid': { type: 'string' },
      'database-pid': { type: 'string' },
    },
  })
  const against = values.against ?? null
  const flagRates = values['flag-rates'] ?? (values.full ? '10,50,500' : '50')
  const data = values.data ?? (values.short ? 'small' : values.full ? 'large,huge' : 'large')
  const dataSets = data
    .split(',')
    .map((name) => oneOf('--data', name, Object.keys(DATA_SETS) as DataSetName[]))
  return {
    dataSets,
    data: dataSets[0] ?? 'large',
    encodings: (values.encoding ?? (values.short ? 'br' : 'identity,br')).split(','),
    flagRates: flagRates.split(',').map((rate) => numberOf('--flag-rates', rate)),
    reads: values.reads,
    scenarios: (values.scenario ?? (values.short ? SCENARIOS : SHARED).join(','))
      .split(',')
      .map((name) => oneOf('--scenario', name, SCENARIOS)),
    teams: (values.teams?.split(',') ?? (values.short ? SIZES.slice(0, 1) : SIZES)).map((size) =>
      numberOf('--teams', size),
    ),
    seconds: numberOf('--seconds', values.seconds ?? (values.short ? '1' : '2')),
    connections: numberOf('--connections', values.connections),
    isJson: values.json,
    isShort: values.short,
    processes: numberOf('--processes', values.processes),
    redisUrl: values.redis ?? null,
    against: against === null ? null : againstOf(against, values),
  }
}

type Values = Partial<Record<'tokens' | 'flags' | 'server-pid' | 'database-pid', string>>

function againstOf(url: string, values: Values): Against {
  if (!/^https?:\/\/[^/]+\/?$/.test(url))
    throw new Error(`--against: ${url} is not an http or https URL without a path.`)
  if (values.tokens === undefined) throw new Error('--against needs --tokens.')
  const pid = (name: 'server-pid' | 'database-pid') => {
    const text = values[name]
    return text === undefined ? null : numberOf(`--${name}`, text)
  }
  return {
    url: url.replace(/\/$/, ''),
    tokens: values.tokens,
    flags: values.flags ?? null,
    serverPid: pid('server-pid'),
    databasePid: pid('database-pid'),
  }
}

function oneOf<T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value)
  if (found === undefined) throw new Error(`${option}: ${value} is none of ${allowed.join(', ')}.`)
  return found
}

function numberOf(option: string, text: string): number {
  const value = Number(text)
  if (!(value > 0)) throw new Error(`${option}: ${text} is not a number above 0.`)
  return value
}

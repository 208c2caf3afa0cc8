import { queriesOf } from '../db/database.ts'
import { StartError } from '../lib/errors.ts'
import { INVARIANTS } from '../ops/verify/invariants.ts'
import { verify as runVerify, type Verified } from '../ops/verify/run.ts'
import { loginToken } from './challenge-site.ts'
import { openConnection, providerContext } from './connection.ts'
import { openExistingPostgres, requireTables } from './existing-data.ts'
import type { ProcessContext } from './process-context.ts'
import { instantOf, requireHttpUrl } from './values.ts'
import { plural } from '../lib/plural.ts'

export interface VerifyCommand {
  readonly url?: string
  readonly token?: string
  readonly at?: string
  readonly actionsHead?: string
  readonly json?: boolean
}

/** `pennant verify`: fails if an invariant is violated or the server's standings differ. */
export async function verify(context: ProcessContext, command: VerifyCommand): Promise<void> {
  const { json = false } = command
  const url = command.url === undefined ? null : requireHttpUrl(command.url)
  const at = command.at === undefined ? null : instantOf(command.at)
  if (at !== null && url !== null)
    throw new StartError('--at cannot be combined with --url: a server shows only the current standings.')
  const actionsHead = command.actionsHead?.toLowerCase() ?? null
  if (actionsHead !== null && !/^[0-9a-f]{64}$/.test(actionsHead))
    throw new StartError(`${command.actionsHead} is not the hash of an entry: 64 hexadecimal digits.`)
  await using postgres = await openExistingPostgres(context)
  const { config } = postgres
  const score = await config.scoreProvider.start(providerContext(config, context))
  await using connection = await openConnection(postgres.address, 'pennant verify')
  await requireTables(queriesOf(connection.client), config, context)
  const { startTime, endTime } = config
  const found = await runVerify({
    client: connection.client,
    rules: { score, startTime, endTime },
    now: context.now,
    at,
    url,
    token:
      command.token ?? (url === null ? undefined : await loginToken(context.env, url, context.now())) ?? null,
    actionsHead,
  })
  if (json) context.print(JSON.stringify(found))
  else for (const line of linesOf(found, at)) context.print(line)
  const { violations, differences, actions } = found
  const problems = violations.length + (differences?.length ?? 0) + (actions?.brokenCount ?? 0)
  if (problems > 0) throw new StartError(`Found ${plural(problems, 'problem')}.`)
}

const MAX_LINES = 20

function linesOf({ standings, violations, differences, actions }: Verified, at: number | null): string[] {
  const shown =
    at === null ? [] : standings.map((row) => `${row.globalPlace}. ${row.name} (${row.id}): ${row.score}`)
  const failed = new Map(violations.map((violation) => [violation.check, violation]))
  return [
    ...shown,
    ...(failed.has('standings') ? [] : [computedLine(standings.length, at)]),
    ...[...INVARIANTS, ...OTHER_CHECKS].flatMap(({ name, rule }) => {
      const violation = failed.get(name)
      if (violation) return failedLines(`${name}: ${rule}`, violation.examples, violation.count)
      return RESULTS.has(name) ? [] : [`ok     ${name}`]
    }),
    ...(actions === null
      ? []
      : actions.brokenCount === 0
        ? [
            `ok     action log: ${actions.entries} ${actions.entries === 1 ? 'entry' : 'entries'}, head ${actions.head.seq} ${actions.head.hash}`,
          ]
        : failedLines('action log:', actions.broken, actions.brokenCount)),
    ...(differences === null
      ? []
      : differences.length === 0
        ? ['ok     served standings']
        : failedLines('served standings:', differences.slice(0, MAX_LINES), differences.length)),
  ]
}

function computedLine(teams: number, at: number | null): string {
  return `Computed the standings of ${plural(teams, 'team')}${at === null ? '' : ` at ${new Date(at).toISOString()}`}.`
}

/** These have lines of their own unless they could not be checked at all. */
const RESULTS = new Set(['standings', 'action log'])
const OTHER_CHECKS = [
  { name: 'sequences', rule: 'No sequence is behind its table.' },
  { name: 'standings', rule: 'They follow from the tables.' },
  { name: 'action log', rule: 'Each entry is as it was written.' },
]

function failedLines(check: string, shown: readonly string[], count: number): string[] {
  const more = count - shown.length
  return [
    ...shown.map((line) => `FAILED ${check} ${line}`),
    ...(more > 0 ? [`FAILED ${check} and ${more} more`] : []),
  ]
}

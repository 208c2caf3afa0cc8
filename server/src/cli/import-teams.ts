import { readFile, stat, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { registrationLimits } from '@pennant/contract/registration.ts'
import { byCommand } from '../db/admin-actions.ts'
import { signInLink } from '../features/people/accounts/mail.ts'
import { createTokens } from '../features/people/accounts/tokens.ts'
import { readTeamFile, type Problem } from '../features/people/registration/team-file.ts'
import { importTeams } from '../features/people/registration/team-import.ts'
import { definitionsOf, fieldsOf } from '../features/site/custom-fields/definitions.ts'
import { readOverrides } from '../features/site/settings/store.ts'
import { StartError } from '../lib/errors.ts'
import { escapeHtml } from '../lib/escape-html.ts'
import { openExistingStore } from './existing-data.ts'
import { ExitStatus } from './exit-status.ts'
import type { ProcessContext } from './process-context.ts'
import { isShared } from './store.ts'
import { requireSameTokenKey } from './token-key.ts'

export interface ImportTeamsOptions {
  readonly dryRun?: boolean
  readonly mail?: boolean
  readonly slips?: string
  readonly json?: boolean
}

/** A running server polls for changes every second; waits until it accepts the links. */
const FOLLOW_MS = 1_200

const remedies: Readonly<Record<Problem['problem'], string>> = {
  noColumn: 'the first line must name this column',
  unknownColumn: 'there is no such column; remove it',
  unreadable: 'it has more cells than the first line, or a quote is not closed',
  badName: 'a name has 2 to 64 printable ASCII characters',
  badEmail: 'this is not an email address',
  badDivision: 'there is no such division',
  badCountry: 'a country is a code of two letters, such as DE',
  badAnswer: 'this is no answer to the field; see its kind and limits in the settings',
  twiceName: 'an earlier line has this name',
  twiceEmail: 'an earlier line has this address',
  knownName: 'a team already has this name',
  knownEmail: 'a team already has this address',
  tooMany: `a file has at most ${registrationLimits.teams} teams; divide it`,
  noTeams: 'the file has no teams',
}

/** `pennant team import`: creates all teams of a file, or none. */
export async function importTeamFile(
  context: ProcessContext,
  path: string,
  { dryRun = false, mail = false, slips, json = false }: ImportTeamsOptions,
): Promise<void> {
  const csv = await readFile(path, 'utf8').catch(() => {
    throw new StartError(`The file ${path} cannot be read.`)
  })
  if (csv.length > registrationLimits.csv)
    throw new StartError(`The file ${path} is longer than ${registrationLimits.csv} characters. Divide it.`)
  if (slips !== undefined && (await exists(slips))) throw new StartError(`The file ${slips} exists already.`)
  await using store = await openExistingStore(context, { needsKey: true })
  const { config, db } = store
  if (mail && !config.email) throw new StartError('Mail is not configured. Set `email`, or leave out --mail.')
  await requireSameTokenKey(db, config.tokenKey)
  const tokens = createTokens({ key: config.tokenKey, now: context.now, loginTimeoutMs: config.loginTimeout })
  const mails = mail ? { tokenOf: (id: string) => tokens.issueTeam(id) } : null
  const definitions = definitionsOf(config, await readOverrides(db))
  const file = readTeamFile(csv, { ...config, teamFields: fieldsOf(definitions, 'team') })
  const outcome = await importTeams(db, file, { by: byCommand, dryRun, mails })
  const { created, problems } = outcome
  const teams = outcome.teams.map(({ id, name, email, division }) => {
    const link = created ? { link: signInLink(config.origin, tokens.issueTeam(id)) } : {}
    return { name, email, division, ...link }
  })
  if (json) context.print(JSON.stringify({ created, problems, teams }))
  else for (const line of report(problems)) context.complain(line)
  if (problems.length > 0) throw new ExitStatus('failed')
  if (created && slips !== undefined)
    await writeFile(slips, slipsPage(config.ctfName, teams), { flag: 'wx', mode: 0o600 })
  if (created && (await isShared(store))) await sleep(FOLLOW_MS)
  if (json) return
  context.print(created ? `Created ${teams.length} teams.` : `No problems; ${teams.length} teams to create.`)
  if (created && slips === undefined) for (const { name, link } of teams) context.print(`${name}: ${link}`)
}

function report(problems: readonly Problem[]): string[] {
  const lines = problems.map(({ line, column, problem }) => {
    const place = column === null ? `Line ${line}` : `Line ${line}, ${column}`
    return `${place}: ${remedies[problem]}.`
  })
  return lines.length === 0 ? [] : [...lines, 'Nothing was created.']
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  )
}

interface SlipTeam {
  readonly name: string
  readonly division: string
  readonly link?: string
}

function slipsPage(event: string, teams: readonly SlipTeam[]): string {
  const slips = teams.map(
    ({ name, division, link = '' }) =>
      `<article><h2>${escapeHtml(name)}</h2><p>${escapeHtml(event)}, ${escapeHtml(division)}</p><p>${escapeHtml(link)}</p></article>`,
  )
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${escapeHtml(event)}</title>
<style>body{font:11pt sans-serif}article{border-bottom:1px dashed #999;padding:8pt;break-inside:avoid;overflow-wrap:anywhere}h2{margin:0}</style>
${slips.join('\n')}
</html>
`
}

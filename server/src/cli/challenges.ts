import { readFile, stat } from 'node:fs/promises'
import { applyChanges, archiveOf, findFiles, serverFindings } from '../features/challenges-as-code/apply.ts'
import { findChanges, type Changes } from '../features/challenges-as-code/changes.ts'
import { diffLines, plain } from '../features/challenges-as-code/diff.ts'
import { readTree, type DiskTree } from '../features/challenges-as-code/disk-tree.ts'
import { exportTo } from '../features/challenges-as-code/export.ts'
import { allowing, lineOfFinding, type Finding } from '../features/challenges-as-code/finding.ts'
import type { Format } from '../features/challenges-as-code/formats/translation.ts'
import { lintChallenge } from '../features/challenges-as-code/lint.ts'
import { readChallenges, type ReadOptions } from '../features/challenges-as-code/read-project.ts'
import { createSite, type Site } from '../features/challenges-as-code/site.ts'
import { DriftError, StartError } from '../lib/errors.ts'
import type { ProcessContext } from './process-context.ts'

interface SiteCommand {
  readonly url?: string
  readonly tokenFile?: string
}

export interface ChallengesCommand extends SiteCommand {
  readonly format?: Format
  readonly domain?: string
  readonly instances?: boolean
  readonly profile?: string
  readonly allow: readonly string[]
  readonly prune?: boolean
  readonly showSecrets?: boolean
  readonly json?: boolean
}

interface Compared extends Changes {
  readonly tree: DiskTree
  readonly site: Site
  /** Challenges to delete. */
  readonly removed: readonly { readonly id: string; readonly name: string; readonly solves: number }[]
}

/** What a command says about the documents. */
export function readOptionsOf(command: ChallengesCommand): ReadOptions {
  const { format = null, domain = null, instances = false, profile = null } = command
  return { format, domain, instances, profile, documents: [] }
}

type Mode = 'plan' | 'apply' | 'diff'

/** `pennant challenges plan`: shows what an apply would change. */
export async function planChallenges(
  context: ProcessContext,
  folder: string,
  command: ChallengesCommand,
): Promise<void> {
  const compared = await compare(context, folder, { ...command, mode: 'plan' })
  report(context, compared, command)
  requireNoErrors(compared.findings)
  if (countOf(compared) > 0) throw new DriftError()
}

/** `pennant challenges diff`: shows how the site differs from the folder. */
export async function diffChallenges(
  context: ProcessContext,
  folder: string,
  command: ChallengesCommand,
): Promise<void> {
  const compared = await compare(context, folder, { ...command, mode: 'diff' })
  const { changes, others, findings } = compared
  printFindings(context, findings)
  if (command.json) context.print(jsonOf(compared))
  else {
    const options = { showSecrets: command.showSecrets ?? false, isReversed: true, hashOf: compared.hashOf }
    for (const change of changes) {
      const { value, local, stored } = change
      const title = `${value.id}  ${plain(local.file)}`
      context.print(stored ? `~ ${title}` : `- ${title}  is only in the folder`)
      if (stored) for (const line of diffLines(change, options)) context.print(line)
    }
    for (const { id, name } of others) context.print(`+ ${plain(`${id}  ${name}`)}  is only on the site`)
    context.print(plural(changes.length + others.length, 'difference'))
  }
  requireNoErrors(findings)
  if (changes.length + others.length > 0) throw new DriftError()
}

/** `pennant challenges apply`: makes the site as the folder says, or changes nothing. */
export async function applyToSite(
  context: ProcessContext,
  folder: string,
  command: ChallengesCommand,
): Promise<void> {
  const compared = await compare(context, folder, { ...command, mode: 'apply' })
  report(context, compared, command)
  requireNoErrors(compared.findings)
  const { site, tree, changes, removed } = compared
  await applyChanges(site, tree, changes)
  for (const { id } of removed) await site.remove(id)
  if (countOf(compared) > 0 && !command.json) context.print('Applied.')
}

/** `pennant challenges export`: writes the challenges of the site into a folder. */
export async function exportChallenges(
  context: ProcessContext,
  folder: string,
  command: SiteCommand & { readonly force?: boolean },
): Promise<void> {
  const site = createSite(await siteOptions(context, command))
  const { written, unchanged } = await exportTo(folder, site, command.force ?? false)
  for (const path of written) context.print(path)
  context.print(`${plural(written.length, 'file')} written, ${unchanged} unchanged`)
}

async function compare(
  context: ProcessContext,
  folder: string,
  command: ChallengesCommand & { readonly mode: Mode },
): Promise<Compared> {
  const { mode, allow: allowed, prune = false } = command
  const site = createSite(await siteOptions(context, command))
  const tree = await readTree(folder)
  const read = await readChallenges(tree, readOptionsOf(command))
  const stored = await site.challenges()
  const waves = await site.waves()
  const claimsHints = read.challenges.some(({ value }) => value.hints !== undefined)
  const hints = await site.hints(claimsHints ? stored.map(({ id }) => id) : [])
  const found = await findChanges({ tree, challenges: read.challenges, stored, waves, hints })
  const allow = allowing(allowed)
  // A challenge that is deleted under its old id loses its solves.
  const isHarmful = ({ lint }: Finding) => prune && lint === 'renamed'
  const findings = [
    ...read.findings,
    ...found.findings.map((finding) =>
      isHarmful(finding) ? { ...finding, level: 'error' as const } : finding,
    ),
  ].map(allow)
  if (mode === 'diff') return { ...found, tree, site, removed: [], findings }
  const input = { tree, endTime: await site.endTime() }
  for (const challenge of read.challenges) {
    const linted = await lintChallenge(input, challenge)
    findings.push(...linted.map(allow))
  }
  if (!hasErrors(findings)) findings.push(...(await askServer(site, tree, found)))
  // A challenge whose document has an error is missing among those that were read.
  const removed = prune && !hasErrors(read.findings.map(allow)) ? await countSolves(site, found) : []
  return { ...found, tree, site, removed, findings }
}

async function countSolves(site: Site, { others }: Changes) {
  const removed = []
  for (const { id, name } of others) removed.push({ id, name, solves: await site.solveCount(id) })
  return removed
}

/** The server knows the kinds of flags, the instancers and the solves. */
async function askServer(site: Site, tree: DiskTree, { changes }: Changes): Promise<Finding[]> {
  if (changes.length === 0) return []
  const { urls } = await findFiles(site, tree, changes)
  const { content, files } = await archiveOf(tree, changes, urls)
  const result = await site.planImport(content)
  if (result.kind === 'goodChallengeArchivePlan') return await serverFindings(result.data, changes, files)
  const message =
    result.kind === 'badPerms'
      ? 'the token lacks challsWrite, so the server did not check flags, instances and scoring'
      : `the server refused the check: ${result.message} (${result.kind})`
  const level = result.kind === 'badPerms' ? 'warning' : 'error'
  return [{ level, lint: 'server', file: '', message }]
}

function report(context: ProcessContext, compared: Compared, command: ChallengesCommand): void {
  const { changes, removed, others, findings } = compared
  printFindings(context, findings)
  if (command.json) {
    context.print(jsonOf(compared))
    return
  }
  const options = { showSecrets: command.showSecrets ?? false, isReversed: false, hashOf: compared.hashOf }
  for (const change of changes) {
    const { value, local, stored } = change
    context.print(plain(`${stored ? '~' : '+'} ${value.id}  ${local.file}`))
    for (const line of diffLines(change, options)) context.print(line)
  }
  for (const { id, name, solves } of removed)
    context.print(plain(`- ${id}  ${name}  with ${plural(solves, 'solve')}`))
  const count = countOf(compared)
  const created = changes.filter(({ stored }) => !stored).length
  const parts = `${created} to create, ${changes.length - created} to change, ${removed.length} to delete`
  context.print(count === 0 ? '0 changes' : `${plural(count, 'change')}: ${parts}`)
  if (others.length > removed.length)
    context.complain(`The site has ${plural(others.length, 'challenge')} that the folder does not have.`)
}

function printFindings(context: ProcessContext, findings: readonly Finding[]): void {
  for (const finding of findings) context.complain(plain(lineOfFinding(finding)))
}

function countOf({ changes, removed }: Compared): number {
  return changes.length + removed.length
}

function jsonOf({ changes, removed, others, findings }: Compared): string {
  return JSON.stringify({
    changes: changes.map(({ value, local, stored, fields }) => ({
      id: value.id,
      file: local.file,
      state: stored ? 'changed' : 'created',
      fields,
    })),
    removed,
    onlyOnSite: others.map(({ id }) => id),
    findings,
  })
}

function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some(({ level }) => level === 'error')
}

function requireNoErrors(findings: readonly Finding[]): void {
  const count = findings.filter(({ level }) => level === 'error').length
  if (count > 0) throw new StartError(`Found ${plural(count, 'error')}; nothing was changed.`)
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Far more than any token; the file is something else. */
const MAX_TOKEN_BYTES = 64 * 1024

/** The token is never an argument: other users of the machine and logs of builds can read those. */
export async function siteOptions(
  { env }: ProcessContext,
  { url = env['PENNANT_URL'], tokenFile }: SiteCommand,
) {
  if (url === undefined || url === '')
    throw new StartError('The address of the site is missing: set PENNANT_URL or --url.')
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new StartError(`${url} is not an http or https URL.`)
  const file = tokenFile ?? env['PENNANT_TOKEN_FILE']
  const token = file === undefined || file === '' ? env['PENNANT_TOKEN'] : await tokenIn(file)
  if (token === undefined || token.trim() === '')
    throw new StartError('The token is missing: set PENNANT_TOKEN, PENNANT_TOKEN_FILE or --token-file.')
  if (!/^[\x21-\x7e]+$/.test(token.trim()))
    throw new StartError('The token has characters that no token has.')
  return { url, token: token.trim() }
}

async function tokenIn(file: string): Promise<string> {
  try {
    if ((await stat(file)).size > MAX_TOKEN_BYTES) throw new StartError(`${file} is too large for a token.`)
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`Could not read ${file}.`)
  }
}

import {
  archiveOf,
  findFiles,
  keyOf,
  serverFindings,
  uploadOf,
  type Pending,
} from '../ops/challenges-as-code/apply.ts'
import { likelyUrl } from '../features/organisers/archives/pictures.ts'
import type { LocalChallenge } from '../ops/challenges-as-code/check-translation.ts'
import {
  findChanges,
  type Change,
  type Changes,
  type ComparedField,
} from '../ops/challenges-as-code/changes.ts'
import { readTree, type DiskTree } from '../ops/challenges-as-code/disk-tree.ts'
import { allowing, type Finding } from '../ops/challenges-as-code/finding.ts'
import type { Format } from '../ops/challenges-as-code/formats/translation.ts'
import { lintChallenge } from '../ops/challenges-as-code/lint.ts'
import { fetchForeign, placePictures, type PictureInput } from '../ops/challenges-as-code/pictures.ts'
import type { ReadOptions } from '../ops/challenges-as-code/open-document.ts'
import { readChallenges } from '../ops/challenges-as-code/read-project.ts'
import type { Selection } from '../ops/challenges-as-code/selection.ts'
import { createSite, type Site } from '../ops/challenges-as-code/site.ts'
import { archiveKindsOf, featureKinds } from '../wiring/kinds.ts'
import { siteOptions, type SiteCommand } from './challenge-site.ts'
import type { ProcessContext } from './process-context.ts'

export interface ChallengesCommand extends SiteCommand {
  readonly format?: Format
  readonly domain?: string
  readonly instances?: boolean
  readonly storePictures?: boolean
  readonly profile?: string
  readonly rcdsIds?: 'event'
  /** Other names of documents. */
  readonly document?: readonly string[]
  readonly only?: readonly string[]
  readonly exclude?: readonly string[]
  readonly keepGoing?: boolean
  readonly verbose?: boolean
  readonly allow: readonly string[]
  readonly prune?: boolean
  readonly showSecrets?: boolean
  readonly json?: boolean
}

export interface Compared extends Changes {
  /** Challenges of the folder, those with errors included. */
  readonly count: number
  readonly tree: DiskTree
  readonly site: Site
  /** Pictures of texts that are not stored yet, by the address that the texts have for them. */
  readonly pictures: ReadonlyMap<string, Pending>
  /** Challenges to delete. */
  readonly removed: readonly { readonly id: string; readonly name: string; readonly solves: number }[]
}

/** What a command says about the documents. */
export function readOptionsOf(command: ChallengesCommand): ReadOptions & Selection {
  const { format = null, domain = null, instances = false, profile = null, rcdsIds = null } = command
  const { document: documents = [], only = [], exclude = [] } = command
  return { format, domain, instances, profile, rcdsIds, documents, only, exclude }
}

type Mode = 'plan' | 'apply' | 'diff'

/** Compares a folder with a site and finds everything that is wrong. */
export async function compare(
  context: ProcessContext,
  folder: string,
  command: ChallengesCommand & { readonly mode: Mode },
): Promise<Compared> {
  const { mode, allow: allowed, prune = false, keepGoing = false } = command
  const site = createSite(await siteOptions(context, command))
  const tree = await readTree(folder)
  const read = await readChallenges(tree, readOptionsOf(command))
  const { count, excluded } = read
  const config = await site.config()
  const { pictureSources } = config
  const fetched = command.storePictures ? await fetchForeign({ tree, pictureSources }, read.challenges) : null
  const placed = await withPictures({ site, tree, fetched, pictureSources }, read.challenges)
  const { challenges, pictures } = placed
  const stored = await site.challenges()
  const beside: ComparedField[] = []
  for (const kind of archiveKindsOf(featureKinds)) {
    const isClaimed = challenges.some(({ value }) => value[kind.field] !== undefined)
    const ids = isClaimed ? stored.map(({ id }) => id) : []
    beside.push({ ...kind, valueOf: await site.fetchField(kind, ids) })
  }
  const found = await findChanges({ tree, challenges, excluded, stored, beside })
  const allow = allowing(allowed)
  // A challenge that is deleted under its old id loses its solves.
  const isHarmful = ({ lint }: Finding) => prune && lint === 'renamed'
  const findings = [
    ...read.findings,
    ...placed.findings,
    ...found.findings.map((finding) =>
      isHarmful(finding) ? { ...finding, level: 'error' as const } : finding,
    ),
    ...(prune ? read.unknown.map(unknownToPrune) : []),
  ].map(allow)
  if (mode === 'diff') return { ...found, count, tree, site, pictures, removed: [], findings }
  const input = { tree, endTime: config.endTime }
  for (const challenge of challenges) {
    const linted = await lintChallenge(input, challenge)
    findings.push(...linted.map(allow))
  }
  const changes = keepGoing ? withoutErrors(found.changes, findings) : found.changes
  const checked = await requestServer({ site, tree, keepGoing }, changes, findings)
  // A challenge whose document has an error is missing among those that were read.
  const removed = prune && !hasErrors(checked.findings) ? await countSolves(site, found) : []
  return { ...found, ...checked, count, tree, site, pictures, removed }
}

interface Placing extends Omit<PictureInput, 'addressOf'> {
  readonly site: Site
}

/** The challenges with addresses of the site for pictures that are files of the folder. */
async function withPictures({ site, tree, ...input }: Placing, given: readonly LocalChallenge[]) {
  const pictures = new Map<string, Pending>()
  const addressOf = async (local: string) => {
    const upload = uploadOf({ name: '', local }, await tree.sha256(local))
    const stored = (await site.findUploads([upload])).get(keyOf(upload))
    if (stored === undefined) pictures.set(likelyUrl(upload), { ...upload, local })
    return stored ?? likelyUrl(upload)
  }
  const challenges: LocalChallenge[] = []
  const findings: Finding[] = []
  for (const each of given) {
    const placed = await placePictures({ tree, ...input, addressOf }, each)
    challenges.push(placed.challenge)
    findings.push(...placed.findings)
  }
  return { challenges, findings, pictures }
}

function unknownToPrune(file: string): Finding {
  const message = 'is left out and cannot be read, so --prune would delete its challenge: repair it'
  return { level: 'error', lint: 'project', file, message }
}

/** The changes of challenges that have no error. */
function withoutErrors(changes: readonly Change[], findings: readonly Finding[]): readonly Change[] {
  const errors = findings.filter(({ level }) => level === 'error')
  const files = new Set(errors.flatMap(({ file, challenge }) => (challenge === undefined ? [file] : [])))
  const ids = new Set(errors.map(({ file, challenge }) => `${file}\n${challenge}`))
  // No one can tell which of two documents is the right one.
  const repeated = new Set(
    errors.flatMap(({ lint, challenge }) => (lint === 'duplicate-id' ? [challenge] : [])),
  )
  return changes.filter(
    ({ local: { file, value }, value: { id } }) =>
      !files.has(file) && !repeated.has(id) && ![id, value.id].some((each) => ids.has(`${file}\n${each}`)),
  )
}

async function countSolves(site: Site, { others }: Changes) {
  const removed = []
  for (const { id, name } of others) removed.push({ id, name, solves: await site.solveCount(id) })
  return removed
}

interface Asking {
  readonly site: Site
  readonly tree: DiskTree
  readonly keepGoing: boolean
}

/** Each round leaves out what the server refused in the one before. */
const MAX_ROUNDS = 10

/** Asks the server about the changes, which it may refuse, and returns those that remain with all findings. */
async function requestServer(
  { site, tree, keepGoing }: Asking,
  given: readonly Change[],
  findings: readonly Finding[],
) {
  const found = [...findings]
  let changes = given
  if (found.some(isFatal) || (!keepGoing && hasErrors(found))) return { changes, findings: found }
  for (let round = 0; round < MAX_ROUNDS && changes.length > 0; round++) {
    const refused = await refusedBy(site, tree, changes)
    found.push(...refused)
    if (!keepGoing || !hasErrors(refused) || refused.some(isFatal)) break
    changes = withoutErrors(changes, refused)
  }
  return { changes, findings: found }
}

/** The server knows the kinds of flags, the instancers and the solves. */
async function refusedBy(site: Site, tree: DiskTree, changes: readonly Change[]): Promise<Finding[]> {
  const { urls } = await findFiles(site, tree, changes)
  const { content, files } = await archiveOf(tree, changes, urls)
  const result = await site.planImport(content)
  if (result.kind === 'goodChallengeArchivePlan') return serverFindings(result.data, changes, files)
  const message =
    result.kind === 'badPerms'
      ? 'the token lacks challsWrite, so the server did not check flags, instances and scoring'
      : `the server refused the check: ${result.message} (${result.kind})`
  const level = result.kind === 'badPerms' ? 'warning' : 'error'
  return [{ level, lint: 'server', file: '', message }]
}

function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some(({ level }) => level === 'error')
}

/** Errors of the folder as a whole, after which nothing is certain. */
export function isFatal({ level, file, lint }: Finding): boolean {
  return level === 'error' && (file === '' || lint === 'project')
}

import { posix } from 'node:path'
import { FileName } from '@pennant/contract/uploads.ts'
import { recordAdminAction } from '../../../db/admin-actions.ts'
import { UnavailableError } from '../../../lib/errors.ts'
import type { Log } from '../../../lib/log.ts'
import { loggedChange } from '../../../lib/logged-fields.ts'
import type { Uploads } from '../../../providers/uploads/uploads.ts'
import type { FileEntry } from '../../../world/model.ts'
import { checkingOnce, checkingSome } from './bounded-checks.ts'
import {
  createForeignStore,
  foreignPictures,
  writtenTexts,
  type ForeignPictures,
} from './foreign-pictures.ts'
import { likelyUrl, tooLongTexts, withPictures, type LocalPicture } from './pictures.ts'
import type { Left } from '../../site/uploads/fetch-pictures.ts'
import { openStaging } from '../../site/uploads/staging.ts'
import { MAX_UNPACKED_UPLOADS } from './limits.ts'
import { applyPlan, type Importer } from './apply.ts'
import { planChallenges, type ChallengePlan, type PlanDeps, type PlannedChallenge } from './plan.ts'
import { localsOf, readArchive } from './read-archive.ts'
import type { ReadChallenge } from './read-folders.ts'
import { openZip, type FileDigest } from './read-zip.ts'
import type { Problem } from './value.ts'
import { DOCUMENT_NAME } from './write-folders.ts'

export interface ImportDeps extends PlanDeps {
  readonly uploads: Uploads
  /** Maximum size of a file in bytes, as for uploads. */
  readonly maxRequestBodySize: number
  readonly log: Log
  /** Where pictures in texts may be. */
  readonly pictureSources: () => readonly string[]
}

export interface ImportRequest {
  /** The archive on disk. */
  readonly path: string
  readonly sha256: string
  /** Null only returns the plan. */
  readonly importer: Importer | null
  /** The plan that the caller saw; anything else is refused. */
  readonly expectedPlan: string | undefined
  /** Whether pictures of other sites are fetched and stored. */
  readonly storesPictures: boolean
}

export interface ImportResult extends ChallengePlan {
  readonly outcome: 'planned' | 'imported' | 'has problems' | 'differs from the plan'
  readonly ignored: readonly string[]
  /** Pictures of other sites in the texts that change. */
  readonly pictures: readonly ForeignPictures[]
  /** Those that could not be stored. */
  readonly picturesLeft: readonly Left[]
}

/** Challenges can change between the plan and the lock. After this many conflicts the client must retry. */
const MAX_TRIES = 5

/** Checks an archive and imports it unless it has a problem: all of its challenges or none. */
export async function importArchive(deps: ImportDeps, request: ImportRequest): Promise<ImportResult> {
  const { path } = request
  const { challenges, problems, ignored, digests } = await readArchive({
    path,
    maxFileBytes: deps.maxRequestBodySize,
    fields: deps.archives.map(({ field }) => field),
  })
  const complete = challenges.filter((each) => localsOf(each).every(({ local }) => digests.has(local)))
  const placed = await placePictures(deps.uploads, complete, digests)
  const known = [...problems, ...storageProblems(deps, complete, digests), ...placed.flatMap(lengthProblems)]
  const sources = deps.pictureSources()
  const storeForeign = createForeignStore(deps)
  const pictures = new Map(complete.map((each) => [each.folder, each.pictures]))
  const hashOf = (file: string) => digests.get(file)?.sha256 ?? ''
  const planDeps = { ...deps, flags: checkingSome(deps.flags), adminBot: checkingOnce(deps.adminBot) }
  for (let count = 0; count < MAX_TRIES; count++) {
    const plan = await planChallenges(planDeps, { challenges: placed, hashOf, sha256: request.sha256 })
    const foreign = foreignPictures(changedIn(plan), sources)
    const result = {
      ...plan,
      problems: [...known, ...plan.problems],
      ignored,
      pictures: foreign,
      picturesLeft: [],
    }
    const outcome = await carryOut({ deps, request, digests, pictures, sources, storeForeign }, result)
    if (outcome !== 'stale') return { ...result, ...outcome }
  }
  throw new UnavailableError('challenges were edited during each attempt to import them')
}

type Digests = ReadonlyMap<string, FileDigest>

/** A file can be listed under many names, and each is stored. */
function storageProblems(
  { maxRequestBodySize }: ImportDeps,
  challenges: readonly ReadChallenge[],
  digests: Digests,
): Problem[] {
  const keys = new Map<string, number>()
  for (const file of challenges.flatMap(localsOf)) {
    const digest = digests.get(file.local)
    if (digest) keys.set(`${digest.sha256}/${storedName(file)}`, digest.size)
  }
  const total = [...keys.values()].reduce((sum, size) => sum + size, 0)
  const maxBytes = maxRequestBodySize * MAX_UNPACKED_UPLOADS
  return total > maxBytes ? [{ path: '', reason: `the listed files have more than ${maxBytes} bytes` }] : []
}

interface Import {
  readonly deps: ImportDeps
  readonly request: ImportRequest
  readonly digests: Digests
  /** Of each challenge, by its folder. */
  readonly pictures: ReadonlyMap<string, readonly LocalPicture[]>
  readonly sources: readonly string[]
  readonly storeForeign: ReturnType<typeof createForeignStore>
}

type Outcome = Pick<ImportResult, 'outcome'> & Partial<ImportResult>

function changedIn(plan: ChallengePlan): PlannedChallenge[] {
  return plan.challenges.filter(({ fields, stored }) => fields.length > 0 || !stored)
}

function lengthProblems({ folder, value }: Pick<PlannedChallenge, 'folder' | 'value'>): Problem[] {
  return tooLongTexts(value).map(({ path, reason }) => ({
    path: `${folder}/${DOCUMENT_NAME}`,
    reason: `${path}: ${reason}`,
  }))
}

async function carryOut(work: Import, plan: ChallengePlan): Promise<Outcome | 'stale'> {
  const { deps, request, sources } = work
  const { importer, expectedPlan, storesPictures } = request
  if (!importer) return { outcome: 'planned' }
  if (plan.problems.length > 0) return { outcome: 'has problems' }
  if (expectedPlan !== undefined && expectedPlan !== plan.id) return { outcome: 'differs from the plan' }
  const changed = changedIn(plan)
  // Before the transaction: files are stored under their hash, so that they are the same after a rollback.
  const stored = await storeFiles(work, { challenges: changed, importer })
  const filesOf = ({ value }: PlannedChallenge) =>
    (value.files ?? []).map((file): FileEntry => {
      if (!('local' in file)) return file
      const found = stored.get(storedName(file) + file.local)
      if (!found) throw new Error('a file of the archive was not stored')
      return { name: file.name, ...found }
    })
  const local = changed.map((each) => ({ ...each, value: withStoredPictures(work, each, stored) }))
  const { challenges, left } = storesPictures
    ? await work.storeForeign(local, { sources, importer })
    : { challenges: local, left: [] }
  const problems = challenges.flatMap(lengthProblems)
  if (problems.length > 0) return { outcome: 'has problems', problems }
  if (!(await applyPlan(deps, { challenges, opened: plan.opened, filesOf, importer }))) return 'stale'
  return { outcome: 'imported', picturesLeft: left }
}

/** The name in the store: the one that players see, unless it is no file name. */
function storedName({ name, local }: { readonly name: string; readonly local: string }): string {
  return FileName.safeParse(name).success ? name : local.slice(local.lastIndexOf('/') + 1)
}

type StoredFiles = ReadonlyMap<string, { readonly url: string; readonly size: number }>

/** Gives pictures in texts the addresses that they have, or are likely to have, on the site. */
async function placePictures(uploads: Uploads, challenges: readonly ReadChallenge[], digests: Digests) {
  const placed: ReadChallenge[] = []
  const urls = new Map<string, string>()
  for (const each of challenges) {
    const addresses = new Map<string, string>()
    for (const { address, local } of each.pictures) {
      const key = { sha256: digests.get(local)?.sha256 ?? '', name: posix.basename(local) }
      const likely = likelyUrl(key)
      // One lookup for each file, because each may be a request to a bucket.
      const url = urls.get(likely) ?? (await uploads.find(`${key.sha256}/${key.name}`))?.url ?? likely
      urls.set(likely, url)
      addresses.set(address, url)
    }
    placed.push({ ...each, value: withPictures(each.value, addresses) })
  }
  return placed
}

/** Once the pictures are stored, their addresses are known. */
function withStoredPictures(
  { digests, pictures }: Import,
  { folder, value }: PlannedChallenge,
  stored: StoredFiles,
) {
  const addresses = new Map<string, string>()
  for (const { local } of pictures.get(folder) ?? []) {
    const name = posix.basename(local)
    const url = stored.get(name + local)?.url
    if (url !== undefined) addresses.set(likelyUrl({ sha256: digests.get(local)?.sha256 ?? '', name }), url)
  }
  return withPictures(value, addresses)
}

interface FilesToStore {
  readonly challenges: readonly PlannedChallenge[]
  readonly importer: Importer
}

/** Stores the files that the store does not have, one after another. */
async function storeFiles(
  { deps: { db, uploads, maxRequestBodySize }, request, digests, pictures }: Import,
  { challenges, importer }: FilesToStore,
): Promise<StoredFiles> {
  const stored = new Map<string, { readonly url: string; readonly size: number }>()
  const keys: string[] = []
  const files = challenges.flatMap((planned) => {
    const { folder, value, fields } = planned
    return localsOf({
      value: fields.includes('files') ? value : { ...value, files: [] },
      pictures: writtenTexts(planned).some((text) => text !== '') ? (pictures.get(folder) ?? []) : [],
    })
  })
  if (files.length === 0) return stored
  // The other process has checked it.
  const opened = await openZip(request.path, { maxFileBytes: maxRequestBodySize })
  if ('problems' in opened) throw new Error('an archive changed while it was imported')
  await using tree = opened.tree
  for (const file of files) {
    const name = storedName(file)
    if (stored.has(name + file.local)) continue
    const key = `${digests.get(file.local)?.sha256}/${name}`
    let found = await uploads.find(key)
    if (!found) {
      await using staging = openStaging(uploads.stagingFolder)
      const { path, size, sha256 } = await staging.receive(await tree.open(file.local))
      if (!key.startsWith(sha256)) throw new Error('a file of the archive changed while it was imported')
      found = await uploads.store(key, { path, size })
      keys.push(key)
    }
    stored.set(name + file.local, { url: found.url, size: found.size })
  }
  if (keys.length > 0)
    await db.query(
      recordAdminAction({
        ...importer,
        ...loggedChange(null, { files: keys }),
        action: 'upload.store',
        target: null,
        keys,
      }),
    )
  return stored
}

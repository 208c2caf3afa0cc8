import { buffer } from 'node:stream/consumers'
import type { z } from 'zod'
import type { ArchiveField, ArchivePlan } from '@pennant/contract/challenge-archive.ts'
import { StartError } from '../../lib/errors.ts'
import { FileName } from '@pennant/contract/uploads.ts'
import { likelyUrl, textsOf, tooLongTexts, withTexts } from '../../features/organisers/archives/pictures.ts'
import type { ChallengeValue, FileValue } from '../../features/organisers/archives/value.ts'
import { DOCUMENT_NAME, writeFolders } from '../../features/organisers/archives/write-folders.ts'
import { writeZip } from '../../features/organisers/archives/write-zip.ts'
import type { Change } from './changes.ts'
import type { DiskTree } from './disk-tree.ts'
import type { Finding } from './finding.ts'
import type { Site, UploadQuery } from './site.ts'
import { plural } from '../../lib/plural.ts'

/** The name in the store: the one that players see, unless it is no file name. */
export function uploadOf(
  file: { readonly name: string; readonly local: string },
  sha256: string,
): UploadQuery {
  const isName = FileName.safeParse(file.name).success
  return { sha256, name: isName ? file.name : file.local.slice(file.local.lastIndexOf('/') + 1) }
}

export const keyOf = ({ sha256, name }: UploadQuery) => `${sha256}/${name}`

export interface Pending extends UploadQuery {
  /** The path in the folder. */
  readonly local: string
}

/** The files of the changes: those that the site has, with their URL, and those to upload. */
export async function findFiles(site: Site, tree: DiskTree, changes: readonly Change[]) {
  const wanted = new Map<string, Pending>()
  for (const { value, fields } of changes) {
    if (!fields.includes('files')) continue
    for (const file of value.files ?? []) {
      if (!('local' in file)) continue
      const upload = uploadOf(file, await tree.sha256(file.local))
      wanted.set(keyOf(upload), { ...upload, local: file.local })
    }
  }
  const urls = await site.findUploads([...wanted.values()].map(({ sha256, name }) => ({ sha256, name })))
  return { urls, missing: [...wanted.values()].filter((upload) => !urls.has(keyOf(upload))) }
}

/** Called before the first upload and after each one. */
export type UploadProgress = (done: {
  readonly files: number
  readonly totalFiles: number
  readonly bytes: number
  readonly totalBytes: number
}) => void

interface Uploading {
  readonly site: Site
  readonly tree: DiskTree
  /** Pictures of texts that are not stored yet, by the address that the texts have for them. */
  readonly pictures: ReadonlyMap<string, Pending>
  readonly onProgress: UploadProgress
}

/** Uploads the pictures of the changes. A bucket may have other addresses than the likely ones. */
async function uploadPictures(
  { site, tree, pictures }: Uploading,
  changes: readonly Change[],
): Promise<readonly Change[]> {
  const addresses = new Map<string, string>()
  for (const [address, { name, local }] of pictures) {
    if (!changes.some(({ value }) => textsOf(value).some((text) => text.includes(address)))) continue
    addresses.set(address, await site.upload(name, new Blob([await buffer(tree.open(local))])))
  }
  const replaced = (text: string) => {
    let all = text
    for (const [likely, address] of addresses) all = all.replaceAll(likely, () => address)
    return all
  }
  const placed = changes.map((change) => ({ ...change, value: withTexts(change.value, replaced) }))
  for (const { local, value } of placed)
    for (const { path, reason } of tooLongTexts(value))
      throw new StartError(`${local.file}: ${path} of ${value.id} ${reason}. Nothing was changed.`)
  return placed
}

/** Uploads files one after another and returns the URLs of all. */
async function uploadFiles(
  { site, tree, onProgress }: Uploading,
  { urls, missing }: Awaited<ReturnType<typeof findFiles>>,
): Promise<Map<string, string>> {
  const all = new Map(urls)
  const totalFiles = missing.length
  const totalBytes = missing.reduce((sum, { local }) => sum + (tree.sizes.get(local) ?? 0), 0)
  let bytes = 0
  for (const [files, { sha256, name, local }] of missing.entries()) {
    onProgress({ files, totalFiles, bytes, totalBytes })
    const content = await buffer(tree.open(local))
    all.set(keyOf({ sha256, name }), await site.upload(name, new Blob([content])))
    bytes += content.length
  }
  if (totalFiles > 0) onProgress({ files: totalFiles, totalFiles, bytes, totalBytes })
  return all
}

/**
 * An archive of what changes. Its files are URLs, so that it is small; those that are not stored yet have the URL that
 * they will most likely have.
 */
export async function archiveOf(
  tree: DiskTree,
  changes: readonly Change[],
  urls: ReadonlyMap<string, string>,
): Promise<{ readonly content: Blob; readonly files: ReadonlyMap<string, string> }> {
  const values: ChallengeValue[] = []
  for (const { value, stored, fields } of changes) {
    const picked = Object.fromEntries(fields.map((field) => [field, value[field]]))
    const files = fields.includes('files') ? await storedFiles(tree, value.files ?? [], urls) : undefined
    const category = value.category ?? stored?.category ?? ''
    values.push({ ...picked, id: value.id, category, files })
  }
  const written: { path: string; text: string }[] = []
  for await (const file of writeFolders(values)) if ('text' in file) written.push(file)
  const { content } = await writeZip(written)
  const documents = written.filter(({ path }) => path.endsWith(`/${DOCUMENT_NAME}`))
  return {
    content: new Blob([await buffer(content)]),
    files: new Map(documents.map(({ path }, index) => [path, changes[index]?.local.file ?? ''])),
  }
}

async function storedFiles(
  tree: DiskTree,
  files: readonly FileValue<string>[],
  urls: ReadonlyMap<string, string>,
): Promise<FileValue<string>[]> {
  return await Promise.all(
    files.map(async (file) => {
      if (!('local' in file)) return file
      const key = uploadOf(file, await tree.sha256(file.local))
      const url = urls.get(keyOf(key)) ?? likelyUrl(key)
      return { name: file.name, url, size: tree.sizes.get(file.local) ?? null }
    }),
  )
}

type Plan = z.input<typeof ArchivePlan>

/** What the server found, at the documents of the folder. */
export function serverFindings(
  { problems, problemCount }: Pick<Plan, 'problems' | 'problemCount'>,
  changes: readonly Change[],
  files: ReadonlyMap<string, string>,
): Finding[] {
  const found = problems.map(({ path, reason }): Finding => {
    const file = files.get(path) ?? ''
    const base = { level: 'error', lint: 'server', file } as const
    const change = changes.find(({ local }) => local.file === file)
    const [, field, message] = /^([\w.]+): ([^]*)$/.exec(reason) ?? []
    if (!change || field === undefined) return { ...base, message: reason }
    return { ...base, ...change.local.place(field), message: message ?? reason }
  })
  const rest = problemCount - problems.length
  const message = `${plural(rest, 'more problem')}`
  return rest > 0 ? [...found, { level: 'error', lint: 'server', file: '', message }] : found
}

/** Writes all changes in one transaction, unless the site changed since it was compared. */
export async function applyChanges(uploading: Uploading, given: readonly Change[]): Promise<void> {
  if (given.length === 0) return
  const { site, tree } = uploading
  const changes = await uploadPictures(uploading, given)
  const urls = await uploadFiles(uploading, await findFiles(site, tree, changes))
  const { content } = await archiveOf(tree, changes, urls)
  const planned = await site.planImport(content)
  if (planned.kind !== 'goodChallengeArchivePlan' || !isSame(planned.data, changes)) throw changedMeanwhile()
  const result = await site.import(content, planned.data.plan)
  if (result.kind === 'badChallengeArchivePlan') throw changedMeanwhile()
  if (result.kind !== 'goodChallengeArchiveImport')
    throw new StartError(
      `The server refused the changes: ${result.message} (${result.kind}) Nothing was changed.`,
    )
}

function changedMeanwhile(): StartError {
  return new StartError('The challenges of the site changed meanwhile. Nothing was changed; run it again.')
}

/** Whether the server would change what was shown. */
function isSame({ challenges, problemCount }: Plan, changes: readonly Change[]): boolean {
  const shown = new Map(changes.map((change) => [change.value.id, change]))
  const isShown = (id: string, field: ArchiveField) => {
    const change = shown.get(id)
    // A new challenge always has a category.
    return change?.fields.includes(field) || (field === 'category' && change?.stored === null)
  }
  return (
    problemCount === 0 &&
    challenges.every(({ id, state, fields }) => {
      const isNew = shown.get(id)?.stored === null
      return (state === 'created') === isNew && fields.every((field) => isShown(id, field))
    })
  )
}

import { MAX_CHALLENGES } from '../../features/organisers/archives/limits.ts'
import { startReading } from '../../features/organisers/archives/read-folders.ts'
import { checkTranslation, type LocalChallenge } from './check-translation.ts'
import type { DiskTree } from './disk-tree.ts'
import { findDocuments, findLookalikes } from './documents.ts'
import type { Finding } from './finding.ts'
import { foreignFormats } from './formats/all.ts'
import { MAX_PACKED_BYTES } from './formats/archive.ts'
import {
  baseName,
  type ForeignDocument,
  type Format,
  type ReadDocument,
  type Translation,
} from './formats/translation.ts'
import { openDocument, type OpenedDocument, type ProjectReading, type ReadOptions } from './open-document.ts'
import { readProjects } from './projects.ts'
import { isSelected, unmatched, type Selection } from './selection.ts'

export interface ReadProject {
  readonly challenges: readonly LocalChallenge[]
  /** Challenges that the selection leaves out. */
  readonly excluded: readonly LocalChallenge[]
  /** Documents that are left out and cannot be read, so that their ids are not known. */
  readonly unknown: readonly string[]
  readonly findings: readonly Finding[]
  /** Challenges of documents, those with errors included. */
  readonly count: number
}

/** Reads all challenges of a folder and reports everything that is wrong with them. */
export async function readChallenges(tree: DiskTree, options: ReadOptions & Selection): Promise<ReadProject> {
  const projects = await readProjects(tree)
  const { files, findings } = findDocuments(tree, projects, options.documents)
  const result = { challenges: [], excluded: [], unknown: [], count: 0 }
  if (files.length > MAX_CHALLENGES)
    return {
      ...result,
      findings: [folderError(`there are more than ${MAX_CHALLENGES} documents of challenges`)],
    }
  const reading = startReading(tree, files)
  const all = { tree, projects, reading, options, packing: { left: MAX_PACKED_BYTES } }
  const run: Run = { ...result, findings: [...projects.findings, ...findings], named: [] }
  const documents: OpenedDocument[] = []
  for (const file of files) {
    const opened = await openDocument(all, file)
    if (opened.document) documents.push(opened)
    else addFailed(run, file, { findings: opened.findings, isWanted: isSelected(options, file, []) })
  }
  const listed = documents.filter(({ isUnlisted }) => !isUnlisted)
  if (listed.length === 0 && !run.findings.some(({ level }) => level === 'error'))
    run.findings.push(
      folderError(
        await whyNothing(tree, [...run.findings, ...documents.flatMap((opened) => opened.findings)]),
      ),
    )
  const otherOf = othersIn(listed.filter(({ document }) => isSelected(options, document.file, [])))
  const byFormat = new Map<Format, ReadDocument[]>()
  for (const opened of documents) {
    const { format, document } = opened
    const ids = await addDocument(all, run, { opened, other: otherOf(opened) })
    if (ids.length > 0) byFormat.set(format, [...(byFormat.get(format) ?? []), { document, ids }])
  }
  for (const pattern of unmatched(options.only, [...run.named, ...files.map((file) => ({ file, ids: [] }))]))
    run.findings.push(folderError(`--only ${pattern} matches no path or id of a challenge`))
  for (const [format, read] of byFormat)
    if (format !== 'pennant') run.findings.push(...((await foreignFormats[format].check?.(read)) ?? []))
  return run
}

interface Run {
  readonly challenges: LocalChallenge[]
  readonly excluded: LocalChallenge[]
  readonly unknown: string[]
  readonly findings: Finding[]
  /** All ids of challenges that were read, by their documents. */
  readonly named: { readonly file: string; readonly ids: readonly string[] }[]
  count: number
}

function addFailed(
  run: Run,
  file: string,
  { findings, isWanted }: { readonly findings: readonly Finding[]; readonly isWanted: boolean },
): void {
  const isError = findings.some(({ level }) => level === 'error')
  if (isError && isWanted) run.count += 1
  if (isError && !isWanted) run.unknown.push(file)
  else run.findings.push(...findings)
}

interface Given {
  readonly opened: OpenedDocument
  /** Another document of the same folder. */
  readonly other: string | null
}

/** Returns the ids of all challenges of the document, whether the selection includes them or not. */
async function addDocument(
  all: ProjectReading & { readonly options: Selection },
  run: Run,
  given: Given,
): Promise<readonly string[]> {
  const { opened, other } = given
  const { format, document, infos } = opened
  const { file } = document
  const isPathWanted = isSelected(all.options, file, [])
  if (opened.isUnlisted && isPathWanted) run.findings.push(...opened.findings)
  if (other !== null && isPathWanted && !opened.isUnlisted) {
    const message = `is in the folder of ${other}: keep one of them, or leave one out with --exclude`
    addFailed(run, file, {
      findings: [{ level: 'error', lint: 'document', file, message }],
      isWanted: true,
    })
    return []
  }
  const translations =
    format === 'pennant' ? [ownTranslation(document)] : await foreignFormats[format].read(document)
  const wanted: string[] = []
  for (const translation of translations) {
    const { challenge, findings } = await checkTranslation(all, translation, opened)
    const ids = [translation.id, ...translation.otherIds]
    run.named.push({ file, ids })
    const isWanted = !opened.isUnlisted && isSelected(all.options, file, ids)
    if (isWanted) {
      wanted.push(translation.id)
      run.count += 1
      run.findings.push(...findings)
      if (challenge) run.challenges.push(challenge)
    } else if (challenge) run.excluded.push(challenge)
    else run.unknown.push(file)
  }
  const found = translations.map(({ id }) => id)
  if (wanted.length === 0 && translations.length > 0) return found
  const lines = infos.map((message): Finding => ({ level: 'info', lint: 'project', file, message }))
  run.findings.push(...opened.findings, ...lines)
  return found
}

function folderError(message: string): Finding {
  return { level: 'error', lint: 'document', file: '', message }
}

async function whyNothing(tree: DiskTree, findings: readonly Finding[]): Promise<string> {
  const similar = await findLookalikes(tree)
  if (similar.length > 0) {
    const names = [...new Set(similar.map(baseName))].map((name) => `--document ${name}`)
    return `there is no challenge.yaml or challenge.yml, but these files look like challenges: ${similar.join(', ')}; add ${names.join(' ')}`
  }
  const left = findings.filter(({ level }) => level === 'info').map(({ message }) => message)
  const why = left.length > 0 ? `: every document ${[...new Set(left)].join(', or ')}` : ''
  return `there is no document of a challenge (challenge.yaml, challenge.yml, kona.yaml …)${why}`
}

/** The other document of a folder: most tools take one of them by chance. */
function othersIn(documents: readonly OpenedDocument[]) {
  const byFolder = new Map<string, string[]>()
  for (const { document, format } of documents)
    if (format === 'pennant' || !foreignFormats[format].isSharingFolders)
      byFolder.set(document.folder, [...(byFolder.get(document.folder) ?? []), document.file])
  return ({ document: { folder, file } }: OpenedDocument): string | null =>
    byFolder.get(folder)?.find((other) => other !== file) ?? null
}

/** The names of the folders are the id and the category, as in an archive. */
function ownTranslation(document: ForeignDocument): Translation {
  const content = document.typed
  const [category = '', id = ''] = ['', '', ...folderNames(document)].slice(-2)
  return {
    content: { ...content, category: content['category'] ?? (category || undefined) },
    defaults: {},
    id,
    otherIds: [],
    isNamed: false,
    problems: [],
    fields: {},
    at: [],
  }
}

/** Counted from the folder that was given; for a document in it, from the repository around it. */
function folderNames({ folder, tree }: ForeignDocument): string[] {
  if (folder !== '') return folder.split('/')
  return tree.root.split(/[/\\]/).slice(-Math.max(1, tree.above.length))
}

import { readText, type startReading } from '../../features/organisers/archives/read-folders.ts'
import { parseYaml } from '../../features/organisers/archives/yaml.ts'
import type { DiskTree } from './disk-tree.ts'
import type { Finding } from './finding.ts'
import { foreignFormats } from './formats/all.ts'
import {
  baseName,
  isMap,
  type ForeignDocument,
  type ForeignOptions,
  type Format,
} from './formats/translation.ts'
import { isManifest } from './manifest.ts'
import { parseForeign } from './parse.ts'
import { isListed, listedBy, type Projects } from './projects.ts'
import { recognise } from './recognise.ts'

export interface ReadOptions extends ForeignOptions {
  /** Null if each document shows it. */
  readonly format: Format | null
  /** Other names of documents. */
  readonly documents: readonly string[]
}

export interface ProjectReading {
  readonly tree: DiskTree
  readonly projects: Projects
  readonly reading: ReturnType<typeof startReading>
  readonly options: ReadOptions
  readonly packing: { left: number }
}

export interface OpenedDocument {
  readonly document: ForeignDocument
  readonly format: Format
  readonly lineOf: (path: readonly string[]) => number
  readonly findings: readonly Finding[]
  /** What the format says about the run while it reads the document. */
  readonly infos: readonly string[]
  /** The project does not list it: it is neither applied nor missing. */
  readonly isUnlisted?: boolean
}

/** A document, or why the file is none. */
export type Opened = OpenedDocument | { readonly document?: undefined; readonly findings: readonly Finding[] }

/** Reads a file and decides what it is. */
export async function openDocument(all: ProjectReading, file: string): Promise<Opened> {
  const { reading, options } = all
  const read = await readText(reading, { path: file, kind: 'document' })
  if ('problem' in read) return failed(file, read.problem)
  const parsed = await parseForeign(file, read.text)
  const isParsed = 'typed' in parsed
  if (isManifest(read.text, isParsed ? parsed.typed : undefined))
    return leftOut(file, 'is a manifest of Kubernetes and no challenge')
  if (!isParsed) {
    const project = all.projects.nearest('ctfcli', folderOf(file))
    const list = project && listedBy(all.tree.root, project)
    if (list && file.endsWith('.yml') && !isListed(list, file))
      return leftOut(file, `is not listed in ${project.file}`)
    return failed(file, parsed.error, { field: keyBefore(read.text, parsed.error) })
  }
  const { typed, text, lineOf } = parsed
  const infos: string[] = []
  const document = documentOf(all, { file, typed, text, infos })
  const chosen = options.format === null ? recognise(document) : { format: options.format }
  if ('problem' in chosen)
    return failed(file, chosen.problem, { field: chosen.field, line: lineOf([chosen.field]) })
  const { format } = chosen
  // The project of Konata, which is read as such.
  if (format === 'konata' && !('challenges' in document.text)) return { findings: [] }
  if (!isMap(typed)) return failed(file, 'must be a map of keys and values', { line: 1 })
  const own = format === 'pennant' ? await parseYaml(read.text) : { value: typed }
  if ('error' in own) return failed(file, own.error, { field: keyBefore(read.text, own.error) })
  const unlisted = unlistedBy(document, format)
  if (unlisted !== null) {
    const { findings } = leftOut(file, unlisted)
    return { document, format, lineOf, findings, infos: [], isUnlisted: true }
  }
  if (!isNamedFor(document, format, options)) return leftOut(file, `is no document of ${format}`)
  const findings = parsed.warnings.map((warning): Finding => {
    const reason = 'is there twice'
    return { level: 'warning', lint: 'yaml', file, ...warning, reason }
  })
  const content = { ...document, typed: own.value as ForeignDocument['typed'] }
  return { document: content, format, lineOf, findings, infos }
}

function folderOf(file: string): string {
  return file.slice(0, Math.max(0, file.length - baseName(file).length - 1))
}

interface Content {
  readonly file: string
  readonly typed: unknown
  readonly text: unknown
  readonly infos: string[]
}

function documentOf(all: ProjectReading, { file, typed, text, infos }: Content): ForeignDocument {
  const { tree, projects, options, packing } = all
  const folder = folderOf(file)
  return {
    typed: isMap(typed) ? typed : {},
    text: isMap(text) ? text : {},
    file,
    folder,
    tree,
    project: {
      rcds: projects.nearest('rcds', folder),
      konata: projects.nearest('konata', folder),
      ctfcli: projects.nearest('ctfcli', folder),
      packing,
    },
    options,
    info: (message) => void infos.push(message),
  }
}

/** Why ctfcli would not read a document, or null. */
function unlistedBy({ file, tree, project: { ctfcli } }: ForeignDocument, format: Format): string | null {
  const listed = format === 'ctfcli' && ctfcli ? listedBy(tree.root, ctfcli) : null
  return listed && ctfcli && !isListed(listed, file) ? `is not listed in ${ctfcli.file}` : null
}

/** Whether the tool of the format, the project or the caller reads files of this name. */
function isNamedFor(
  { file, tree, project: { ctfcli } }: ForeignDocument,
  format: Format,
  { documents }: ReadOptions,
): boolean {
  const name = baseName(file)
  const isListedName = format === 'ctfcli' && ctfcli !== null && listedBy(tree.root, ctfcli) !== null
  if (format === 'pennant' || isListedName || documents.includes(name)) return true
  return foreignFormats[format].documents.test(name) || /^challenge\.(?:ya?ml|json)$/.test(name)
}

function failed(file: string, message: string, rest: Partial<Finding> = {}): Opened {
  const line = Number(/at line (\d+)/.exec(message)?.[1] ?? 0)
  const place = line === 0 ? {} : { line }
  return { findings: [{ level: 'error', lint: 'document', file, ...place, message, ...rest }] }
}

function leftOut(file: string, message: string): Opened {
  return { findings: [{ level: 'info', lint: 'project', file, message }] }
}

/** The key that the parser was at. */
function keyBefore(text: string, error: string): string {
  const line = Number(/at line (\d+)/.exec(error)?.[1] ?? 0)
  const before = text.split('\n').slice(0, line)
  const found = before.findLast((each) => /^\s*(?:- +)*[\w.-]+:/.test(each))
  return /([\w.-]+):/.exec(found ?? '')?.[1] ?? ''
}

import { join, relative, sep } from 'node:path'
import type { DiskTree } from '../disk-tree.ts'
import type { Finding } from '../finding.ts'

/** The formats of other tools, in the order in which their signs decide. */
export const foreignNames = ['konata', 'noctfcli', 'gzcli', 'beavercds', 'rcds', 'ctfcli'] as const

export type ForeignName = (typeof foreignNames)[number]

export type Format = 'pennant' | ForeignName

export const formats: readonly Format[] = ['pennant', ...foreignNames]

export type Json = Readonly<Record<string, unknown>>

export type Problem = Pick<Finding, 'level' | 'lint' | 'message' | 'reason'> & { readonly field?: string }

/** What a document shows about its format. */
export interface Signs {
  /** What shows that it is of this format, as texts for a message. */
  readonly found: readonly string[]
  /** What no document of this format has. */
  readonly against: readonly string[]
}

export interface ForeignFormat {
  /** Base names of its documents. */
  readonly documents: RegExp
  /** Whether a folder may have several documents. */
  readonly isSharingFolders?: boolean
  signs(document: ForeignDocument): Signs
  /** No challenge if the tool itself leaves the document out. */
  read(document: ForeignDocument): Promise<readonly Translation[]>
  /** Checks what only all documents together show. */
  check?(documents: readonly ReadDocument[]): Promise<readonly Finding[]>
}

/** A document, and the ids of its challenges. */
export interface ReadDocument {
  readonly document: ForeignDocument
  readonly ids: readonly string[]
}

/** The content of a foreign document: as YAML 1.1 types it, and with every scalar as it is written. */
export interface ForeignDocument {
  readonly typed: Json
  readonly text: Json
  /** The path of the document in the tree. */
  readonly file: string
  /** The folder of the challenge in the tree; empty for the root. */
  readonly folder: string
  readonly tree: DiskTree
  readonly project: Project
  readonly options: ForeignOptions
  /** Adds a line about the run, which is counted over all documents. */
  info(message: string): void
}

/** What the caller says about all documents. */
export interface ForeignOptions {
  /** The public host of containers. */
  readonly domain: string | null
  /** The profile of beavercds that shows which challenges are online. */
  readonly profile: string | null
  /** Whether ids of rCDS begin with the event, as in a fork. */
  readonly rcdsIds: 'event' | null
  /** Whether containers of a team become instances. */
  readonly instances: boolean
}

/** The project files of other tools that are closest to a document. */
export interface Project {
  readonly rcds: ProjectFile | null
  readonly konata: ProjectFile | null
  /** `typed` and `text` are keys by section. */
  readonly ctfcli: ProjectFile | null
  /** Bytes that may still be packed into archives, over all documents. */
  readonly packing: { left: number }
}

export interface ProjectFile {
  /** A path in the tree. Begins with `../` above the folder that was given. */
  readonly file: string
  readonly folder: string
  readonly typed: Json
  readonly text: Json
}

export interface Translation {
  /** A document of our own format: docs/author/challenge-archives.md */
  readonly content: Json
  /** Fields of a new challenge that the document leaves out. */
  readonly defaults: Json
  readonly id: string
  /** Ids of the same challenge that a site may have instead. */
  readonly otherIds: readonly string[]
  /** Whether the name identifies the challenge. */
  readonly isNamed: boolean
  readonly problems: readonly Problem[]
  /** Names of fields in the foreign document, by the name of ours. */
  readonly fields: Readonly<Record<string, string>>
  /** The path of the challenge in its file. */
  readonly at: readonly string[]
}

/** `Paper Boat!` is `paper-boat`. */
export function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
  return slug.slice(0, 200)
}

/** The id of a challenge that its name identifies. */
export function idOfName({ folder }: ForeignDocument, name = ''): string {
  return slugOf(name) || slugOf(folder) || 'challenge'
}

export function isMap(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value if it is a map, else an empty one. */
export function mapOf(value: unknown): Json {
  return isMap(value) ? value : {}
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

export function inFolder(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`
}

/** Which of some keys a map has, as texts for a message. */
export function keysIn(map: Json, keys: readonly string[]): string[] {
  return keys.filter((key) => key in map).map((key) => `\`${key}\``)
}

/** The names of the folders from a folder to the challenge; the last one is that of the challenge. */
export function namesBelow({ tree, folder }: ForeignDocument, projectFolder: string): string[] {
  const path = relative(join(tree.root, projectFolder), join(tree.root, folder))
  return path.split(sep).filter((name) => name !== '' && name !== '..')
}

/** The Markdown block of the site for addresses. */
export function withConnection(description: string, lines: readonly string[]): string {
  if (lines.length === 0) return description
  const block = ['> [!CONNECTION]', ...lines.map((line) => `> ${line}`)].join('\n')
  return description === '' ? block : `${description.trimEnd()}\n\n${block}`
}

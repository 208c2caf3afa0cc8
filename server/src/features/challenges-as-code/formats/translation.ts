import type { DiskTree } from '../disk-tree.ts'
import type { Finding } from '../finding.ts'

export const formats = ['pennant', 'ctfcli', 'rcds', 'konata'] as const

export type Format = (typeof formats)[number]

export type Json = Readonly<Record<string, unknown>>

export type Problem = Pick<Finding, 'level' | 'lint' | 'message'> & { readonly field?: string }

/** The content of a foreign document: as it is, and with every scalar as it is written. */
export interface ForeignDocument {
  readonly typed: Json
  readonly text: Json
  /** The folder of the challenge in the tree; empty for the root. */
  readonly folder: string
  readonly tree: DiskTree
  readonly project: Project
}

/** What the root of a repository says about all challenges. */
export interface Project {
  readonly rcds: Json
  readonly konata: Json
  /** The folders that `.ctf/config` lists, if there is one. */
  readonly ctfcli: ReadonlySet<string> | null
  /** The domain of the containers of rCDS. */
  readonly domain: string | null
  /** Bytes that may still be packed into archives. */
  readonly packing: { left: number }
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

export function isMap(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

export function inFolder(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`
}

/** The Markdown block of the site for addresses. */
export function withConnection(description: string, lines: readonly string[]): string {
  if (lines.length === 0) return description
  const block = ['> [!CONNECTION]', ...lines.map((line) => `> ${line}`)].join('\n')
  return description === '' ? block : `${description.trimEnd()}\n\n${block}`
}

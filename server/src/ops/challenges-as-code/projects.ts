import { join, relative } from 'node:path'
import { tidied } from '../../features/organisers/archives/paths.ts'
import type { DiskTree } from './disk-tree.ts'
import type { Finding } from './finding.ts'
import { readConfig } from './formats/ctf-config.ts'
import { textBeside } from './formats/reader.ts'
import {
  baseName,
  inFolder,
  isMap,
  type Json,
  type Project,
  type ProjectFile,
} from './formats/translation.ts'
import { parseForeign } from './parse.ts'

type Kind = Exclude<keyof Project, 'packing'>

const NAMES: Readonly<Record<Kind, readonly string[]>> = {
  rcds: ['rcds.yml', 'rcds.yaml', 'rcds.json'],
  konata: ['kona.yaml', 'kona.yml', 'kona.toml'],
  ctfcli: ['.ctf/config'],
}
/** Far more than one for each event of a repository; each challenge of Konata has one too. */
const MAX_FILES = 1000

export interface Projects {
  readonly findings: readonly Finding[]
  /** The closest project file upwards, first in the folder that was given and then in the repository around it. */
  nearest(kind: Kind, folder: string): ProjectFile | null
  readonly ctfcli: readonly ProjectFile[]
}

/** Reads the project files of other tools in a tree and above it. */
export async function readProjects(tree: DiskTree): Promise<Projects> {
  const findings: Finding[] = []
  const byKind = { rcds: new Map(), konata: new Map(), ctfcli: new Map() } as Readonly<
    Record<Kind, Map<string, ProjectFile>>
  >
  for (const { kind, file, folder } of await filesOf(tree)) {
    if (byKind[kind].has(folder)) continue
    const read = await readFile(tree, kind, file)
    // A file of Konata in the folder is read as a document too, and reported there.
    const isReported = kind === 'konata' && !tree.above.includes(folder)
    if ('problem' in read) {
      if (!isReported) findings.push({ level: 'error', lint: 'project', file, message: read.problem })
    } else if (kind !== 'konata' || isKonataProject(read.typed))
      byKind[kind].set(folder, { file, folder, ...read })
  }
  const { above } = tree
  return {
    findings,
    nearest(kind, folder) {
      for (let at: string | undefined = folder; at !== undefined; at = parentOf(at, above)) {
        const found = byKind[kind].get(at)
        if (found) return found
      }
      return null
    },
    ctfcli: [...byKind.ctfcli.values()],
  }
}

interface Named {
  readonly kind: Kind
  readonly file: string
  readonly folder: string
}

async function filesOf(tree: DiskTree): Promise<Named[]> {
  const found: Named[] = []
  for (const kind of ['rcds', 'konata', 'ctfcli'] as const)
    for (const name of NAMES[kind]) {
      for (const folder of tree.above) {
        const file = `${folder}/${name}`
        if (tree.sizes.has(file) || (await tree.find(file)) === 'file') found.push({ kind, file, folder })
      }
      for (const file of tree.sizes.keys())
        if (file === name || (file.endsWith(`/${name}`) && !file.startsWith('..')))
          found.push({ kind, file, folder: file.slice(0, Math.max(0, file.length - name.length - 1)) })
    }
  return found.slice(0, MAX_FILES)
}

function parentOf(folder: string, above: readonly string[]): string | undefined {
  const level = above.indexOf(folder)
  if (folder === '' || level !== -1) return above[level + 1]
  return folder.slice(0, Math.max(0, folder.lastIndexOf('/')))
}

type Read = { readonly typed: Json; readonly text: Json } | { readonly problem: string }

async function readFile(tree: DiskTree, kind: Kind, file: string): Promise<Read> {
  const read = await textBeside({ tree, folder: '' }, file)
  if ('problem' in read) return read
  if (kind === 'ctfcli') {
    const sections = readConfig(read.text)
    return { typed: sections, text: sections }
  }
  const parsed = await parseForeign(file, read.text)
  if ('error' in parsed) return { problem: parsed.error }
  const { typed, text } = parsed
  if (typed === null) return { typed: {}, text: {} }
  return isMap(typed) && isMap(text) ? { typed, text } : { problem: 'must be a map of keys and values' }
}

const KONATA_KEYS =
  /^(?:rctf|ctfd|secrets|registries|clusters|kv|domains|templates|attachment_?[fF]ormat|attachment_?[wW]rap_?[dD]ir|challenge_?[iI]d_?[fF]ormat)$/

/** A file of challenges may be the project too. */
function isKonataProject(content: Json): boolean {
  return !('challenges' in content) || Object.keys(content).some((key) => KONATA_KEYS.test(key))
}

/** What a project of ctfcli lists: documents by their path, also in their folders. Null if it lists nothing. */
export function listedBy(root: string, { folder, typed }: ProjectFile): ReadonlySet<string> | null {
  const section = typed['challenges']
  const keys = isMap(section) ? Object.keys(section) : []
  const paths = keys.map((key) => {
    // The project may be above the folder, whose names are only in its full path.
    const path = relative(root, join(root, folder, tidied(key))).replaceAll('\\', '/')
    return /\.ya?ml$/.test(path) ? path : inFolder(path, 'challenge.yml')
  })
  return paths.length === 0 ? null : new Set(paths)
}

/** Whether a list has a document, however the file in its folder is called. */
export function isListed(listed: ReadonlySet<string>, document: string): boolean {
  const folder = document.slice(0, -baseName(document).length)
  return (
    listed.has(document) ||
    (/^challenge\.ya?ml$/.test(baseName(document)) && listed.has(`${folder}challenge.yml`))
  )
}

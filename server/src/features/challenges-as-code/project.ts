import { parseYaml } from '../challenge-archive/yaml.ts'
import type { DiskTree } from './disk-tree.ts'
import type { Finding } from './finding.ts'
import { MAX_PACKED_BYTES } from './formats/attachments.ts'
import { textBeside } from './formats/reader.ts'
import { isMap, type Format, type Json, type Project } from './formats/translation.ts'

const RCDS = ['rcds.yaml', 'rcds.yml', 'rcds.json']
const KONATA = ['kona.yaml', 'kona.yml']
const CTFCLI = '.ctf/config'
const NAMES = new Set(['challenge.yaml', 'challenge.yml', 'challenge.json', ...KONATA])

/** The files of a tree that describe challenges. */
export function documentsOf({ sizes }: DiskTree, { ctfcli }: Project): string[] {
  const found = [...sizes.keys()].filter((path) => NAMES.has(path.slice(path.lastIndexOf('/') + 1)))
  const listed = ctfcli
  // ctfcli only processes the folders that its project lists.
  if (listed === null) return found
  return found.filter((path) => !path.endsWith('/challenge.yml') || listed.has(path.slice(0, -14)))
}

/** What the files at the root say about all challenges. */
export async function readProject(
  tree: DiskTree,
  domain: string | null,
): Promise<{ readonly project: Project; readonly findings: readonly Finding[] }> {
  const findings: Finding[] = []
  const report = (file: string, message: string) =>
    findings.push({ level: 'error', lint: 'document', file, message })

  async function first(names: readonly string[]): Promise<Json> {
    const file = names.find((name) => tree.sizes.has(name))
    if (file === undefined) return {}
    const read = await textBeside({ tree, folder: '' }, file)
    const parsed = 'problem' in read ? { error: read.problem } : await parseYaml(read.text)
    if ('value' in parsed && isMap(parsed.value)) return parsed.value
    report(file, 'error' in parsed ? parsed.error : 'must be a map')
    return {}
  }

  for (const path of tree.sizes.keys())
    if (/(?:^|\/)kona\.toml$/.test(path)) report(path, 'TOML is not supported; write kona.yaml instead')
  const project = {
    rcds: await first(RCDS),
    konata: await first(KONATA),
    ctfcli: await ctfcliFolders(tree),
    domain,
    packing: { left: MAX_PACKED_BYTES },
  }
  return { project, findings }
}

/** The section `[challenges]`: a folder and its source in each line. */
async function ctfcliFolders(tree: DiskTree): Promise<ReadonlySet<string> | null> {
  if (!tree.sizes.has(CTFCLI)) return null
  const read = await textBeside({ tree, folder: '' }, CTFCLI)
  if ('problem' in read) return null
  const folders = new Set<string>()
  let section = ''
  for (const line of read.text.split('\n')) {
    section = /^\s*\[([^\]]*)\]/.exec(line)?.[1] ?? section
    const key = /^\s*([^#;=[\s][^=]*?)\s*=/.exec(line)?.[1]
    if (section === 'challenges' && key !== undefined)
      folders.add(key.replace(/^\.\//, '').replace(/\/+$/, ''))
  }
  return folders
}

/** Keys that only one of the formats has. */
const ONLY: Readonly<Record<Exclude<Format, 'konata'>, readonly string[]>> = {
  pennant: [
    'id',
    'points',
    'scoring',
    'hidden',
    'releaseTime',
    'wave',
    'prerequisites',
    'lockedShown',
    'instancer',
    'adminBot',
    'tiebreakEligible',
    'sortWeight',
  ],
  ctfcli: [
    'value',
    'type',
    'extra',
    'state',
    'version',
    'attribution',
    'connection_info',
    'topics',
    'requirements',
    'attempts',
    'scheduled_at',
    'logic',
  ],
  rcds: ['flag', 'value', 'provide', 'visible', 'deployed', 'containers', 'expose'],
}

/** The format of a document: by its name and keys, or by the project that it is part of. */
export function formatOf(path: string, content: unknown, project: Project): Format {
  const keys = isMap(content) ? Object.keys(content) : []
  if (/(?:^|\/)kona\.ya?ml$/.test(path) || keys.includes('challenges')) return 'konata'
  const count = (format: keyof typeof ONLY) => ONLY[format].filter((key) => keys.includes(key)).length
  const [own, ctfcli, rcds] = [count('pennant'), count('ctfcli'), count('rcds')]
  const isRcds = Object.keys(project.rcds).length > 0
  // rCDS has two of the keys of our own format.
  if (isRcds && own <= 3 && !keys.includes('points')) return 'rcds'
  if (own > ctfcli && own > rcds) return 'pennant'
  if (rcds > ctfcli || (rcds > 0 && rcds === ctfcli && keys.includes('flag'))) return 'rcds'
  if (ctfcli > 0 || path.endsWith('.yml')) return 'ctfcli'
  return 'pennant'
}

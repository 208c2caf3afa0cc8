import { readText, startReading } from '../../features/organisers/archives/read-folders.ts'
import type { DiskTree } from './disk-tree.ts'
import type { Finding } from './finding.ts'
import { isDocumentName } from './formats/all.ts'
import { baseName, isMap } from './formats/translation.ts'
import { parseForeign } from './parse.ts'
import { listedBy, type Projects } from './projects.ts'

interface Documents {
  /** Paths of files that may describe challenges, in the order of the tree. */
  readonly files: readonly string[]
  readonly findings: readonly Finding[]
}

/** The files of a tree that are called as documents are, or that the caller or a project of ctfcli names. */
export function findDocuments(tree: DiskTree, projects: Projects, names: readonly string[]): Documents {
  const listed = new Set(projects.ctfcli.flatMap((project) => [...(listedBy(tree.root, project) ?? [])]))
  const findings: Finding[] = []
  const files = [...tree.sizes.keys()].filter((file) => {
    const isNamed = isDocumentName(file) || names.includes(baseName(file)) || listed.has(file)
    if (!isNamed || file.startsWith('../')) return false
    if (!isTemplate(file)) return true
    const message = 'is a template for new challenges and is left out'
    findings.push({ level: 'warning', lint: 'project', file, message })
    return false
  })
  return { files, findings: [...findings, ...listedInVain(tree, projects)] }
}

/** A folder of a template of cookiecutter or copier. */
function isTemplate(file: string): boolean {
  return file.includes('{{')
}

/** What `.ctf/config` lists and the repository does not have, and lists that are empty. */
function listedInVain(tree: DiskTree, { ctfcli }: Projects): Finding[] {
  const warning = { level: 'warning', lint: 'project' } as const
  return ctfcli.flatMap((project): Finding[] => {
    const { file } = project
    const listed = listedBy(tree.root, project)
    if (listed === null)
      return [{ ...warning, file, message: 'has no challenges in [challenges]: all documents are read' }]
    const missing = [...listed].filter((path) => !tree.sizes.has(path) && !tree.sizes.has(otherName(path)))
    return (
      missing
        // Above the folder that was given, the list has challenges of other folders.
        .filter((path) => !path.startsWith('../'))
        .map((path) => ({
          ...warning,
          file,
          field: path.replace(/\/challenge\.yml$/, ''),
          message: `lists ${path}, which does not exist`,
          reason: 'lists challenges that do not exist',
        }))
    )
  })
}

function otherName(path: string): string {
  return path.replace(/\.yml$/, '.yaml')
}

const MAX_LOOKED_AT = 500
const MAX_NAMED = 10

/** Other YAML files that look like challenges: the answer to a folder without any. */
export async function findLookalikes(tree: DiskTree): Promise<string[]> {
  const reading = startReading(tree, [])
  const found: string[] = []
  const files = [...tree.sizes.keys()].filter((file) => /\.ya?ml$/i.test(file))
  for (const file of files.slice(0, MAX_LOOKED_AT)) {
    const read = await readText(reading, { path: file, kind: 'document' })
    if ('problem' in read || !/^["']?flags?["']?[ \t]*:/m.test(read.text)) continue
    const parsed = await parseForeign(file, read.text)
    if ('typed' in parsed && isMap(parsed.typed) && 'name' in parsed.typed) found.push(file)
    if (found.length === MAX_NAMED) break
  }
  return found
}

import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { fromBuffer } from 'yauzl'
import type { FileValue } from '../src/features/organisers/archives/value.ts'
import { readTree, type DiskTree } from '../src/ops/challenges-as-code/disk-tree.ts'
import { lineOfFinding } from '../src/ops/challenges-as-code/finding.ts'
import type { ReadOptions } from '../src/ops/challenges-as-code/open-document.ts'
import { readChallenges } from '../src/ops/challenges-as-code/read-project.ts'
import type { Selection } from '../src/ops/challenges-as-code/selection.ts'
import { openChallengeFolder } from './challenge-folder.ts'

export const readDefaults: ReadOptions & Selection = {
  format: null,
  domain: null,
  documents: [],
  instances: false,
  profile: null,
  rcdsIds: null,
  only: [],
  exclude: [],
}

/** Reads challenges of other tools from a folder that has these files until the test ends. */
export async function readDocuments(
  files: Readonly<Record<string, string>>,
  options: Partial<ReadOptions & Selection> = {},
) {
  const folder = await openChallengeFolder()
  onTestFinished(() => folder[Symbol.asyncDispose]())
  await folder.write(files)
  const tree = await readTree(folder.path)
  const read = await readChallenges(tree, { ...readDefaults, ...options })
  return {
    challenges: read.challenges,
    lines: read.findings.filter(({ lint }) => !lint.startsWith('no-')).map(lineOfFinding),
    tree,
  }
}

/** The names in a zip archive of the tree. */
export async function openZip(tree: DiskTree, file: FileValue<string> | undefined): Promise<string[]> {
  if (!file || !('local' in file)) throw new Error('not a file of the folder')
  const content = await buffer(tree.open(file.local))
  return await new Promise((resolve, reject) => {
    fromBuffer(content, { lazyEntries: false }, (error, zip) => {
      const names: string[] = []
      if (!zip) return reject(error)
      zip.on('entry', ({ fileName }: { fileName: string }) => names.push(fileName))
      zip.on('end', () => resolve(names))
    })
  })
}

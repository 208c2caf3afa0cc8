import { posix } from 'node:path'
import { readElf } from './elf.ts'
import type { Architecture } from './architectures.ts'
import { canonical, followLinks, type Tree } from './tree.ts'

/**
 * Copies the libraries that programs in the tree load from `available` into the tree, with those that these load. Throws
 * if one is missing, or if a program is for another architecture.
 */
export function addLibraries(tree: Tree, available: Tree, { machine, triplet }: Architecture): void {
  const problems = new Set<string>()
  const left = [...tree.keys()]
  // Terminates: each path is added once, when it enters the tree.
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    const entry = tree.get(path)
    const elf = entry && 'content' in entry ? readElf(entry.content) : null
    if (!elf) continue
    if (elf.machine !== machine) problems.add(`${path} is for the machine ${elf.machine}`)
    const origin = posix.dirname(path)
    const folders = [
      ...elf.searchPaths.map((folder) => canonical(folder.replace(/^\$(ORIGIN|\{ORIGIN\})/, `/${origin}`))),
      `usr/lib/${triplet}`,
      'usr/lib',
    ]
    const wanted = elf.needed.map((name) => folders.map((folder) => `${folder}/${name}`))
    if (elf.interpreter !== null) wanted.push([canonical(elf.interpreter)])
    for (const places of wanted) {
      if (places.some((place) => followLinks(tree, place))) continue
      const found = places.map((place) => followLinks(available, place)).find((paths) => paths !== null)
      if (!found) problems.add(`${path} needs ${posix.basename(places[0] ?? '')}`)
      for (const part of found ?? []) {
        const copied = available.get(part)
        if (!copied || tree.has(part)) continue
        tree.set(part, copied)
        left.push(part)
      }
    }
  }
  if (problems.size > 0)
    throw new Error(`The image for ${triplet} would not run:\n${[...problems].join('\n')}`)
}

import { isJunk } from './junk.ts'
import { joined } from './paths.ts'
import type { FileState, FolderTree } from './folder-tree.ts'

export type Located = { readonly path: string } | { readonly problem: string }

/** The file of a tree that a document in `folder` means by a path. The problem is a sentence without that path. */
export async function locate(tree: FolderTree, folder: string, given: string): Promise<Located> {
  const wanted = joined(folder, given)
  if ('problem' in wanted) return wanted
  const { path } = wanted
  if (isJunk(path))
    return {
      problem: 'has the name of a file that players never get, because it only serves a system: rename it',
    }
  if (tree.sizes.has(path)) return { path }
  const state = await stateOf(tree, path)
  if (state === 'file') return { path }
  if (state === 'folder') return { problem: 'is a folder: list its files' }
  if (state === 'outside') return { problem: 'leads out of the repository and is not read' }
  const found = await fromRoot(tree, folder, given)
  const advice = found === null ? '' : `; one exists from the root: write ${found}`
  return { problem: `there is no such file${advice}` }
}

async function stateOf(tree: FolderTree, path: string): Promise<FileState> {
  if (hasFolder(tree, path)) return 'folder'
  if (tree.find) return await tree.find(path)
  return isOutside(path) ? 'outside' : 'missing'
}

function isOutside(path: string): boolean {
  return path === '..' || path.startsWith('../../')
}

/** How a document must write a path that exists from the root of the tree or of the repository, or null. */
async function fromRoot(tree: FolderTree, folder: string, given: string): Promise<string | null> {
  for (const root of ['', ...(tree.above ?? [])]) {
    const wanted = joined(root, given)
    if ('problem' in wanted || isJunk(wanted.path)) continue
    const isThere = tree.sizes.has(wanted.path) || (await stateOf(tree, wanted.path)) === 'file'
    if (isThere) return relativePath(folder, wanted.path)
  }
  return null
}

function relativePath(folder: string, path: string): string {
  const [from, to] = [folder === '' ? [] : folder.split('/'), path.split('/')]
  let same = 0
  while (same < from.length && from[same] === to[same]) same++
  // The name of a folder above the root is not known.
  return [...from.slice(same).map(() => '..'), ...to.slice(same)].join('/')
}

const sorted = new WeakMap<FolderTree['sizes'], readonly string[]>()

/** A search in the sorted paths, because a hostile document may ask for thousands. */
function hasFolder({ sizes }: FolderTree, path: string): boolean {
  const paths = sorted.get(sizes) ?? [...sizes.keys()].toSorted()
  sorted.set(sizes, paths)
  const prefix = `${path}/`
  let [low, high] = [0, paths.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((paths[middle] ?? '') < prefix) low = middle + 1
    else high = middle
  }
  return path === '' || (paths[low]?.startsWith(prefix) ?? false)
}

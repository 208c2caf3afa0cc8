import { MAX_PATH_LENGTH, MAX_PATH_PARTS } from './limits.ts'

/** What separates two characters of a path that are the same in most file systems of players and authors. */
export function caseKeyOf(path: string): string {
  return path.normalize('NFC').toLowerCase().normalize('NFC')
}

const CONTROL = /\p{Cc}/u

/** The file store has the same limit. */
const MAX_NAME_LENGTH = 255

/** A path with `/` between its parts and without `.` and empty parts, however Windows or a shell wrote it. */
export function tidied(path: string): string {
  const parts = path.replaceAll('\\', '/').split('/')
  return parts.filter((part, index) => part !== '.' && (part !== '' || index === 0)).join('/')
}

/** The folder around all paths, with a slash at its end, or an empty text. */
export function commonFolder(paths: readonly string[]): string {
  const [first = ''] = paths
  const folder = first.slice(0, first.indexOf('/') + 1)
  return paths.every((path) => path.startsWith(folder)) ? folder : ''
}

/**
 * The path that `given` means in a folder. One that leads out of the root begins with `..`. The problem says why a path
 * is none, and not whether there is such a file.
 */
export function joined(
  folder: string,
  given: string,
): { readonly path: string } | { readonly problem: string } {
  if (given.length > MAX_PATH_LENGTH)
    return { problem: `the path is longer than ${MAX_PATH_LENGTH} characters` }
  if (CONTROL.test(given)) return { problem: 'the path contains a control character' }
  if (given.trim() === '') return { problem: 'the path is empty' }
  if (/^(?:[/\\]|[a-z]:[/\\])/i.test(given))
    return { problem: 'the path is absolute: write it from the folder of the document' }
  const parts = folder === '' ? [] : folder.split('/')
  for (const part of tidied(given).split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (part !== '') parts.push(part)
  }
  return { path: parts.join('/') }
}

/** The reason why a path is refused, or null. It must be relative, with `/` between its parts. */
export function pathProblem(path: string): string | null {
  if (path.length > MAX_PATH_LENGTH) return `the path is longer than ${MAX_PATH_LENGTH} characters`
  if (CONTROL.test(path)) return 'the path contains a control character'
  if (path.includes('\\')) return 'the path contains a backslash'
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return 'the path is absolute'
  if (path.includes(':')) return 'the path contains a colon'
  const parts = path.split('/')
  if (parts.includes('..') || parts.includes('.')) return 'the path leaves its folder'
  if (parts.includes('')) return 'the path has an empty part'
  if (parts.length > MAX_PATH_PARTS) return `the path has more than ${MAX_PATH_PARTS} parts`
  return parts.some((part) => part.length > MAX_NAME_LENGTH) ? 'the path has a part that is too long' : null
}

/** Windows refuses these characters and a dot or space at the end; the rest has a meaning in a path. */
const UNSAFE = /[<>:"/\\|?*\p{C}]|[. ]$|^[. ]/gu
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i
/** Four parts of this many characters of four bytes each fit into every file system. */
const MAX_PART_LENGTH = 60

/** A part of a path that every file system can store. Different texts may have the same part. */
export function partOf(text: string): string {
  const safe = shortened(text.normalize('NFC').replaceAll(UNSAFE, '_'))
  if (safe === '') return '_'
  return RESERVED.test(safe) ? `_${safe}` : safe
}

/** Keeps a short extension. */
function shortened(text: string): string {
  const characters = [...text]
  if (characters.length <= MAX_PART_LENGTH) return text
  const extension = /\.\w{1,10}$/.exec(text)?.[0] ?? ''
  return characters.slice(0, MAX_PART_LENGTH - extension.length).join('') + extension
}

/** Hands out paths that differ in more than case: `a`, `a-2`, `a-3` and so on. */
export function createFreePaths() {
  const taken = new Set<string>()
  const next = new Map<string, number>()
  return (wanted: string): string => {
    const stem = caseKeyOf(wanted)
    let path = wanted
    for (let n = next.get(stem) ?? 2; taken.has(caseKeyOf(path)); n++) {
      path = `${wanted}-${n}`
      next.set(stem, n + 1)
    }
    taken.add(caseKeyOf(path))
    return path
  }
}

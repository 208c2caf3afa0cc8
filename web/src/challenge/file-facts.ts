const HASH = /(?:^|\/)([0-9a-f]{64})(?:\/|$|\.)/i

/** The SHA-256 in the URL of a stored file, in lower-case hex; null if there is none. */
export function hashIn(url: string): string | null {
  return HASH.exec(url)?.[1]?.toLowerCase() ?? null
}

const ARCHIVES = new Set(['zip', 'tar', 'gz', 'tgz', 'xz', 'bz2', 'zst', '7z', 'rar'])
const PICTURES = new Set(['png', 'jpg', 'jpeg', 'gif', 'webp', 'svg', 'bmp'])
const TEXTS = new Set([
  'txt',
  'md',
  'py',
  'c',
  'h',
  'cpp',
  'rs',
  'go',
  'js',
  'ts',
  'php',
  'html',
  'json',
  'sage',
])

export type FileSort = 'archive' | 'picture' | 'text' | 'other'

/** The kind of a file by its extension. */
export function sortOfFile(name: string): FileSort {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  if (ARCHIVES.has(extension)) return 'archive'
  if (PICTURES.has(extension)) return 'picture'
  return TEXTS.has(extension) ? 'text' : 'other'
}

import { readFileSync } from 'node:fs'

/** Sockets of the database, Redis and other services, uploads, and files of the site. */
const RESERVED_FILES = 512

/** With fewer, not even a small event fits: a hundred players, each with a stream and a request. */
export const MIN_OPEN_FILES = 512

/** How many files this process may open. Node raises its limit to the hard limit at startup. */
export function openFileLimit(): number {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? Infinity : Number(soft)
  } catch {
    // Only Linux has this file.
    return Infinity
  }
}

/** Connections that the limit leaves room for: at least half of it. */
export function connectionsWithin(openFiles: number): number {
  return openFiles - Math.min(RESERVED_FILES, Math.floor(openFiles / 2))
}

/** The problem if the limit is lower than what the configured number of connections needs, or null. */
export function describeFewFiles(maxConnections: number, openFiles = openFileLimit()): string | null {
  const possible = connectionsWithin(openFiles)
  if (possible >= maxConnections) return null
  return `This process may open ${openFiles} files, so it accepts at most ${possible} of ${maxConnections} connections.`
}

export const FEW_FILES_REMEDY =
  'Raise the limit with `LimitNOFILE` of systemd, `ulimit -n` of a shell or `ulimits` of Compose.'

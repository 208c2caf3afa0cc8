import { existsSync } from 'node:fs'
import { join } from 'node:path/posix'
import { textFiles } from './repository-files.ts'
import { importsOf, textOf } from './source-graph.ts'

const root = join(import.meta.dirname, '..')

/** Gives tests a database. */
const DATABASE = 'server/test/database.ts'
/** Variables with the addresses of a PostgreSQL and a Redis server. */
const SERVERS = /PENNANT_TEST_(?:DATABASE|REDIS)_URL/

/**
 * Test files that touch PostgreSQL or Redis: they import the test database or read a server's address, directly or
 * through other files. Only these need a database, and only these are repeated with real servers.
 */
export function databaseTests(): string[] {
  const known = new Map<string, boolean>()
  // The linter rejects import cycles, so this ends.
  const touches = (path: string): boolean => {
    const result = known.get(path) ?? (isOurs(path) && (isSource(path) || importsOf(path).some(reached)))
    known.set(path, result)
    return result
  }
  const reached = ({ to }: { readonly to: string }) => touches(to)
  return textFiles().filter((path) => /\.test\.tsx?$/.test(path) && touches(path))
}

function isOurs(path: string): boolean {
  return /\.tsx?$/.test(path) && existsSync(join(root, path))
}

function isSource(path: string): boolean {
  return path === DATABASE || SERVERS.test(textOf(path))
}

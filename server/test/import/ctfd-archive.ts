import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openCtfdArchive } from '../../src/ops/import/ctfd/archive.ts'
import type { CtfdOptions } from '../../src/ops/import/ctfd/options.ts'
import { readCtfd } from '../../src/ops/import/ctfd/read.ts'
import type { ImportOptions, ImportResult } from '../../src/ops/import/run.ts'
import { zipOf, type ZipEntry } from '../zips.ts'
import type { Target } from './target.ts'

// Exports as the fact sheet describes them: a JSON file for each table, empty without rows.

export type Rows = readonly Readonly<Record<string, unknown>>[]
export type Tables = Readonly<Record<string, Rows>>

export const at = (time: string) => `2030-05-02T${time}`

export const config = (values: Readonly<Record<string, unknown>>): Rows =>
  Object.entries({
    ctf_name: 'Old CTF',
    ctf_version: '3.8.2',
    user_mode: 'users',
    start: String(Date.UTC(2030, 4, 2, 10) / 1000),
    end: String(Date.UTC(2030, 4, 3, 10) / 1000),
    ...values,
  }).map(([key, value], index) => ({ id: index + 1, key, value }))

export const user = (id: number, more: object = {}) => ({
  id,
  name: `User ${id}`,
  email: `u${id}@users.example`,
  type: 'user',
  password: '$bcrypt$very-secret',
  secret: 'very-secret',
  hidden: false,
  banned: false,
  team_id: null,
  created: at('08:00:00'),
  ...more,
})

export const challenge = (id: number, more: object = {}) => ({
  id,
  name: `Chal ${id}`,
  description: 'd',
  category: 'misc',
  type: 'standard',
  state: 'visible',
  value: 100 * id,
  max_attempts: 0,
  ...more,
})

export const flag = (id: number, challenge_id: number, more: object = {}) => ({
  id,
  challenge_id,
  type: 'static',
  content: `flag{${challenge_id}}`,
  data: '',
  ...more,
})

/** A submission and its solve. */
export const solve = (id: number, [challenge_id, user_id]: readonly [number, number], more: object = {}) => ({
  id,
  challenge_id,
  user_id,
  team_id: null,
  ip: '203.0.113.5',
  provided: `flag{${challenge_id}}`,
  type: 'correct',
  date: at('11:00:00'),
  ...more,
})

export const solvesOf = (submissions: Rows): Rows =>
  submissions
    .filter(({ type }) => type === 'correct')
    .map(({ id, challenge_id, user_id, team_id }) => ({ id, challenge_id, user_id, team_id }))

export function entriesOf(tables: Tables, files: Readonly<Record<string, string>> = {}): ZipEntry[] {
  return [
    ...Object.entries({ alembic_version: [{ version_num: '67ebab6de598' }], ...tables }).map(
      ([table, results]) => ({
        name: `db/${table}.json`,
        content: results.length === 0 ? '' : JSON.stringify({ count: results.length, results, meta: {} }),
      }),
    ),
    ...Object.entries(files).map(([name, content]) => ({ name: `uploads/${name}`, content, deflate: true })),
  ]
}

const defaults: CtfdOptions = {
  hidden: 'ban',
  admins: false,
  awards: 'adjust',
  scoring: 'static',
  locked: 'hide',
  end: null,
  divisions: { open: 'Open', school: 'Students' },
  defaultDivision: 'open',
  mapped: new Map(),
  issuesLinks: true,
}

/** Imports the entries of an archive. */
export async function importEntries(
  target: Target,
  entries: readonly ZipEntry[],
  options: Partial<CtfdOptions & ImportOptions> = {},
): Promise<ImportResult> {
  const path = join(target.folder, 'export.zip')
  await writeFile(path, zipOf(entries))
  let opened: AsyncDisposable | null = null
  try {
    return await target.run(async (report) => {
      const archive = await openCtfdArchive(path, report)
      opened = archive
      return await readCtfd({ archive, options: { ...defaults, ...options }, report })
    }, options)
  } finally {
    await (opened as AsyncDisposable | null)?.[Symbol.asyncDispose]()
  }
}

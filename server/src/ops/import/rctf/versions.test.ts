import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { at, openMove, reader, solve, team, type Moved } from '../../../../test/import/rctf-rows.ts'
import { codesOf, legacyFormula, lossesOf, openTarget } from '../../../../test/import/target.ts'
import { noon } from '../../../../test/harness.ts'
import { openDump } from './dump.ts'

describe('rCTF 1', () => {
  let moved: Moved
  beforeEach(async () => {
    moved = await openMove('v1')
    const { source } = moved
    await source.add('users', team('t1', { perms: 7 }), team('t2'), team('t3'))
    await source.add(
      'challenges',
      { id: 'a', data: { name: 'A', flag: 'flag{a}', points: { min: 100, max: 500 } } },
      {
        id: 'b',
        data: { name: 'B', flag: 'flag{b}', points: { min: 100, max: 500 }, tiebreakEligible: false },
      },
    )
    await source.add(
      'solves',
      solve('a', 't1'),
      solve('a', 't2', { createdat: at('11:31:00') }),
      solve('b', 't3', { createdat: at('11:29:00') }),
    )
  })
  afterEach(() => moved[Symbol.asyncDispose]())

  const config = {
    ctfName: 'Old',
    homeContent: 'hi',
    divisions: { open: 'Open' },
    startTime: noon - 3_600_000,
    endTime: noon + 3_600_000,
  }

  test('has the standings of its own formula', async () => {
    const result = await moved.fromLive({ config }, { score: await legacyFormula() })
    expect(result.source).toBe('rCTF v1')
    expect(lossesOf(result)).toEqual([])
    expect(result.counts).toMatchObject({ teams: 3, solves: 3, submissions: 3 })
    expect(result.configuration).toContain('scores/legacy')
  })

  test('with another formula the difference is a loss; without its configuration the times are one', async () => {
    const result = await moved.fromLive({}, { isPlan: true })
    expect(codesOf(result)).toEqual(expect.arrayContaining(['loss standings', 'loss configuration']))
  })

  test('9: uploads have no name on the disk; equal bytes under two names are two files', async () => {
    const folder = join(moved.target.folder, 'source')
    const sha256 = createHash('sha256').update('old').digest('hex')
    await mkdir(folder)
    await writeFile(join(folder, sha256), 'old')
    const link = (name: string) => `https://ctf.example/uploads?key=${sha256}%2F${name}`
    await moved.source.query(
      `update challenges set data = data || '${JSON.stringify({
        files: [
          { name: 'a+b.zip', url: link('a%2Bb.zip') },
          { name: 'a b.zip', url: link('a%20b.zip') },
        ],
      })}'::jsonb where id = 'a'`,
    )
    await moved.fromLive({ config, folder }, { score: await legacyFormula() })
    expect(await moved.target.rows(`select files from challenges where id = 'a'`)).toEqual([
      {
        files: [
          { name: 'a+b.zip', url: `/uploads/${sha256}/a%2Bb.zip`, size: null },
          { name: 'a b.zip', url: `/uploads/${sha256}/a%20b.zip`, size: null },
        ],
      },
    ])
  })
})

describe('dumps that cannot be read', () => {
  const cases: readonly (readonly [string, string, RegExp])[] = [
    ['with INSERT statements', `INSERT INTO public.users VALUES ('a');\n`, /without --inserts/],
    ['of something else', 'COPY public.other (id) FROM stdin;\n1\n\\.\n', /no table `users`/],
    ['that end early', 'COPY public.users (id, name) FROM stdin;\na\tb\n', /ends within a table/],
    [
      'with rows of another length',
      'COPY public.users (id, name) FROM stdin;\na\n\\.\n',
      /a row has 1 values instead of 2/,
    ],
    ['in another encoding', `SET client_encoding = 'LATIN1';\n`, /--encoding=UTF8/],
    ['in a damaged custom format', 'PGDMP-nonsense', /pg_restore/],
  ]
  test.each(cases)('%s are refused', async (_, text, reason) => {
    await using target = await openTarget()
    const path = join(target.folder, 'dump')
    await writeFile(path, text)
    await using tables = await openDump(path)
    await expect(target.run(reader(tables))).rejects.toThrow(reason)
  })
})

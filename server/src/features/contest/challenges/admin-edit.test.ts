import { createHash, randomBytes } from 'node:crypto'
import { badAdminBotConfig, badInstancerConfig } from '@pennant/contract/admin-challenges.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import { recordLog } from '../../../../test/log.ts'
import { openDatabase } from '../../../db/database.ts'
import { createRegexTester } from '../../../lib/regex.ts'
import { flagProviders } from '../../../providers/flags/all.ts'
import { createFlags } from '../../../providers/flags/registry.ts'
import { readChallenges } from '../../../world/rows.ts'
import { createMintedFlags } from '../submissions/minted-flags.ts'
import { saveChallenge, type EditDeps } from './admin-edit.ts'
import type { AdminBotChecks, InstancerChecks } from './edit-checks.ts'

let opened: TestDatabase
const regex = createRegexTester()
beforeAll(async () => {
  opened = await openTestDatabase()
})
afterAll(async () => {
  await regex.close()
  await opened[Symbol.asyncDispose]()
})

/** Requires `image`, and the second instancer also `size`. */
const instancers: InstancerChecks = {
  problemOf({ config, instancer }) {
    if (typeof config['image'] !== 'string') return 'image: is needed'
    return instancer === 'second' && config['size'] === undefined ? 'size: is needed' : null
  },
}

const derived = {
  inputs: { url: { pattern: '^https://' } },
  timeoutMilliseconds: 5000,
  requireInstancerInstancesRunning: false,
}
const adminBot: AdminBotChecks = {
  derive: async (code) => (code === 'broken' ? { error: 'line 1: nonsense' } : { value: derived }),
}

type Data = Parameters<typeof saveChallenge>[1]['data']

function save(id: string, data: Data, deps: Partial<EditDeps> = {}) {
  const { db } = opened
  const { log } = recordLog()
  const flags = createFlags(flagProviders({ regex, minted: createMintedFlags(db), chance: randomBytes, log }))
  const editor = { actorId: 'admin', ip: '203.0.113.1', keys: Object.keys(data) }
  return saveChallenge({ db, flags, instancers, adminBot, ...deps }, { id, data, editor })
}

async function read(id: string) {
  const [row] = await readChallenges(opened.db, [id])
  return row
}

test('concurrent edits of different fields in two processes lose nothing', async () => {
  const second = await openDatabase({ url: opened.url, maxPoolSize: 4, log: recordLog().log })
  await save('merged', {})
  const edits: Data[] = [
    { name: 'name' },
    { description: 'description' },
    { category: 'category' },
    { author: 'author' },
    { flag: 'flag{x}' },
    { points: { min: 1, max: 2 } },
    { files: [{ name: 'a', url: '/a' }] },
    { sortWeight: -3 },
    { hidden: true },
    { tags: ['one', 'two'] },
    { tiebreakEligible: false },
    { releaseTime: 1_900_000_000_000 },
    { scoring: { kind: 'static' } },
    { instancerConfig: { config: { image: 'x' } } },
    { adminBotConfig: { code: 'code' } },
  ]
  await Promise.all(edits.map((data, index) => save('merged', data, index % 2 ? { db: second } : {})))
  await second.close()
  expect(await read('merged')).toMatchObject({
    name: 'name',
    description: 'description',
    category: 'category',
    author: 'author',
    flags: [{ provider: 'flags/static', config: { flag: 'flag{x}' } }],
    pointsMin: 1,
    pointsMax: 2,
    files: [{ name: 'a', url: '/a', size: null }],
    sortWeight: -3,
    hidden: true,
    tags: ['one', 'two'],
    tiebreakEligible: false,
    releaseAt: 1_900_000_000_000,
    scoringKind: 'static',
    instancerConfig: { config: { image: 'x' } },
    adminBotConfig: { code: 'code', ...derived },
    version: 16,
  })
})

test('concurrent edits of different instancer settings lose nothing', async () => {
  await save('settings', { instancerConfig: { config: { image: 'x' } } })
  await Promise.all([
    save('settings', { instancerConfig: { timeoutMilliseconds: 5000 } }),
    save('settings', { instancerConfig: { challengeIntegrationId: 'id' } }),
    save('settings', { instancerConfig: { extendable: false } }),
    save('settings', { instancerConfig: { config: { image: 'y', cpus: 4 } } }),
  ])
  expect((await read('settings'))?.instancerConfig).toEqual({
    challengeIntegrationId: 'id',
    config: { image: 'y', cpus: 4 },
    expose: [],
    timeoutMilliseconds: 5000,
    extendable: false,
  })
})

test('two concurrent requests for the same new challenge create one', async () => {
  await Promise.all([save('twice', { name: 'a' }), save('twice', { author: 'b' })])
  expect(await read('twice')).toMatchObject({ name: 'a', author: 'b', version: 2 })
})

describe('instancer settings', () => {
  test('are checked by the instancer that they name and stored as written', async () => {
    const written = { instancer: 'second', config: { size: 1, image: 'x' } }
    expect(await save('named', { instancerConfig: { ...written, config: { image: 'x' } } })).toMatchObject({
      refused: { data: { error: 'size: is needed' } },
    })
    await save('named', { instancerConfig: written })
    expect((await read('named'))?.instancerConfig).toEqual({
      challengeIntegrationId: '',
      expose: [],
      timeoutMilliseconds: 0,
      ...written,
    })
  })

  test('that the instancer refuses are reported with its message', async () => {
    expect(await save('refused', { name: 'x', instancerConfig: {} })).toMatchObject({
      refused: { reply: badInstancerConfig, data: { error: 'image: is needed' } },
    })
    expect(await read('refused')).toBeUndefined()
  })

  test('are refused if no instancer is configured, but can be cleared', async () => {
    const without = { instancers: null }
    await save('cleared', { instancerConfig: { config: { image: 'x' } } })
    expect(await save('cleared', { instancerConfig: { extendable: true } }, without)).toMatchObject({
      refused: { reply: badInstancerConfig },
    })
    await save('cleared', { instancerConfig: null }, without)
    expect((await read('cleared'))?.instancerConfig).toBeNull()
  })

  test('fail after repeated conflicts', async () => {
    let count = 0
    const restless: InstancerChecks = {
      async problemOf() {
        count += 1
        await save('restless', { instancerConfig: { timeoutMilliseconds: 1000 + count } })
        return null
      },
    }
    await save('restless', { instancerConfig: { config: { image: 'x' } } })
    const edit = save('restless', { instancerConfig: { extendable: true } }, { instancers: restless })
    await expect(edit).rejects.toThrow('edited concurrently too many times')
    expect(count).toBe(5)
  })
})

describe('admin-bot code', () => {
  test('is stored with its derived settings and its digest', async () => {
    await save('bot', { adminBotConfig: { code: 'code' } })
    const revision = createHash('sha256').update('code').digest('hex')
    expect((await read('bot'))?.adminBotConfig).toEqual({ code: 'code', revision, ...derived })
    await save('bot', { adminBotConfig: null }, { adminBot: null })
    expect((await read('bot'))?.adminBotConfig).toBeNull()
  })

  test('is refused if it does not compile or no bot is configured', async () => {
    expect(await save('bad bot', { adminBotConfig: { code: 'broken' } })).toMatchObject({
      refused: { reply: badAdminBotConfig, data: { error: 'line 1: nonsense' } },
    })
    expect(await save('bad bot', { adminBotConfig: { code: 'code' } }, { adminBot: null })).toMatchObject({
      refused: { reply: badAdminBotConfig },
    })
    expect(await read('bad bot')).toBeUndefined()
  })

  test('is compiled once, however often the edit is retried', async () => {
    let compiled = 0
    let moved = 0
    const counting: AdminBotChecks = {
      async derive() {
        compiled += 1
        return { value: derived }
      },
    }
    const restless: InstancerChecks = {
      async problemOf() {
        if (moved++ === 0) await save('once', { instancerConfig: { timeoutMilliseconds: 2000 } })
        return null
      },
    }
    await save('once', { instancerConfig: { config: { image: 'x' } } })
    const data = { instancerConfig: { extendable: true }, adminBotConfig: { code: 'code' } }
    expect(await save('once', data, { instancers: restless, adminBot: counting })).toHaveProperty('row')
    expect([compiled, moved]).toEqual([1, 2])
    expect((await read('once'))?.instancerConfig).toMatchObject({
      extendable: true,
      timeoutMilliseconds: 2000,
    })
  })
})

test('returns the first refusal in the order of the contract', async () => {
  const { db } = opened
  await save('order', {})
  await db.query(sql`insert into teams (id, name, email, division) values ('t', 't', 't@teams.test', 'open')`)
  await db.query(sql`
    insert into solves (id, challenge_id, team_id, created_at, ip)
    values (gen_random_uuid(), 'order', 't', now(), '')`)
  const all: Data = {
    flag: 'x',
    flags: [{ provider: 'flags/none', config: {} }],
    instancerConfig: {},
    adminBotConfig: { code: 'broken' },
    scoring: { kind: 'dynamic', source: { transport: 'webhook', secret: 's' } },
  }
  const { flag: _flag, ...withoutFlag } = all
  const { flags: _flags, ...withoutFlags } = withoutFlag
  const { instancerConfig: _instancer, ...withoutInstancer } = withoutFlags
  const { adminBotConfig: _bot, ...kindAlone } = withoutInstancer
  const reasonOf = async (data: Data) => {
    const result = await save('order', data)
    return 'refused' in result ? JSON.stringify(result.refused.data) : 'saved'
  }
  expect(await reasonOf(all)).toContain('body:data.flag:')
  expect(await reasonOf(withoutFlag)).toContain('body:data.flags.0: provider')
  expect(await reasonOf(withoutFlags)).toContain('image: is needed')
  expect(await reasonOf(withoutInstancer)).toContain('line 1: nonsense')
  expect(await reasonOf(kindAlone)).toContain(
    'body:data.scoring.kind: decay->dynamic blocked, 1 solves exist',
  )
})

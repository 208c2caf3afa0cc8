import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { asAdmin } from '../../test/database-admin.ts'
import { openTestDatabase, type TestDatabase } from '../../test/database.ts'
import { recordLog } from '../../test/log.ts'
import { StartError, UnavailableError } from '../lib/errors.ts'
import { isUniqueViolation, openDatabase, type Database } from './database.ts'

let test1: TestDatabase
let db: Database
beforeAll(async () => {
  test1 = await openTestDatabase()
  db = test1.db
  await db.query(sql`create table words (id integer primary key, word text constraint words_word unique)`)
})
afterAll(() => test1[Symbol.asyncDispose]())

function countWords() {
  return db.query<{ n: number }>(sql`select count(*) as n from words`).then(([row]) => row?.n)
}

function gate() {
  const resolvers: (() => void)[] = []
  const opened = new Promise<void>((resolve) => {
    resolvers.push(resolve)
  })
  return { open: () => resolvers.forEach((resolve) => resolve()), opened }
}

describe('query', () => {
  test('returns rows, with bigint as number', async () => {
    expect(await db.query(sql`select ${'a'}::text as text, 7000000000::bigint as big`)).toEqual([
      { text: 'a', big: 7_000_000_000 },
    ])
  })

  test('reports the constraint of a unique violation without the values', async () => {
    await db.query(sql`insert into words values (1, 'secret')`)
    const error = await db
      .query(sql`insert into words values (2, 'secret')`)
      .catch((reason: unknown) => reason)
    expect([isUniqueViolation(error), isUniqueViolation(error, 'words_word')]).toEqual([true, true])
    expect([isUniqueViolation(error, 'words_pkey'), isUniqueViolation(new Error('no'))]).toEqual([
      false,
      false,
    ])
    expect(JSON.stringify(error)).not.toContain('secret')
    await db.query(sql`truncate words`)
  })
})

describe('transaction', () => {
  test('commits all statements or none', async () => {
    const failing = db.transaction(async (tx) => {
      await tx.query(sql`insert into words values (1, 'rolled back')`)
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(await countWords()).toBe(0)
  })

  test('is retried after a deadlock', async () => {
    await db.query(sql`insert into words values (1, 'one'), (2, 'two')`)
    const both = gate()
    let started = 0
    const touch = (first: number, second: number) => async () => {
      await db.transaction(async (tx) => {
        await tx.query(sql`set local deadlock_timeout = '10ms'`)
        await tx.query(sql`update words set word = word || '!' where id = ${first}`)
        if (++started === 2) both.open()
        await both.opened
        await tx.query(sql`update words set word = word || '!' where id = ${second}`)
      })
    }
    await Promise.all([touch(1, 2)(), touch(2, 1)()])
    expect(started).toBe(3)
    expect(await db.query(sql`select word from words order by id`)).toEqual([
      { word: 'one!!' },
      { word: 'two!!' },
    ])
    await db.query(sql`truncate words`)
  })

  test('fails if the error of a statement was ignored, because PostgreSQL rolled back', async () => {
    const careless = db.transaction(async (tx) => {
      await tx.query(sql`insert into words values (1, 'lost')`)
      await tx.query(sql`select 1 / 0`).catch(() => {})
    })
    await expect(careless).rejects.toThrow('the error of a failed statement was ignored')
    expect(await countWords()).toBe(0)
  })

  test('throws UnavailableError when its connection is killed, and the next transaction works', async () => {
    const killed = db.transaction(async (tx) => {
      const [row] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
      await db.query(sql`select pg_terminate_backend(${row?.pid})`)
      await tx.query(sql`select 1`)
    })
    await expect(killed).rejects.toBeInstanceOf(UnavailableError)
    await db.transaction((tx) => tx.query(sql`select 1`))
  })

  test('throws UnavailableError after its own statement timeout', async () => {
    const slow = db.transaction(async (tx) => {
      await tx.query(raw(`set local statement_timeout = 10`))
      await tx.query(sql`select pg_sleep(60)`)
    })
    await expect(slow).rejects.toBeInstanceOf(UnavailableError)
  })
})

describe('change', () => {
  test('writes one row per kind in its transaction and calls the listeners after the commit', async () => {
    const seen: unknown[] = []
    db.onChange(async () => {
      seen.push(await db.query(sql`select kind, ids from changes order by seq`))
    })
    const result = await db.change(async (tx) => {
      tx.changed('teams', ['a'])
      tx.changed('settings', [])
      tx.changed('teams', ['b'])
      expect(await db.query(sql`select 1 from changes`)).toEqual([])
      return 'result'
    })
    expect(result).toBe('result')
    expect(seen).toEqual([
      [
        { kind: 'teams', ids: ['a', 'b'] },
        { kind: 'settings', ids: [] },
      ],
    ])
  })

  test('without changed rows writes nothing to the change log', async () => {
    const [before] = await db.query<{ n: number }>(sql`select count(*) as n from changes`)
    await db.change(async (tx) => tx.query(sql`select 1`))
    expect(await db.query(sql`select count(*) as n from changes`)).toEqual([before])
  })

  test('changes run one at a time, and seq follows the order of commits', async () => {
    let inside = 0
    const order: number[] = []
    const write = (id: number) =>
      db.change(async (tx) => {
        expect(++inside).toBe(1)
        await tx.query(sql`insert into words values (${id}, ${String(id)})`)
        tx.changed('feed', [String(id)])
        order.push(id)
        inside--
      })
    await Promise.all(Array.from({ length: 20 }, (_, id) => write(id)))
    const rows = await db.query<{ id: number }>(
      sql`select ids[1]::integer as id from changes where kind = 'feed' order by seq`,
    )
    expect(rows.map(({ id }) => id)).toEqual(order)
  })

  test('does not fail if a listener fails', async () => {
    await using other = await openTestDatabase()
    other.db.onChange(() => Promise.reject(new Error('cannot follow')))
    await other.db.change(async (tx) => tx.changed('teams', ['a']))
    expect(await other.db.query(sql`select kind from changes`)).toEqual([{ kind: 'teams' }])
  })
})

describe('a statement with its own timeout', () => {
  test('throws UnavailableError and closes its connection', async () => {
    await using other = await openTestDatabase()
    const limits = { queryTimeoutMs: 20 }
    await expect(other.db.query(sql`select pg_sleep(60)`, limits)).rejects.toBeInstanceOf(UnavailableError)
    await expect(other.db.reserved.query(sql`select pg_sleep(60)`, limits)).rejects.toBeInstanceOf(
      UnavailableError,
    )
    await expect.poll(() => other.db.connections().total).toBe(0)
  })
})

describe('reserved connections', () => {
  test('respond while the main pool is exhausted', async () => {
    const own = await openDatabase({ url: test1.url, log: recordLog().log, maxPoolSize: 1 })
    const { open, opened } = gate()
    const taken = own.withClient(() => opened)
    const waiting = Array.from({ length: 50 }, () => own.query(sql`select 1`))
    await own.ping()
    expect(await own.reserved.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
    expect(own.connections().waiting).toBe(50)
    open()
    await Promise.all([taken, ...waiting])
    await own.close()
  })
})

describe('a server that does not respond', () => {
  test('closes the connection of a ping that timed out', async () => {
    const vanishing = await startVanishing()
    const own = await openDatabase({ url: vanishing.url, log: recordLog().log })
    vanishing.vanish()
    await expect(own.ping()).rejects.toBeInstanceOf(UnavailableError)
    await expect.poll(() => own.connections().total).toBe(0)
    await own.close()
    vanishing.stop()
  })

  test('costs one caller a check when idle connections were lost silently', async () => {
    const vanishing = await startVanishing()
    const own = await openDatabase({ url: vanishing.url, log: recordLog().log, maxPoolSize: 8 })
    await Promise.all(Array.from({ length: 8 }, () => own.query(sql`select 1`)))
    expect(own.connections().idle).toBe(9)
    const later = vi.spyOn(performance, 'now').mockImplementation(() => Date.now())
    vanishing.failOver()
    for (let count = 0; count < 10; count++) await own.query(sql`select 1`)
    expect(vanishing.unanswered()).toBe(1)
    later.mockRestore()
    await own.close()
    vanishing.stop()
  })

  test('fails the start with one line without user and password', async () => {
    const url = 'postgres://someone:hunter2@127.0.0.1:1/contest'
    const error = await openDatabase({ url, log: recordLog().log, startTimeoutMs: 0 }).catch(
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(StartError)
    expect((error as Error).message).toBe(
      'cannot reach the database: ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:1',
    )
  })

  test('fails immediately if the database does not exist', async () => {
    const url = test1.url.replace(/pennant_test_\w+/, 'pennant_missing')
    await expect(openDatabase({ url, log: recordLog().log })).rejects.toThrow(
      '"pennant_missing" does not exist',
    )
  })

  test('logs an outage once and recovers', async () => {
    const { log, lines } = recordLog()
    const other = await openDatabase({ url: test1.url, log, maxPoolSize: 4 })
    await Promise.all(Array.from({ length: 4 }, () => other.query(sql`select pg_sleep(0.01)`)))
    await db.query(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
    // A lost connection that is noticed after the recovery is reported as another outage.
    await expect.poll(() => other.connections().total).toBe(0)
    await expect.poll(() => other.ping().then(() => lines.at(-1)?.message)).toBe('database reachable again')
    expect(lines.map(({ level }) => level)).toEqual(['warn', 'info'])
    await other.close()
    await expect(other.query(sql`select 1`)).rejects.toBeInstanceOf(UnavailableError)
  })
})

test.each([
  ['alter role someone nologin', 'alter role someone login'],
  ['revoke connect on database current from public', 'grant connect on database current to public'],
  ['alter database current allow_connections false', 'alter database current allow_connections true'],
  ['alter database current rename to current_2', 'alter database current_2 rename to current'],
])('a sign-in that is refused after the start is an outage: %s', async (refuse, admit) => {
  const own = await openTestDatabase()
  const name = new URL(own.url).pathname.slice(1)
  const role = `${name}_user`
  const asOther = (statement: string) =>
    asAdmin(test1.url, statement.replaceAll('current', name).replaceAll('someone', role))
  await own.db.close()
  await asOther(`create role someone login`)
  const url = new URL(own.url)
  url.username = role
  const { log, lines } = recordLog()
  const other = await openDatabase({ url: url.href, log })
  const endSessions = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`
  try {
    await asAdmin(test1.url, endSessions)
    await expect.poll(() => other.connections().total).toBe(0)
    await asOther(refuse)
    for (const work of [
      () => other.query(sql`select 1`),
      () => other.reserved.query(sql`select 1`),
      () => other.transaction((tx) => tx.query(sql`select 1`)),
      () => other.change((tx) => tx.query(sql`select 1`)),
      () => other.withClient((client) => client.query('select 1')),
      () => other.ping(),
    ])
      await expect(work()).rejects.toBeInstanceOf(UnavailableError)
    await expect(openDatabase({ url: url.href, log: recordLog().log })).rejects.toThrow(
      'cannot use the database',
    )
    await asOther(admit)
    await other.ping()
    expect(lines.map(({ message }) => message)).toEqual(['database unreachable', 'database reachable again'])
  } finally {
    await other.close()
    await own[Symbol.asyncDispose]()
    await asOther('drop role someone')
  }
})

/**
 * Accepts every connection and responds to each statement with no rows: none after `vanish`, and after `failOver` only
 * those of connections that were opened later.
 */
async function startVanishing() {
  const ready = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])
  const admitted = Buffer.concat([Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]), ready])
  const done = Buffer.concat([Buffer.from([0x43, 0, 0, 0, 13]), Buffer.from('SELECT 0\0'), ready])
  let isThere = true
  let primary = 0
  let unanswered = 0
  const server = createServer((socket) => {
    const own = primary
    socket.once('data', () => {
      socket.write(admitted)
      socket.on('data', (data) => {
        if (isThere && own === primary) socket.write(done)
        // Not the message that closes a connection.
        else if (data[0] !== 0x58) unanswered++
      })
    })
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `postgres://x@127.0.0.1:${(server.address() as AddressInfo).port}/x`,
    vanish: () => (isThere = false),
    failOver: () => primary++,
    unanswered: () => unanswered,
    stop: () => server.close(),
  }
}

import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../test/database.ts'
import { keepLog } from '../../test/log.ts'
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
  const steps: (() => void)[] = []
  const opened = new Promise<void>((resolve) => {
    steps.push(resolve)
  })
  return { open: () => steps.forEach((step) => step()), opened }
}

describe('query', () => {
  test('gives rows, and big integers as numbers', async () => {
    expect(await db.query(sql`select ${'a'}::text as text, 7000000000::bigint as big`)).toEqual([
      { text: 'a', big: 7_000_000_000 },
    ])
  })

  test('names the constraint of a unique violation and keeps the values out of the error', async () => {
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
  test('keeps all of its statements or none', async () => {
    const failing = db.transaction(async (tx) => {
      await tx.query(sql`insert into words values (1, 'kept?')`)
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(await countWords()).toBe(0)
  })

  test('runs again after a deadlock', async () => {
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

  test('fails when its work ignored a failed statement, for nothing was kept', async () => {
    const careless = db.transaction(async (tx) => {
      await tx.query(sql`insert into words values (1, 'lost')`)
      await tx.query(sql`select 1 / 0`).catch(() => {})
    })
    await expect(careless).rejects.toThrow('a failed statement was ignored')
    expect(await countWords()).toBe(0)
  })

  test('a connection that is killed meanwhile makes it unavailable, and the next one works', async () => {
    const killed = db.transaction(async (tx) => {
      const [row] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
      await db.query(sql`select pg_terminate_backend(${row?.pid})`)
      await tx.query(sql`select 1`)
    })
    await expect(killed).rejects.toBeInstanceOf(UnavailableError)
    await db.transaction((tx) => tx.query(sql`select 1`))
  })

  test('gives up a statement after the time that it sets, as unavailable', async () => {
    const slow = db.transaction(async (tx) => {
      await tx.query(raw(`set local statement_timeout = 10`))
      await tx.query(sql`select pg_sleep(60)`)
    })
    await expect(slow).rejects.toBeInstanceOf(UnavailableError)
  })
})

describe('change', () => {
  test('writes one row for each kind, in its transaction, and calls the listeners after the commit', async () => {
    const seen: unknown[] = []
    db.onChange(async () => {
      seen.push(await db.query(sql`select kind, ids from changes order by seq`))
    })
    const answer = await db.change(async (tx) => {
      tx.changed('teams', ['a'])
      tx.changed('settings', [])
      tx.changed('teams', ['b'])
      expect(await db.query(sql`select 1 from changes`)).toEqual([])
      return 'answer'
    })
    expect(answer).toBe('answer')
    expect(seen).toEqual([
      [
        { kind: 'teams', ids: ['a', 'b'] },
        { kind: 'settings', ids: [] },
      ],
    ])
  })

  test('that noted nothing writes and tells nothing', async () => {
    const [before] = await db.query<{ n: number }>(sql`select count(*) as n from changes`)
    await db.change(async (tx) => tx.query(sql`select 1`))
    expect(await db.query(sql`select count(*) as n from changes`)).toEqual([before])
  })

  test('changes go one at a time, and the order of seq is the order of commits', async () => {
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

  test('a listener that fails does not fail the change', async () => {
    await using other = await openTestDatabase()
    other.db.onChange(() => Promise.reject(new Error('cannot follow')))
    await other.db.change(async (tx) => tx.changed('teams', ['a']))
    expect(await other.db.query(sql`select kind from changes`)).toEqual([{ kind: 'teams' }])
  })
})

describe('a statement with a limit of its own', () => {
  test('is given up after it, and its connection with it', async () => {
    await using other = await openTestDatabase()
    const limits = { answerTimeoutMs: 20 }
    await expect(other.db.query(sql`select pg_sleep(60)`, limits)).rejects.toBeInstanceOf(UnavailableError)
    await expect(other.db.reserved.query(sql`select pg_sleep(60)`, limits)).rejects.toBeInstanceOf(
      UnavailableError,
    )
    await expect.poll(() => other.db.connections().total).toBe(0)
  })
})

describe('connections kept back', () => {
  test('answer while all others are taken and many wait for one', async () => {
    const own = await openDatabase({ url: test1.url, log: keepLog().log, maxPoolSize: 1 })
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

describe('a server that does not answer', () => {
  test('keeps no connection of a ping that came to nothing', async () => {
    const vanishing = await startVanishing()
    const own = await openDatabase({ url: vanishing.url, log: keepLog().log })
    vanishing.vanish()
    await expect(own.ping()).rejects.toBeInstanceOf(UnavailableError)
    await expect.poll(() => own.connections().total).toBe(0)
    await own.close()
    vanishing.stop()
  })

  test('ends the start with one line that names neither user nor password', async () => {
    const url = 'postgres://someone:hunter2@127.0.0.1:1/contest'
    const error = await openDatabase({ url, log: keepLog().log, startTimeoutMs: 0 }).catch(
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(StartError)
    expect((error as Error).message).toBe(
      'cannot reach the database: ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:1',
    )
  })

  test('a database that does not exist is told at once', async () => {
    const url = test1.url.replace(/pennant_test_\w+/, 'pennant_missing')
    await expect(openDatabase({ url, log: keepLog().log })).rejects.toThrow(
      '"pennant_missing" does not exist',
    )
  })

  test('broken connections are told once, and work again afterwards', async () => {
    const { log, lines } = keepLog()
    const other = await openDatabase({ url: test1.url, log, maxPoolSize: 4 })
    await Promise.all(Array.from({ length: 4 }, () => other.query(sql`select pg_sleep(0.01)`)))
    await db.query(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
    await expect.poll(() => other.ping().then(() => lines.at(-1)?.message)).toBe('the database answers again')
    expect(lines.map(({ level }) => level)).toEqual(['warn', 'info'])
    await other.close()
    await expect(other.query(sql`select 1`)).rejects.toBeInstanceOf(UnavailableError)
  })
})

/** Lets everybody in and answers each statement with nothing, until it vanishes. */
async function startVanishing() {
  const ready = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])
  const admitted = Buffer.concat([Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]), ready])
  const done = Buffer.concat([Buffer.from([0x43, 0, 0, 0, 13]), Buffer.from('SELECT 0\0'), ready])
  let isThere = true
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write(admitted)
      socket.on('data', () => isThere && socket.write(done))
    })
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `postgres://x@127.0.0.1:${(server.address() as AddressInfo).port}/x`,
    vanish: () => (isThere = false),
    stop: () => server.close(),
  }
}

import { randomUUID } from 'node:crypto'
import { Client, type ClientBase } from 'pg'
import { inject } from 'vitest'
import { openDatabase, type Database } from '../src/db/database.ts'
import { asAdmin, withDatabase } from './database-admin.ts'
import type { TestDatabaseServer } from './global-setup.ts'
import { recordLog } from './log.ts'
import { SCHEMA_VERSION_SQL, SESSIONS_SQL, SIZE_SQL } from './template.ts'

export interface TestDatabase extends AsyncDisposable {
  /** Whoever reads it may connect later than this test, so the database is then renamed before another test gets it. */
  readonly url: string
  readonly db: Database
  /** Opens a separate pool, which must be closed before the database is disposed. */
  open(): Promise<Database>
}

/** A database with more rows is dropped, because scans of its dead rows would slow later tests down. */
const MAX_REUSED_BYTES = 8 * 2 ** 20
const MAX_EMPTIED = 8
/** Servers accept 100 connections by default, from both workers. */
const MAX_WARM = 2

/**
 * Databases that earlier tests of this process released, all on one server. Emptying one takes a fiftieth of the time of copying the template, which
 * was half of the time of all tests.
 */
const emptied: string[] = []

interface WarmDatabase {
  readonly name: string
  readonly db: Database
  /** What the wiring of the present test set. */
  readonly listeners: { changed: (() => Promise<void>)[]; locked: ((waitMs: number) => void)[] }
}

/**
 * Emptied databases whose connections are still open. Opening them and reading the catalogues again took most of the time of a
 * test.
 */
const warm: WarmDatabase[] = []

/** The database server of this test run and its migrated template database. */
export function testServer(): TestDatabaseServer {
  return inject('testDatabase')
}

/** Returns a separate, migrated, empty database on a real server; disposing closes its connections and makes it unreachable. */
export async function openTestDatabase(server = testServer()): Promise<TestDatabase> {
  const used = warm.pop() ?? (await openWarm(server))
  const url = withDatabase(server.url, used.name)
  let isUrlKnown = false
  return {
    get url() {
      isUrlKnown = true
      return url
    },
    db: {
      ...used.db,
      onChange: (listener) => void used.listeners.changed.push(listener),
      onLocked: (listener) => void used.listeners.locked.push(listener),
    },
    open: () => openConnections(url),
    async [Symbol.asyncDispose]() {
      used.listeners.changed = []
      used.listeners.locked = []
      if (!isUrlKnown && warm.length < MAX_WARM && (await isEmptiedWarm(used, server))) {
        warm.push(used)
        return
      }
      await used.db.close()
      await release(used.name, server)
    },
  }
}

async function openWarm(server: TestDatabaseServer): Promise<WarmDatabase> {
  const name = emptied.pop() ?? (await createDatabase(server.template, server))
  const db = await openConnections(withDatabase(server.url, name))
  const listeners: WarmDatabase['listeners'] = { changed: [], locked: [] }
  db.onChange(async () => {
    for (const listener of listeners.changed) await listener()
  })
  db.onLocked((waitMs) => {
    for (const listener of listeners.locked) listener(waitMs)
  })
  return { name, db, listeners }
}

export function openConnections(url: string): Promise<Database> {
  return openDatabase({ url, maxPoolSize: 8, log: recordLog().log })
}

/** Empties a database over its own connections, unless someone else is connected, a statement is running or the test closed it. */
async function isEmptiedWarm({ db }: WarmDatabase, server: TestDatabaseServer): Promise<boolean> {
  const { total, idle } = db.connections()
  if (idle !== total) return false
  try {
    return await db.withClient(async (client) => {
      const { rows } = await client.query<{ sessions: string }>(SESSIONS_SQL)
      return Number(rows[0]?.sessions) <= total && (await empty(client, server))
    })
  } catch {
    return false
  }
}

/** Creates a database without migrations, for tests of the migrations themselves. */
export async function createEmptyDatabase(): Promise<{ readonly url: string } & AsyncDisposable> {
  const server = testServer()
  const name = await createDatabase('template0', server)
  return { url: withDatabase(server.url, name), [Symbol.asyncDispose]: () => drop(name, server) }
}

async function createDatabase(
  template: string,
  { url, cloning, prefix }: TestDatabaseServer,
): Promise<string> {
  const name = newName(prefix)
  await asAdmin(url, `create database ${name} template ${template} ${cloning}`)
  return name
}

function newName(prefix: string): string {
  return `${prefix}${randomUUID().replaceAll('-', '')}`
}

async function drop(name: string, { url }: TestDatabaseServer): Promise<void> {
  await asAdmin(url, `drop database if exists ${name} with (force)`)
}

/** Empties a database for the next test, or drops it if a test has changed more than rows. */
async function release(name: string, server: TestDatabaseServer): Promise<void> {
  const next = newName(server.prefix)
  try {
    if (emptied.length < MAX_EMPTIED && (await isEmptied(name, server))) {
      // A program that is still running with the old name cannot connect to the database of the next test.
      await asAdmin(server.url, `alter database ${name} rename to ${next}`)
      emptied.push(next)
      return
    }
  } catch {
    // It is gone, refuses connections, or something connected to it again.
  }
  await drop(name, server)
}

async function isEmptied(name: string, server: TestDatabaseServer): Promise<boolean> {
  const client = new Client({ connectionString: withDatabase(server.url, name) })
  await client.connect()
  try {
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    return await empty(client, server)
  } finally {
    await client.end()
  }
}

async function empty(client: ClientBase, { schemaVersion, resetSql }: TestDatabaseServer): Promise<boolean> {
  const { rows } = await client.query<{ version: string; bytes: string }>(
    `select (${SCHEMA_VERSION_SQL}) as version, (${SIZE_SQL}) as bytes`,
  )
  if (rows[0]?.version !== schemaVersion || Number(rows[0].bytes) > MAX_REUSED_BYTES) return false
  await client.query(`begin; ${resetSql}; commit`)
  return true
}

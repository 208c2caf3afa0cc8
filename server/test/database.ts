import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { inject } from 'vitest'
import { openDatabase, type Database } from '../src/db/database.ts'
import { asAdmin, withDatabase } from './database-admin.ts'
import type { TestDatabaseServer } from './global-setup.ts'
import { recordLog } from './log.ts'
import { SCHEMA_VERSION_SQL, SIZE_SQL } from './template.ts'

export interface TestDatabase extends AsyncDisposable {
  readonly url: string
  readonly db: Database
}

/** A database with more rows is dropped, because scans of its dead rows would slow later tests down. */
const MAX_REUSED_BYTES = 8 * 2 ** 20
const MAX_EMPTIED = 8

/**
 * Databases that earlier tests of this process released, all on one server. Emptying one takes a fiftieth of the time of copying the template, which
 * was half of the time of all tests.
 */
const emptied: string[] = []

/** The database server of this test run and its migrated template database. */
export function testServer(): TestDatabaseServer {
  return inject('testDatabase')
}

/** Returns a separate, migrated, empty database on a real server; disposing closes its connections and makes it unreachable. */
export async function openTestDatabase(server = testServer()): Promise<TestDatabase> {
  const name = emptied.pop() ?? (await createDatabase(server.template, server))
  const url = withDatabase(server.url, name)
  const db = await openDatabase({ url, maxPoolSize: 8, log: recordLog().log })
  return {
    url,
    db,
    async [Symbol.asyncDispose]() {
      await db.close()
      await release(name, server)
    },
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
    if (emptied.length < MAX_EMPTIED && (await empty(name, server))) {
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

async function empty(name: string, { url, schemaVersion, resetSql }: TestDatabaseServer): Promise<boolean> {
  const client = new Client({ connectionString: withDatabase(url, name) })
  await client.connect()
  try {
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    const { rows } = await client.query<{ version: string; bytes: string }>(
      `select (${SCHEMA_VERSION_SQL}) as version, (${SIZE_SQL}) as bytes`,
    )
    if (rows[0]?.version !== schemaVersion || Number(rows[0].bytes) > MAX_REUSED_BYTES) return false
    await client.query(resetSql)
    return true
  } finally {
    await client.end()
  }
}

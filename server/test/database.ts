import { randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import { openDatabase, type Database } from '../src/db/database.ts'
import { asAdmin, withDatabase } from './database-admin.ts'
import type { TestDatabaseServer } from './global-setup.ts'
import { recordLog } from './log.ts'

export interface TestDatabase extends AsyncDisposable {
  readonly url: string
  readonly db: Database
}

/** The database server of this test run and its migrated template database. */
export function testServer(): TestDatabaseServer {
  return inject('testDatabase')
}

/** Creates a separate, migrated, empty database on a real server; disposing drops it. */
export async function openTestDatabase(server = testServer()): Promise<TestDatabase> {
  const { url, drop } = await createDatabase(server.template, server)
  const db = await openDatabase({ url, maxPoolSize: 8, log: recordLog().log })
  return {
    url,
    db,
    async [Symbol.asyncDispose]() {
      await db.close()
      await drop()
    },
  }
}

/** Creates a database without migrations, for tests of the migrations themselves. */
export async function createEmptyDatabase(): Promise<{ readonly url: string } & AsyncDisposable> {
  const { url, drop } = await createDatabase('template0')
  return { url, [Symbol.asyncDispose]: drop }
}

async function createDatabase(template: string, { url: server, cloning } = testServer()) {
  const name = `pennant_test_${randomUUID().replaceAll('-', '')}`
  await asAdmin(server, `create database ${name} template ${template} ${cloning}`)
  return {
    url: withDatabase(server, name),
    drop: () => asAdmin(server, `drop database if exists ${name} with (force)`),
  }
}

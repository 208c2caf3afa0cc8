import { randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import { openDatabase, type Database } from '../src/db/database.ts'
import { asAdmin, withDatabase } from './database-admin.ts'
import { keepLog } from './log.ts'

export interface TestDatabase extends AsyncDisposable {
  readonly url: string
  readonly db: Database
}

/** A database of one's own, migrated and empty, on a real server; disposing drops it. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const { url, drop } = await createDatabase(inject('testDatabase').template)
  const db = await openDatabase({ url, maxPoolSize: 8, log: keepLog().log })
  return {
    url,
    db,
    async [Symbol.asyncDispose]() {
      await db.close()
      await drop()
    },
  }
}

/** A database without migrations, for the tests of the migrations themselves. */
export async function createEmptyDatabase(): Promise<{ readonly url: string } & AsyncDisposable> {
  const { url, drop } = await createDatabase('template0')
  return { url, [Symbol.asyncDispose]: drop }
}

async function createDatabase(template: string) {
  const server = inject('testDatabase').url
  const name = `pennant_test_${randomUUID().replaceAll('-', '')}`
  await asAdmin(server, `create database ${name} template ${template}`)
  return {
    url: withDatabase(server, name),
    drop: () => asAdmin(server, `drop database if exists ${name} with (force)`),
  }
}

import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../src/db/embedded.ts'
import { migrate } from '../src/db/migrate.ts'
import { asAdmin, withDatabase } from './database-admin.ts'
import { keepLog } from './log.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A server whose databases tests may make and drop, and the migrated one that they clone. */
    testDatabase: { readonly url: string; readonly template: string }
  }
}

/** Once per run: a server, and on it a migrated database, so that a test's own database costs a file copy. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await findServer()
  const template = `pennant_template_${randomUUID().replaceAll('-', '')}`
  async function tearDown() {
    await asAdmin(server.url, `drop database if exists ${template} with (force)`)
    await server.stop()
  }
  try {
    await asAdmin(server.url, `create database ${template} template template0`)
    await migrate({ url: withDatabase(server.url, template), log: keepLog().log })
  } catch (error) {
    await tearDown()
    throw error
  }
  project.provide('testDatabase', { url: server.url, template })
  return tearDown
}

interface TestServer {
  readonly url: string
  stop(): Promise<void>
}

/** The server that the environment names, or the built-in one in a folder that goes away. */
async function findServer(): Promise<TestServer> {
  const named = process.env['PENNANT_TEST_DATABASE_URL']
  if (named !== undefined && named !== '') return { url: named, stop: async () => {} }
  const dataDir = await mkdtemp(join(tmpdir(), 'pennant-test-'))
  // As root, the database runs as another user, who has to come in.
  await chmod(dataDir, 0o755)
  const embedded = await startEmbedded({
    dataDir,
    log: keepLog().log,
    settings: { fsync: 'off', max_connections: '200' },
  })
  return {
    // The workers are other processes: they go by the path.
    url: `postgres://${embedded.connection.user}@${encodeURIComponent(join(dataDir, 'postgres'))}/postgres`,
    async stop() {
      await embedded.stop()
      await rm(dataDir, { recursive: true })
    },
  }
}

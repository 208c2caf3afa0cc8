import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../src/db/embedded.ts'
import { migrate } from '../src/db/migrate.ts'
import { asAdmin, dropDatabases, withDatabase } from './database-admin.ts'
import { recordLog } from './log.ts'
import { describeTemplate } from './template.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * A database server on which tests may create and drop databases, and the migrated template that they
     * clone.
     */
    testDatabase: TestDatabaseServer
  }
}

export interface TestDatabaseServer {
  readonly url: string
  readonly template: string
  /** The names of this run's databases begin with it. */
  readonly prefix: string
  /** The result of `SCHEMA_VERSION_SQL` in the template. */
  readonly schemaVersion: string
  /** Statements that turn a used clone into a new one. */
  readonly resetSql: string
  /** How a clone is made, as PostgreSQL's `create database` expects it. */
  readonly cloning: string
}

/**
 * Starts one database server per run with a migrated template, which tests clone.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { stop, ...server } = await startTestServer()
  project.provide('testDatabase', server)
  return stop
}

/** The same for a program outside of a test run. */
export async function startTestServer(): Promise<TestDatabaseServer & Pick<TestServer, 'stop'>> {
  const server = await findServer()
  const prefix = `pennant_test_${randomUUID().slice(0, 8)}_`
  const template = `${prefix}template`
  async function tearDown() {
    if (server.isShared) await dropDatabases(server.url, prefix)
    await server.stop()
  }
  try {
    await asAdmin(server.url, `create database ${template} template template0`)
    const templateUrl = withDatabase(server.url, template)
    await migrate({ url: templateUrl, log: recordLog().log })
    const { url, cloning } = server
    return {
      url,
      template,
      cloning,
      prefix,
      ...(await describeTemplate(templateUrl)),
      stop: tearDown,
    }
  } catch (error) {
    await tearDown()
    throw error
  }
}

interface TestServer {
  readonly url: string
  /** It was running before and keeps running. */
  readonly isShared: boolean
  readonly cloning: string
  stop(): Promise<void>
}

/** Uses the server from the environment, or starts the embedded one in a temporary folder. */
async function findServer(): Promise<TestServer> {
  const named = process.env['PENNANT_TEST_DATABASE_URL']
  if (named !== undefined && named !== '')
    return { url: named, isShared: true, cloning: '', stop: async () => {} }
  const dataDir = await mkdtemp(join(tmpdir(), 'pennant-test-'))
  // When the tests run as root, PostgreSQL runs as another user, who needs access to the folder.
  await chmod(dataDir, 0o755)
  const embedded = await startEmbedded({
    dataDir,
    log: recordLog().log,
    settings: { fsync: 'off', max_connections: '200' },
  })
  return {
    isShared: false,
    // Without fsync, copying the files costs a third of the default, which writes every page to the log.
    cloning: 'strategy file_copy',
    // Test workers are separate processes and connect through the socket path.
    url: `postgres://${embedded.connection.user}@${encodeURIComponent(join(dataDir, 'postgres'))}/postgres`,
    async stop() {
      await embedded.stop()
      await rm(dataDir, { recursive: true })
    },
  }
}

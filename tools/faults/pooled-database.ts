import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFreePort } from '../../server/src/lib/free-port.ts'
import { databaseAccount, externalDatabase, openClient, type DatabaseServer } from './databases.ts'
import { spawnQuietly, startProgram, type Surroundings } from './processes.ts'

const PROGRAM = 'pgbouncer'

/** Connections to PostgreSQL, which all clients share: fewer than two replicas and a worker open. */
const POOL_SIZE = 20

export function hasPooler(): boolean {
  return spawnSync(PROGRAM, ['--version']).status === 0
}

/** A separate server behind PgBouncer, which gives each transaction any of its connections. */
export async function pooledDatabase(
  surroundings: Surroundings,
  options: Parameters<typeof externalDatabase>[1],
): Promise<DatabaseServer> {
  const database = await externalDatabase(surroundings, options)
  const { port: serverPort } = new URL(database.url)
  const port = await findFreePort()
  const url = `postgres://pennant@127.0.0.1:${port}/pennant`
  const file = join(database.folder, 'pgbouncer.ini')
  const lines = [
    '[databases]',
    `pennant = host=127.0.0.1 port=${serverPort} dbname=pennant user=pennant`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'max_client_conn = 500',
    `default_pool_size = ${POOL_SIZE}`,
    // By default, no connection is tried for 15 seconds after one has failed.
    'server_login_retry = 1',
  ]
  await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o644 })
  await startProgram(
    {
      name: 'PgBouncer',
      url,
      spawn: () => spawnQuietly(PROGRAM, ['-q', file], { ...databaseAccount(), cwd: '/', stdio: 'ignore' }),
      isReady: async () => {
        await (await openClient(url)).end()
        return true
      },
    },
    surroundings,
  )
  return { ...database, url }
}

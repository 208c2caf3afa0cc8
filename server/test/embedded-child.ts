import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { openDatabase, type Database } from '../src/db/database.ts'
import { startEmbedded } from '../src/db/embedded.ts'
import { StartError } from '../src/lib/errors.ts'
import { recordLog } from './log.ts'

// Runs in a separate process with its own embedded database, for tests that kill it. Until it receives a signal to stop, it
// inserts rows and prints the number of each acknowledged row; or it holds the database and prints a line whenever it reaches a
// server that it has not seen yet.

const [dataDir = '', role = 'write'] = process.argv.slice(2)
const { log } = recordLog()
let isStopping = false
process.once('SIGTERM', () => {
  isStopping = true
})

try {
  await using embedded = await startEmbedded({ dataDir, log })
  const db = await openDatabase({ connection: embedded.connection, log })
  await (role === 'hold' ? reportServers(db) : writeRows(db))
  await db.close()
} catch (error) {
  if (!(error instanceof StartError)) throw error
  process.stdout.write(`${error.message}\n`)
  process.exitCode = 1
}

async function writeRows(db: Database): Promise<void> {
  await db.query(sql`create table if not exists written (n integer primary key)`)
  for (let n = 1; !isStopping; n++) {
    await db.query(sql`insert into written values (${n})`)
    process.stdout.write(`${n}\n`)
  }
}

async function reportServers(db: Database): Promise<void> {
  let last = ''
  while (!isStopping) {
    const rows = await db
      .query<{ at: string }>(sql`select pg_postmaster_start_time()::text as at`)
      .catch(() => [])
    const at = rows[0]?.at ?? last
    if (at !== last) process.stdout.write(`${at}\n`)
    last = at
    await delay(20)
  }
}

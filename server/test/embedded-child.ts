import sql from 'sql-template-tag'
import { openDatabase } from '../src/db/database.ts'
import { startEmbedded } from '../src/db/embedded.ts'
import { StartError } from '../src/lib/errors.ts'
import { recordLog } from './log.ts'

// Runs in a separate process with its own embedded database, for tests that kill it. It inserts rows and
// prints the number of each acknowledged row until it receives a signal to stop.

const [dataDir = ''] = process.argv.slice(2)
const { log } = recordLog()
let isStopping = false
process.once('SIGTERM', () => {
  isStopping = true
})

try {
  await using embedded = await startEmbedded({ dataDir, log })
  const db = await openDatabase({ connection: embedded.connection, log })
  await db.query(sql`create table if not exists written (n integer primary key)`)
  for (let n = 1; !isStopping; n++) {
    await db.query(sql`insert into written values (${n})`)
    process.stdout.write(`${n}\n`)
  }
  await db.close()
} catch (error) {
  if (!(error instanceof StartError)) throw error
  process.stdout.write(`${error.message}\n`)
  process.exitCode = 1
}

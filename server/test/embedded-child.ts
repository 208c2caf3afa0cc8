import sql from 'sql-template-tag'
import { openDatabase } from '../src/db/database.ts'
import { startEmbedded } from '../src/db/embedded.ts'
import { StartError } from '../src/lib/errors.ts'
import { keepLog } from './log.ts'

// A process with a built-in database of its own, for tests that kill it. It writes rows and prints the number of each
// that was acknowledged, until it is told to stop.

const [dataDir = ''] = process.argv.slice(2)
const { log } = keepLog()
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

import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../../server/src/db/embedded.ts'
import { migrate } from '../../server/src/db/migrate.ts'
import { asAdmin, withDatabase } from '../../server/test/database-admin.ts'
import { recordLog } from '../../server/test/log.ts'
import { mutants } from './mutants.ts'
import { attackUnchanged, lineOf, scoreOf, tryMutant, type Verdict } from './score.ts'

// `npm run mutants`: removes one guard of the server at a time and prints which removals the self-test
// detects. Arguments select mutants or guards by name: `npm run mutants -- signature token-kind`.

const wanted = process.argv.slice(2)
const chosen = mutants.filter(
  ({ name, guard }) => wanted.length === 0 || wanted.includes(name) || wanted.includes(guard),
)
if (chosen.length === 0) throw new Error(`No mutant is called ${wanted.join(', ')}.`)

const dataDir = await mkdtemp(join(tmpdir(), 'pennant-mutants-'))
// When this runs as root, PostgreSQL runs as another user, who needs access to the folder.
await chmod(dataDir, 0o755)
const embedded = await startEmbedded({ dataDir, log: recordLog().log, settings: { fsync: 'off' } })
try {
  const socket = encodeURIComponent(join(dataDir, 'postgres'))
  const serverUrl = `postgres://${embedded.connection.user}@${socket}/postgres`
  const template = 'pennant_template'
  await asAdmin(serverUrl, `create database ${template} template template0`)
  await migrate({ url: withDatabase(serverUrl, template), log: recordLog().log })
  const databases = { serverUrl, template }
  const problems = await attackUnchanged(
    chosen.flatMap(({ caughtBy }) => caughtBy),
    databases,
  )
  if (problems > 0)
    throw new Error(`the self-test has ${problems} findings without a mutant: run it alone first`)
  const verdicts: Verdict[] = []
  for (const mutant of chosen) {
    const verdict = await tryMutant(mutant, databases)
    verdicts.push(verdict)
    console.log(lineOf(verdict))
  }
  console.log(`${scoreOf(verdicts)} guards are noticed by the self-test`)
  if (verdicts.some(({ caughtBy }) => caughtBy.length === 0)) process.exitCode = 1
} finally {
  await embedded.stop()
  await rm(dataDir, { recursive: true })
}

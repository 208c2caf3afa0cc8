import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { registerV2 } from '@pennant/contract/accounts.ts'
import { createClient, type Client } from '@pennant/contract/client.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { findFreePort } from '../../src/lib/free-port.ts'
import { openDatabase, type Database } from '../../src/db/database.ts'
import { startEmbedded } from '../../src/db/embedded.ts'
import { createEmptyDatabase } from '../database.ts'
import { temporaryFolder } from '../folder.ts'
import { recordLog } from '../log.ts'
import { runProgram, startProgram, type Env } from '../program.ts'

const ROUNDS = 20
const WORKERS = 8
/** Each round kills the server after this many responses, while other requests are in flight. */
const ANSWERS_PER_ROUND = 60
const challengeIds = ['one', 'two', 'three']

interface Acknowledged {
  readonly teams: string[]
  /** Teams and the challenges that they solved, by name. */
  readonly solves: { readonly team: string; readonly challenge: string }[]
  /** Wrong flags that were submitted, each once. */
  readonly wrong: string[]
}

test(
  'nothing acknowledged is lost or duplicated when the server is killed under load',
  { timeout: 600_000 },
  async () => {
    await using folder = await temporaryFolder()
    const dataDir = folder.path
    const isEmbedded = process.env['PENNANT_TEST_DATABASE_URL'] === undefined
    await using database = isEmbedded ? null : await createEmptyDatabase()
    const port = await findFreePort()
    const env: Env = {
      PENNANT_DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PORT: String(port),
      LOG_LEVEL: 'error',
      PENNANT_START_TIME: String(Date.now()),
      ...(database ? { DATABASE_URL: database.url } : {}),
    }
    expect(await runProgram(['migrate'], env)).toMatchObject({ status: 0 })
    const openStore = () => (database ? openByUrl(database.url) : openEmbedded(dataDir))
    {
      await using store = await openStore()
      for (const id of challengeIds) await addChallenge(store.db, id)
    }

    const acknowledged: Acknowledged = { teams: [], solves: [], wrong: [] }
    for (let round = 0; round < ROUNDS; round++) {
      await using program = startProgram(['serve'], env)
      await program.line(/is ready/)
      await playUntilKilled(`http://127.0.0.1:${port}`, {
        round,
        acknowledged,
        kill: () => program.child.kill('SIGKILL'),
      })
      await program.ended
    }

    await using store = await openStore()
    await expectAll(store.db, acknowledged)
  },
)

async function openByUrl(url: string) {
  const db = await openDatabase({ url, log: recordLog().log })
  return { db, [Symbol.asyncDispose]: () => db.close() }
}

async function openEmbedded(dataDir: string) {
  const { log } = recordLog()
  const embedded = await startEmbedded({ dataDir, log })
  const db = await openDatabase({ connection: embedded.connection, log })
  return {
    db,
    async [Symbol.asyncDispose]() {
      await db.close()
      await embedded.stop()
    },
  }
}

async function addChallenge(db: Database, id: string): Promise<void> {
  const flags = JSON.stringify([{ provider: 'flags/static', config: { flag: `flag{${id}}` } }])
  await db.change(async (tx) => {
    await tx.query(
      sql`insert into challenges (id, flags, points_min, points_max) values (${id}, ${flags}::jsonb, 100, 500)`,
    )
    tx.changed('challenges', [id])
  })
}

interface Round {
  readonly round: number
  readonly acknowledged: Acknowledged
  readonly kill: () => void
}

/** Teams register and submit flags; after enough responses, the server is killed with others in flight. */
async function playUntilKilled(baseUrl: string, { round, acknowledged, kill }: Round): Promise<void> {
  const call = createClient({ baseUrl })
  let responses = 0
  let isKilled = false
  const count = () => {
    responses += 1
    if (responses !== ANSWERS_PER_ROUND) return
    isKilled = true
    kill()
  }
  await Promise.all(
    Array.from({ length: WORKERS }, async (_, worker) => {
      for (let turn = 0; !isKilled; turn++) {
        const name = `team ${round} ${worker} ${turn}`
        try {
          await playOnce(call, { name, acknowledged, count })
        } catch (error) {
          // A request whose connection broke has no response, so the server acknowledged nothing.
          if (!isKilled) throw error
        }
      }
    }),
  )
}

interface Turn {
  readonly name: string
  readonly acknowledged: Acknowledged
  readonly count: () => void
}

async function playOnce(call: Client, { name, acknowledged, count }: Turn): Promise<void> {
  const email = `${name.replaceAll(' ', '-')}@ctf.example`
  const made = await call(registerV2, { body: { name, email } })
  if (made.kind !== 'goodRegisterV2') throw new Error(made.kind)
  acknowledged.teams.push(name)
  count()
  for (const id of challengeIds) {
    const wrong = `flag{wrong ${name} ${id}}`
    const token = made.data.authToken
    const refused = await call(submitFlag, { token, params: { id }, body: { flag: wrong } })
    if (refused.kind !== 'badFlag') throw new Error(refused.kind)
    acknowledged.wrong.push(wrong)
    count()
    const solved = await call(submitFlag, { token, params: { id }, body: { flag: `flag{${id}}` } })
    if (solved.kind !== 'goodFlag') throw new Error(solved.kind)
    acknowledged.solves.push({ team: name, challenge: id })
    count()
  }
}

async function expectAll(db: Database, { teams, solves, wrong }: Acknowledged): Promise<void> {
  const stored = await db.query<{ name: string }>(sql`select name from teams`)
  const names = new Set(stored.map(({ name }) => name))
  expect(teams.filter((name) => !names.has(name))).toEqual([])

  const solved = await db.query<{ pair: string; rows: number; audited: number }>(sql`
    select teams.name || '/' || solves.challenge_id as pair, count(*)::int as rows,
      (select count(*)::int from submissions where related_id = min(solves.id::text) and result = 'correct') as audited
    from solves join teams on teams.id = solves.team_id group by 1`)
  const bySolve = new Map(solved.map((row) => [row.pair, row]))
  for (const { team, challenge } of solves) {
    expect(bySolve.get(`${team}/${challenge}`), `${team} solved ${challenge}`).toMatchObject({
      rows: 1,
      audited: 1,
    })
  }
  const audited = await db.query<{ flag: string; rows: number }>(sql`
    select details ->> 'submittedFlag' as flag, count(*)::int as rows from submissions
    where result = 'incorrect' group by 1`)
  const byFlag = new Map(audited.map(({ flag, rows }) => [flag, rows]))
  expect(wrong.filter((flag) => byFlag.get(flag) !== 1)).toEqual([])
  expect(solves.length).toBeGreaterThan(ROUNDS)
}

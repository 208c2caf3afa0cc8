import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { registerV2 } from '@pennant/contract/accounts.ts'
import { createClient } from '@pennant/contract/client.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { findFreePort } from '../../server/src/lib/free-port.ts'
import { openTestDatabase } from '../../server/test/database.ts'
import { temporaryFolder } from '../../server/test/folder.ts'
import { runProgram, startProgram } from '../../server/test/program.ts'
import { createDisposal } from '../../server/src/lib/disposal.ts'

export interface Site extends AsyncDisposable {
  /** The variables of docs/reference/cookbook.md. */
  readonly env: Readonly<Record<'SITE' | 'TEAM_TOKEN' | 'AUTH_TOKEN' | 'ADMIN_TOKEN', string>>
}

/** Starts a built server with a running event, a team and the challenges of docs/reference/cookbook.md. */
export async function startSite(): Promise<Site> {
  const disposal = createDisposal()
  const database = await openTestDatabase()
  disposal.defer(() => database[Symbol.asyncDispose]())
  const folder = await temporaryFolder()
  disposal.defer(() => folder[Symbol.asyncDispose]())
  const port = await findFreePort()
  const env = {
    DATABASE_URL: database.url,
    PENNANT_DATA_DIR: folder.path,
    HOST: '127.0.0.1',
    PORT: String(port),
    PENNANT_START_TIME: String(Date.now() - HOUR_MS),
    PENNANT_STANDINGS_FEED_KEY: 'key-of-a-ranking-site',
  }
  const admin = ['admin', 'create', '--name', 'Organiser', '--email', 'organiser@ctf.example', '--json']
  const { authToken: token } = JSON.parse((await runProgram(admin, env)).output) as { authToken: string }
  const program = startProgram(['serve'], env)
  disposal.defer(() => program[Symbol.asyncDispose]())
  await program.line(/ready at/)
  const baseUrl = `http://127.0.0.1:${port}`
  const call = createClient({ baseUrl })
  const create = async (id: string, data: object) => {
    const result = await call(putChallengeV2, { token, params: { id }, body: { data } })
    if (result.kind !== 'goodChallengeUpdateV2') throw new Error(result.message)
  }
  await create('warm-up', {
    name: 'Warm-up',
    points: { min: 100, max: 500 },
    flags: [{ config: { flag: 'flag{warm}' } }],
  })
  const source = { transport: 'webhook', secret: 'secret-of-king' }
  await create('king', { name: 'King', hidden: true, scoring: { kind: 'dynamic', source } })
  const team = await call(registerV2, { body: { name: 'Cooks', email: 'cooks@teams.example' } })
  if (team.kind !== 'goodRegisterV2') throw new Error(team.message)
  return {
    env: {
      SITE: baseUrl,
      TEAM_TOKEN: team.data.teamToken,
      AUTH_TOKEN: team.data.authToken,
      ADMIN_TOKEN: token,
    },
    [Symbol.asyncDispose]: () => disposal[Symbol.asyncDispose](),
  }
}

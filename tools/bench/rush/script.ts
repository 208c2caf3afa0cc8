import { readFileSync } from 'node:fs'
import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { createClient } from '@pennant/contract/client.ts'
import { uploadFilesV1 } from '@pennant/contract/uploads.ts'
import type { Contest } from '../../lib/large-contest.ts'
import type { RushRequest } from './browsers.ts'

// What a browser requests when an event opens: the site, the sign-in, the challenges, the scoreboard and a file.

const FILE_BYTES = 128 * 1024

/** Method and path of the requests of each step, then `as team` if the token is sent. */
const STEPS: readonly (readonly string[])[] = [
  [
    'GET /',
    ...firstFiles(),
    'GET /api/v2/integrations/client/config',
    'GET /api/v2/leaderboard/solves',
    'GET /api/v2/leaderboard/now?limit=25&offset=0&with=trend',
    'GET /api/v2/challs',
  ],
  ['POST /api/v1/auth/login', 'GET /api/v2/users/me as team'],
  ['GET /api/v2/announcements as team', 'GET /api/v2/messages as team', 'GET /api/v2/waves/next'],
  ['GET /api/v2/leaderboard/graph?limit=10&offset=0&sample=fine', 'GET /api/v2/leaderboard/challs'],
]

/** The files that the first page of the built site names. */
function firstFiles(): string[] {
  const page = readFileSync(new URL('../../../web/dist/index.html', import.meta.url), 'utf8')
  return [...page.matchAll(/(?:src|href)="(\/[^"/][^"]*\.\w+)"/g)].map(([, path = '']) => `GET ${path}`)
}

/** Adds the file to a challenge of the contest. */
export async function stepsOf({ instance, generated }: Contest): Promise<RushRequest[][]> {
  const { authToken: token } = await instance.createAdmin('bench')
  const call = createClient({ baseUrl: instance.url })
  const data = `data:application/octet-stream;base64,${Buffer.alloc(FILE_BYTES, 7).toString('base64')}`
  const uploaded = await call(uploadFilesV1, { token, body: { files: [{ name: 'task.bin', data }] } })
  if (uploaded.kind !== 'goodFilesUpload') throw new Error(uploaded.kind)
  const id = generated.challengeIds[0] ?? ''
  const body = { data: { files: uploaded.data.map(({ name, url }) => ({ name, url })) } }
  const saved = await call(putChallengeV2, { token, params: { id }, body })
  if (saved.kind !== 'goodChallengeUpdateV2') throw new Error(saved.kind)
  const files = uploaded.data.map(({ url }) => `GET ${new URL(url, instance.url).pathname}`)
  return [...STEPS, files].map((step) => step.map(requestOf))
}

function requestOf(line: string): RushRequest {
  const [method, path = '', ...rest] = line.split(' ')
  return { method: method === 'POST' ? method : 'GET', path, isAsTeam: rest.length > 0 }
}

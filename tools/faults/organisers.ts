import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '@pennant/contract/client.ts'
import { pushScores } from '@pennant/contract/scores.ts'
import { readOwnProfileV2 } from '@pennant/contract/teams.ts'
import { uploadFilesV1 } from '@pennant/contract/uploads.ts'
import type { Ledger } from './ledger.ts'

/** The challenge whose backend pushes scores, and its secret. */
export const PUSHED = { id: 'pushed', secret: 'a secret of the fault runs' } as const

/** Two replicas with these intervals stay below the rate limits of pushes and uploads. */
const PUSH_INTERVAL_MS = 250
const UPLOAD_INTERVAL_MS = 400

/** The team that registered last, until a score was pushed for it. */
export interface Newcomer {
  current: { readonly name: string; readonly token: string } | null
}

let pushes = 0

/** Pushes a team's only score, which no other push contains, so that its event can be found. */
export async function pushOnce(call: Client, ledger: Ledger, newcomer: Newcomer): Promise<void> {
  await delay(PUSH_INTERVAL_MS)
  const team = newcomer.current
  if (team === null) return
  newcomer.current = null
  const self = await call(readOwnProfileV2, { token: team.token })
  if (self.kind !== 'goodUserSelfData') throw new Error(`own team: ${self.kind}`)
  const points = ++pushes
  const scores = [{ userId: self.data.id, points }]
  const timestamp = String(Date.now())
  const signature = createHmac('sha256', PUSHED.secret)
    .update(`${timestamp}.${JSON.stringify({ scores })}`)
    .digest('hex')
  const headers = { 'x-svc-timestamp': timestamp, 'x-svc-signature': `sha256=${signature}` }
  const pushed = await call(pushScores, { params: { id: PUSHED.id }, body: { scores }, headers })
  if (pushed.kind !== 'goodDynamicScores') throw new Error(`push: ${pushed.kind}`)
  ledger.pushes.push(`${team.name}/${points}`)
}

/** Uploads a file that no other upload contains. */
export async function uploadOnce(call: Client, ledger: Ledger, token: string): Promise<void> {
  await delay(UPLOAD_INTERVAL_MS)
  const text = randomUUID()
  const file = { name: `${text}.txt`, data: `data:text/plain;base64,${Buffer.from(text).toString('base64')}` }
  const stored = await call(uploadFilesV1, { token, body: { files: [file] } })
  if (stored.kind !== 'goodFilesUpload') throw new Error(`upload: ${stored.kind}`)
  for (const { url } of stored.data) ledger.uploads.push({ url, text })
}

/** Counts acknowledged uploads that the replica does not serve unchanged. */
export async function countMissingUploads(
  replicaUrl: string,
  { uploads }: Pick<Ledger, 'uploads'>,
): Promise<number> {
  let missing = 0
  for (const { url, text } of uploads) {
    const response = await fetch(new URL(url, replicaUrl))
    if (!response.ok || (await response.text()) !== text) missing++
  }
  return missing
}

import { createHmac } from 'node:crypto'
import { pushScores } from '@pennant/contract/scores.ts'
import sql from 'sql-template-tag'
import { challengeRow } from './contest-rows.ts'
import { putChallenge } from './contest-data.ts'
import type { Contest } from './harness.ts'
import { checkResponse } from './strict.ts'

// The backend of a dynamic challenge, as a challenge author would implement it.

export const pushSecret = 'a secret between us'

export type Entries = readonly { readonly userId: string; readonly points: number }[]

export async function putDynamic(
  { db }: Contest,
  id: string,
  row: { readonly secret?: string | null; readonly hidden?: boolean; readonly releaseAt?: number } = {},
): Promise<void> {
  const { secret = pushSecret, ...rest } = row
  await putChallenge(db, challengeRow(id, { scoringKind: 'dynamic', ...rest }))
  await db.change(async (tx) => {
    await tx.query(sql`update challenges set scoring_secret = ${secret} where id = ${id}`)
    tx.changed('challenges', [id])
  })
}

export function hmac(text: string | Buffer, prefix: string, secret = pushSecret): string {
  return createHmac('sha256', secret).update(prefix).update(text).digest('hex')
}

export interface RawPush {
  readonly body: string | Buffer
  /** `null` omits the header. */
  readonly timestamp?: string | null
  readonly signature?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Sends the bytes unchanged, signed unless the test says otherwise; the response is checked against the
 * contract.
 */
export async function pushRaw({ url, clock }: Contest, id: string, sent: RawPush) {
  const { body, timestamp = String(clock.now()), headers } = sent
  const { signature = `sha256=${hmac(body, `${timestamp}.`)}` } = sent
  const response = await fetch(`${url}/api/v2/challs/${encodeURIComponent(id)}/scores`, {
    method: 'POST',
    headers: {
      ...(timestamp === null ? {} : { 'x-svc-timestamp': timestamp }),
      ...(signature === null ? {} : { 'x-svc-signature': signature }),
      ...headers,
    },
    body,
  })
  const text = await response.text()
  const result = JSON.parse(text)
  checkResponse(pushScores, response, result)
  return {
    kind: result.kind as string,
    data: result.data,
    status: response.status,
    text,
    head: [...response.headers],
  }
}

let pushes = 0

/** The result of the push as `inserted updated deleted`, or the response kind if it was rejected. */
export async function push(contest: Contest, id: string, scores: Entries): Promise<string> {
  // Identical bodies with the same timestamp would count as a repetition of the same push.
  const body = JSON.stringify({ scores, number: (pushes += 1) })
  const { kind, data } = await pushRaw(contest, id, { body })
  return kind === 'goodDynamicScores' ? `${data.inserted} ${data.updated} ${data.deleted}` : kind
}
